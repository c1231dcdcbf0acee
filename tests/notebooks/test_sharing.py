"""The tests are shared out by file, notebook and page."""

from tests.sharing import LONG_FIRST, place, unit

PAGES = "tests/browser/test_pages.py"


def test_a_page_is_a_unit():
    one = unit(f"{PAGES}::test_weight[book/api/solvers]")
    assert one == unit(f"{PAGES}::test_fits_a_phone[book/api/solvers]")
    assert one != unit(f"{PAGES}::test_weight[book/regret]")


def test_a_file_is_a_unit_whatever_its_parameters():
    assert unit("tests/a.py::test_x[1/2]") == unit("tests/a.py::test_y")
    assert unit("book/x.ipynb::Cell 0") == unit("book/x.ipynb::Cell 1")
    assert unit("book/x.ipynb::Cell 0") != unit("book/y.ipynb::Cell 0")


def test_the_long_ones_come_first_and_the_rest_last():
    nodeids = [f"{start}::test" for start in ["tests/a.py", *LONG_FIRST]]
    assert sorted(nodeids, key=place) == [*nodeids[1:], nodeids[0]]
