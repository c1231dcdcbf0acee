"""The command that compares pages with their last reviewed looks."""

import numpy as np
import pytest
from PIL import Image

from tests.browser import looks


def page(height, *dark):
    """The coarse copy of a white page with some dark squares."""
    squares = np.full((height, 40), 255, np.uint8)
    for row, column in dark:
        squares[row, column] = 0
    return squares


@pytest.mark.parametrize(
    "now, said",
    [
        (page(100), ""),
        (page(100, (7, 3)), "1 square of 4000, the first 224 pixels down"),
        (page(102), "64 pixels higher"),
        (
            page(99, (5, 0), (9, 1)),
            "32 pixels lower; 2 squares of 3960, the first 160 pixels down",
        ),
        (page(100)[:, :12], "another width"),
        (page(100) - np.uint8(looks.SEEN - 1), ""),
    ],
)
def test_what_differs_is_said(now, said):
    assert looks.difference(page(100), now) == said


def test_a_word_more_is_seen(tmp_path):
    """Black letters on white fill a fifth of a square or so."""
    before, after = np.full((2, 64, 320), 255, np.uint8)
    after[10:20, 40:52] = 0
    copies = []
    for name, picture in (("before", before), ("after", after)):
        Image.fromarray(picture).save(tmp_path / f"{name}.png")
        copies.append(looks.coarse(tmp_path / f"{name}.png"))
    assert copies[0].shape == (2, 10)
    assert looks.difference(*copies).startswith("1 square of 20")


def test_pages_are_compared_with_what_was_kept(
    browser, tmp_path, monkeypatch, capsys
):
    """A page is kept, found to be as it was, and then changed."""
    html = "<!doctype html><title>a</title><p>One.</p>{}"
    (tmp_path / "book").mkdir()
    for name in ("book/a", "book/b", "search"):
        (tmp_path / f"{name}.html").write_text(html.format(""), "utf-8")
    monkeypatch.setattr(looks, "KEPT", tmp_path / "looks.npz")
    monkeypatch.setattr(looks, "PICTURES", tmp_path / "pictures")
    monkeypatch.setattr(looks.tasks, "SITE", tmp_path)
    monkeypatch.setattr(looks, "FORMS", {"wide": looks.FORMS["wide"]})
    assert looks.built() == ["book/a", "book/b"]
    found = looks.look(browser, looks.built())
    assert looks.report(found)
    assert "wide book/b: not kept yet" in capsys.readouterr().out
    looks.keep(found, everything=True)
    assert not looks.report(looks.look(browser, ["book/a", "book/b"]))
    assert "2 pictures look as they did" in capsys.readouterr().out
    (tmp_path / "book/a.html").write_text(html.format("<h1>Two</h1>"), "utf-8")
    changed = looks.look(browser, ["book/a"])
    assert looks.report(changed)
    assert "wide book/a: " in capsys.readouterr().out
    looks.keep(changed, everything=False)
    assert set(np.load(looks.KEPT)) == {"wide book/a", "wide book/b"}
    assert not looks.report(changed)


def test_an_unknown_page_is_refused(capsys):
    with pytest.raises(SystemExit):
        looks.main(["book/nowhere"])
    assert "not a built page: book/nowhere" in capsys.readouterr().err
