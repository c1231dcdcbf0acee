"""Formulas name the symbols that the table of notation explains."""

from pathlib import Path

import hover
import pytest
import symbols
from docutils import nodes
from sphinx.addnodes import pending_xref

BOOK = Path(__file__).resolve().parents[2] / "book"
TABLE = (BOOK / "conventions.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("known", "formula", "holds"),
    [
        ("w", r"\lVert w \rVert^2", True),
        ("w", r"w_t - w^\star", False),
        ("w_t", r"w_{t+1} - w_T", True),
        ("w_t", r"w_\tau", True),
        ("w_t", r"w_1 + w_2 + w_{i_t} + w_\lambda + w", False),
        (r"w^\star", r"f(w^\star)", True),
        (r"w^\star", r"w_t^{\star} + f^\star", False),
        (r"f^\star", r"f(w) - f^\star", True),
        ("f(w)", r"f\bigl(w_t\bigr)", True),
        ("f(w)", r"f_t(w) + f^\star + f_{\mathrm{dual}}(\alpha)", False),
        ("f(w)", r"f(w; (x, y))", False),
        ("f(w)", r"f(w\;)", True),
        (r"f_{\mathrm{dual}}", r"f_{\mathrm{dual}}(\alpha)", True),
        (r"x_i \in \mathbb{R}^d", r"\sum_j x_j + x_{i_\tau}", True),
        (r"x_i \in \mathbb{R}^d", "x + x_1 + x_t", False),
        ("n", r"\tfrac1n \sum_{i=1}^{n}", True),
        ("n", r"\ln T + \text{if none} + \operatorname{sign}", False),
        (r"t = 1, \dots, T", r"\frac1T", True),
        (r"t = 1, \dots, T", r"\eta_{t-1}", True),
        (r"t = 1, \dots, T", r"\begin{split} \lambda \end{split}", False),
        (r"\eta_t", r"\eta_{\tau - 1}", True),
        (r"\eta_t", r"\eta \, t + \eta_1", False),
        ("R", r"w \in \mathbb{R}^d", False),
        ("R", r"R^{2}", True),
        (r"\bar w", r"f(\bar w)", True),
        (r"\bar w", r"\bar\ell(w)", False),
        (r"\bar\ell_n(w)", r"\bar\ell_n(w_\mu)", True),
        (r"\bar\ell(w)", r"\bar\ell_n(w) - \bar\ell^\star", False),
        (r"\ell(m)", r"\ell\bigl(m_i\bigr)", True),
        (r"\ell(m)", r"\ell'(m) + \bar\ell(w) + \ell_1", False),
        (r"\ell'(m)", r"\ell'(m_t)", True),
        (r"\mathbb{1}[\,\cdot\,]", r"\mathbb{1}[m < 1]", True),
        (r"\mathbb{1}[\,\cdot\,]", r"1 \cdot 2", False),
        (r"\mathrm{nnz}", r"O(\mathrm{nnz})", True),
        ("E_T", r"\frac{E_T}{T}", True),
        ("E_T", r"\mathbb{E} \, T", False),
        (r"D_\psi(u, w)", r"D_\psi(w, u)", True),
        ("D", r"D_\psi(w, u)", False),
        (r"y_i \langle w, x_i \rangle", r"1 - y\langle w_t, x\rangle", True),
        (r"y_i \langle w, x_i \rangle", r"y \langle v, x \rangle", False),
    ],
)
def test_a_symbol_is_told_from_its_neighbours(known, formula, holds):
    assert symbols.finder(known)(formula) is holds


def row(*columns):
    """A row of a table, each column a list of nodes."""
    made = nodes.row()
    for column in columns:
        made += nodes.entry("", nodes.paragraph("", "", *column))
    return made


def table(*rows):
    body = nodes.tbody("", *rows)
    return nodes.table("", nodes.tgroup("", body))


def math(tex):
    return nodes.math(tex, tex)


def page(name):
    return pending_xref("", reftarget=name)


@pytest.fixture
def known():
    tree = nodes.section()
    tree += table(
        row(
            [math(r"\lambda > 0")],
            [nodes.literal("", "lam")],
            [nodes.Text("the strength")],
        ),
        row([math("w_t")], [], [nodes.Text("an iterate; "), math("w_1 = -1")]),
    )
    tree += table(
        row([math("a")], [nodes.Text("a scale")], [page("sparse")]),
        row([math("a")], [nodes.Text("a unit")], [page("steps")]),
        row([math("a")], [nodes.Text("a bound")], [page("steps")]),
    )
    return hover.notation(tree)


def test_a_letter_of_two_meanings_on_a_page_has_none(known):
    assert [*hover.rows_of("book/sparse", known)] == [0, 1, 2]
    assert [*hover.rows_of("book/steps", known)] == [0, 1]
    assert [*hover.rows_of("book/text", known)] == [0, 1]


def test_a_formula_names_its_lines_and_the_page_has_each_once(known):
    start = '<div class="math notranslate nohighlight"'
    body = (
        f'{start} id="one">\n<span>(1)</span>\\[a &lt; \\lambda w_t\\]</div>\n'
        f"{start}>\n\\[\\lambda\\]</div>\n{start}>\n\\[c\\]</div>\n"
    )
    found = hover.explained(body, hover.rows_of("book/sparse", known))
    one, two, three, after = found.split("</div>", 3)
    assert one.startswith(
        f'{start} id="one" aria-describedby="symbol-0 symbol-1 symbol-2">'
    )
    assert '"symbol-0">' in two
    assert "describedby" not in three
    assert after.count("<p ") == 3
    assert (
        '<p id="symbol-0"><i>λ &gt; 0</i> <code>lam</code>: the strength</p>'
        '<p id="symbol-1"><i>w<sub>t</sub></i>: an iterate; w<sub>1</sub> '
        "= −1</p>"
    ) in after
    assert hover.explained("<p>none</p>", {}) == "<p>none</p>"


def test_every_symbol_of_the_table_can_be_found():
    """Each is found in itself: no row is written in a way that none reads."""
    for line in TABLE.partition("## What is minimised")[0].splitlines():
        first = line.removeprefix("| ").partition(" |")[0]
        for tex in first.split("$")[1::2]:
            assert symbols.finder(tex)(tex), tex
