"""A pytest plugin: of the class of hostile submissions, some quick ones.

Those left out wait for a limit of time or fill a memory. Mutants that live
with the small class are tried with the whole one.
"""

from tests.coursework import hostile

KEPT = {
    "good-first",
    "wrong",
    "fails-a-hidden-test",
    "os-exit",
    "fools-the-checks",
    "looks-for-tests",
    "no-metadata",
}

for name in set(hostile.SUBMISSIONS) - KEPT:
    del hostile.SUBMISSIONS[name]
