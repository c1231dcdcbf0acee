"""Code cells that run in the page, in Firefox.

Chromium's tests say what there is; these say that it is there, too.
"""

import json

import pytest
from live_code import make as live_code

from pegasos_edu.coursework import check
from tests.browser import firefox, kit
from tests.browser.test_python_in_page import (
    BOMBS,
    ENDED,
    HARMFUL,
    HTML,
    Stranger,
    ask_all,
    elsewhere,
    genuine,
    live_site,
    solver,
    with_head,
)

__all__ = ["elsewhere", "genuine", "live_site"]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(firefox.find() is None, reason=firefox.MISSING),
    pytest.mark.skipif(kit.find() is None, reason=kit.MISSING),
]
SHOWN = "document.querySelector('.pegasos-own .pegasos-shown')"
BUTTON = """[...document.querySelectorAll('.pegasos-own .pegasos-button')]
  .find((button) => button.textContent === '{}')"""
TEXT = "document.querySelector('.pegasos-own textarea').value"


@pytest.fixture(scope="module")
def page():
    with firefox.opened(firefox.find()) as page:
        yield page


@pytest.fixture(scope="module", params=["served", "from disk"])
def place(request, live_site):
    """Where the pages are: an address without its last part."""
    if request.param == "from disk":
        yield live_site.as_uri()
    else:
        with kit.served(live_site) as address:
            yield address


def click(page, name):
    page.evaluate(f"{BUTTON.format(name)}.click()")


def start(page, code):
    page.evaluate(
        "((area) => {"
        f"  area.value = {json.dumps(code)};"
        "  area.dispatchEvent(new Event('input'));"
        "})(document.querySelector('.pegasos-own textarea'))"
    )
    click(page, "Run")


def ended(page):
    """Wait for the end; what the cell showed."""
    page.wait_for(f"/{ENDED}/.test({SHOWN}.dataset.state)")
    return page.evaluate(f"{SHOWN}.innerText")


def test_a_check_stop_memory_and_the_editor(page, place):
    page.open(f"{place}/book/pegasos.html")
    patience = 1000 * firefox.PATIENCE
    page.evaluate(f"PegasosPython.patience = {patience}")
    assert not any("/python/kit/" in url for url in page.asked)
    # A right answer, word for word as in CPython.
    start(page, with_head(kit.RIGHT))
    shown = ended(page)
    assert shown.strip() == str(check(live_code.TASK, solver(kit.RIGHT)))
    # Its editor is typed in, and left.
    page.evaluate("document.querySelector('.cm-content').focus()")
    page.type("a", held=[firefox.CONTROL])
    page.type(f"for i in range(3):{firefox.ENTER}print(7 * i)")
    assert page.evaluate(TEXT) == "for i in range(3):\n    print(7 * i)"
    page.type(firefox.ENTER, held=[firefox.SHIFT])
    page.wait_for(f"{SHOWN}.innerText.includes('14')")
    assert ended(page).split() == ["0", "7", "14"]
    page.type(firefox.ESCAPE + firefox.TAB)
    assert page.evaluate("document.activeElement.textContent") == "Run"
    # Too much memory, and a loop that never ends.
    start(page, BOMBS["memory"])
    assert "MemoryError" in ended(page)
    start(page, f"print('begun')\n{BOMBS['loop']}")
    page.wait_for(f"{SHOWN}.innerText.includes('begun')")
    click(page, "Stop")
    assert "Stopped." in ended(page)
    start(page, "6 * 7")
    assert ended(page).strip() == "42"
    own = (place, "file:", "blob:", "data:", "about:")
    assert [url for url in page.asked if not url.startswith(own)] == []


def test_no_other_machine_is_asked_and_html_does_nothing(
    page, place, elsewhere
):
    # Now and then Firefox leaves a request of a worker unanswered for good.
    for _ in range(3):
        page.open(f"{place}/book/pegasos.html")
        start(page, ask_all(elsewhere))
        shown = ended(page)
        if "Stopped" not in shown:
            break
    assert "asked" in shown
    title = page.evaluate("document.title")
    start(page, HTML.format(HARMFUL.format(elsewhere=elsewhere)))
    assert "Left out: script" in ended(page)
    page.evaluate("new Promise((done) => setTimeout(done, 1000))")
    assert page.evaluate("document.title") == title
    assert Stranger.asked == []
