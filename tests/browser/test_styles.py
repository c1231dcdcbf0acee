"""What a browser reads in our style sheets, as written and as shortened."""

import pytest

from tests.browser.conftest import new_page
from tests.browser.live_page import ROOT, offline

SHEETS = {
    path.name: path for path in (ROOT / "book" / "_static").glob("*.css")
}
# Every rule as the browser has understood it. Of the value of a property
# that is all a variable's it keeps the spaces.
RULES = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return [...sheet.cssRules].map((rule) =>
    rule.cssText.replaceAll(/, */g, ","));
}"""


@pytest.fixture(scope="module")
def read(browser):
    """The rules of a style sheet, in its order."""
    page = new_page(browser)
    yield lambda text: page.evaluate(RULES, text)
    page.context.close()


@pytest.mark.parametrize("name", ["live", *sorted(SHEETS)])
def test_a_shortened_style_sheet_says_the_same(read, name):
    book = offline()
    if name == "live":
        text = book.live_style()
    else:
        text = SHEETS[name].read_text("utf-8")
    short = book.SHORTER[".css"](text)
    rules = read(text)
    assert len(short) < len(text) and rules
    assert read(short) == rules
