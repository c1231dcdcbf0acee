"""The source that chapters show is the package's own, as it stands."""

import inspect

from pegasos_edu.coursework.zoo import a1
from pegasos_edu.page.source import show_source
from pegasos_edu.problem import losses
from pegasos_edu.solvers.dense import pegasos


def code(markdown):
    where, empty, *lines = markdown.data.splitlines()
    assert where.startswith("In `pegasos_edu.") and empty == ""
    assert (lines[0], lines[-1]) == ("```python", "```")
    return "\n".join(lines[1:-1])


def test_the_reader_is_told_where_it_stands():
    assert show_source(pegasos).data.startswith(
        "In `pegasos_edu.solvers.dense`:\n\n```python\n"
    )
    assert show_source(losses).data.startswith(
        "In `pegasos_edu.problem.losses`:\n"
    )


def test_nothing_but_the_docstring_is_left_out():
    shown = code(show_source(pegasos)).splitlines()
    whole = inspect.getsource(pegasos).splitlines()
    left_out = [line for line in whole if line not in shown]
    assert [line for line in whole if line in shown][-len(shown) :] == shown
    assert "\n".join(left_out).strip().startswith('"""Minimise')
    assert '"""' not in "\n".join(shown)


def test_a_docstring_can_be_kept():
    shown = code(show_source(losses.hinge, docstring=True))
    assert shown == inspect.getsource(losses.hinge).rstrip()


def test_a_module_can_be_shown():
    shown = code(show_source(losses))
    assert not shown.startswith('"""')
    assert "def hinge(margin):" in shown


def test_decorators_can_be_left_out():
    with_them = code(show_source(a1.wrong_sign))
    without = code(show_source(a1.wrong_sign, decorators=False))
    assert with_them.startswith("@mistake(")
    assert without.startswith("def wrong_sign(X, y, lam, order):")
    assert with_them.endswith(without)


def test_where_it_stands_can_be_left_out():
    told = show_source(losses.hinge).data
    untold = show_source(losses.hinge, where=False).data
    assert told == f"In `pegasos_edu.problem.losses`:\n\n{untold}"
    assert untold.startswith("```python\ndef hinge(margin):")
