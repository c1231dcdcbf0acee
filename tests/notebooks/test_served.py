"""What a page loads is what was written, without what only readers need."""

from offline import shortened


def test_comments_and_indentation_are_left_out():
    script = """/* What it is
   for. */
(function () {
  // One.
  const a = "/* b */ // c";  // stays
  return a;
})();
"""
    assert shortened(script) == (
        '(function () {\nconst a = "/* b */ // c";  // stays\n'
        "return a;\n})();\n"
    )


def test_a_rule_of_a_style_sheet_stays():
    style = "/* Why. */\n.a > .b {\n  color: red; /* c */\n}\n\n.c {}\n"
    assert shortened(style) == (".a > .b {\ncolor: red; /* c */\n}\n.c {}\n")
