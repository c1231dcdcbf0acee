"""Numbers of tables, figures and formulas: each stands for one thing."""

import re
from collections import Counter

import pytest
import table_numbers
import toc
from bs4 import BeautifulSoup

from pegasos_edu.page.tables import Table

CELL = (
    '<div class="numbers-table"><table class="table"><caption>Seen</caption>'
)
TEXT = (
    '<table><caption><span class="caption-number">Table 10.1 </span>'
    '<span class="caption-text">Told</span></caption>'
)


def captions(html):
    soup = BeautifulSoup(html, "html.parser")
    return [" ".join(one.get_text().split()) for one in soup("caption")]


def test_a_table_of_the_package_is_one_that_is_numbered():
    made = Table("t", caption="Seen")._repr_html_()
    assert captions(table_numbers.numbered(made, "6.")) == ["Table 6.1 Seen"]
    bare = Table("t")._repr_html_()
    assert table_numbers.numbered(bare, "6.") == bare


def test_tables_of_text_and_of_cells_are_counted_together():
    body = CELL + TEXT + CELL
    found = captions(table_numbers.numbered(body, "10."))
    assert found == ["Table 10.1 Seen", "Table 10.2 Told", "Table 10.3 Seen"]
    assert captions(table_numbers.numbered(CELL, "", 4)) == ["Table 4 Seen"]


def test_a_reference_has_the_number_of_its_table():
    told = TEXT.replace("<table>", '<table id="tab-told">')
    link = '<a href="#tab-{}"><span class="std std-numref">Table 10.1</span>'
    page = link.format("told") + CELL + told + link.format("elsewhere")
    soup = BeautifulSoup(table_numbers.numbered(page, "10."), "html.parser")
    found = [link.get_text() for link in soup.select(".std-numref")]
    assert found == ["Table 10.2", "Table 10.1"]


def test_every_reference_names_what_it_leads_to(site):
    seen = 0
    for page in toc.pages():
        path = site / f"{page}.html"
        soup = BeautifulSoup(path.read_text("utf-8"), "html.parser")
        for text in soup.select("article a .std-numref"):
            place, _, name = text.parent["href"].partition("#")
            there = soup
            if place:
                other = (path.parent / place).read_text("utf-8")
                there = BeautifulSoup(other, "html.parser")
            number = there.find(id=name).select_one(".caption-number")
            said = text.get_text().replace("Figure", "Fig.")
            assert number.get_text().strip() == said, (page, name)
            seen += 1
    assert seen > 20


def numbers(html):
    """What has a number on a page, without exercises and their solutions."""
    article = BeautifulSoup(html, "html.parser").select_one("article")
    found = [
        tag.get_text().strip()
        for tag in article.select(".caption-number")
        if re.match("Fig|Table", tag.get_text())
    ]
    return found, [tag.get_text()[1:-2] for tag in article.select(".eqno")]


@pytest.mark.slow
def test_no_number_is_used_twice(site):
    seen, formulas, pages = Counter(), Counter(), {}
    for page in toc.pages():
        html = (site / f"{page}.html").read_text("utf-8")
        pages[page], of_page = numbers(html)
        seen.update(pages[page])
        formulas.update(of_page)
    assert sum(seen.values()) > 100 and sum(formulas.values()) > 40
    assert [number for number, times in seen.items() if times > 1] == []
    assert [number for number, times in formulas.items() if times > 1] == []
    # In their order, and by chapter.
    tables = [name for name in pages["book/steps"] if "Table" in name]
    assert tables == [f"Table 6.{k}" for k in range(1, len(tables) + 1)]
    assert len(tables) >= 3


def test_every_caption_of_a_table_has_a_number(site):
    for page in toc.pages():
        html = (site / f"{page}.html").read_text("utf-8")
        for caption in captions(html):
            assert re.match(r"Table \d+(\.\d+)? ", caption), (page, caption)
