"""A pytest plugin: hypothesis does not look for the smallest failure.

Any failure kills a mutant; to shrink one can take longer than to find it.
"""

from hypothesis import Phase, settings


def pytest_configure():
    """After tests/conftest.py has loaded its profile."""
    settings.register_profile(
        "any failure",
        parent=settings.get_profile("project"),
        phases=[each for each in settings().phases if each != Phase.shrink],
    )
    settings.load_profile("any failure")
