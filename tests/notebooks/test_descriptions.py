"""Each page says in one sentence what its reader gets."""

import descriptions
import pytest
import toc
from bs4 import BeautifulSoup

MOST = 160
SENTENCES = descriptions.descriptions()


def test_each_page_has_a_sentence_of_its_own():
    assert list(SENTENCES) != []
    assert set(SENTENCES) == set(toc.pages())
    assert len(set(SENTENCES.values())) == len(SENTENCES)


@pytest.mark.parametrize("page", SENTENCES)
def test_it_is_one_short_sentence(page):
    sentence = SENTENCES[page]
    assert 40 < len(sentence) <= MOST
    assert sentence.endswith(".") and ". " not in sentence


def test_the_head_of_each_page_has_it_once(site):
    for page, sentence in SENTENCES.items():
        html = (site / f"{page}.html").read_text("utf-8")
        head = BeautifulSoup(html.split("</head>")[0], "html.parser")
        said = {}
        for tag in head.select("meta[content]"):
            name = tag.get("name") or tag.get("property")
            said.setdefault(name, []).append(tag["content"])
        assert said["description"] == [sentence], page
        assert said["og:description"] == [sentence], page
        # The words of the heading: no number, no mark-up, no TeX.
        (title,) = said["og:title"]
        heading = BeautifulSoup(html, "html.parser").select_one("article h1")
        for one in heading.select(".section-number, .headerlink"):
            one.decompose()
        assert title == heading.get_text().strip(), page
        assert not set("<>&\\$") & set(title), page
        first = page == "book/index"
        assert said["og:type"] == ["website" if first else "article"]
        # No address is known.
        assert not {"og:url", "og:image"} & set(said)
