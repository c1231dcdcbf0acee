"""What a page loads is what was written, without what only readers need."""

import pytest
from offline import LIVE_SOURCES, ROOT, SHORTER

OURS = sorted(
    path
    for folder in (LIVE_SOURCES, ROOT / "book" / "_static")
    for path in folder.rglob("*.*")
    if path.suffix in SHORTER
)


def test_comments_and_indentation_are_left_out():
    script = """/* What it is
   for. */
(function () {
  // One.
  const a = "/* b */ // c";  // gone
  return a;
})();
"""
    short = '(function(){const a="/* b */ // c";return a;})();'
    assert SHORTER[".js"](script) == short


def test_a_rule_of_a_style_sheet_stays():
    style = """/* Why. */
    .a > .b,
    .c :hover {
      color: red; /* c */
      content: "no; {} : change";
      width: calc(1px + 2px);
    }
    """
    assert SHORTER[".css"](style) == (
        '.a>.b,.c :hover{color:red;content:"no; {} : change";'
        "width:calc(1px + 2px)}"
    )


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_no_text_is_lost(path):
    """A minifier that took an apostrophe in a comment for a text would."""
    source = path.read_text("utf-8")
    short = SHORTER[path.suffix](source)
    assert 0.3 * len(source) < len(short) < len(source)
    assert SHORTER[path.suffix](short) == short
