"""What people write for the t at which two fitted lines meet."""

from itertools import product

import numpy as np


def through(*places):
    """A fit through some of the points only."""

    def fit(t, curve):
        at = list(places)
        return np.polyfit(np.log(t[at]), np.log(curve[at]), 1)

    return fit


def crossings():
    """How two lines are fitted, where they meet, and which t that is."""
    fits = [
        ("", lambda t, curve: np.polyfit(np.log(t), np.log(curve), 1)),
        ("line-through-two-points", through(0, -1)),
        ("line-through-two-points", through(0, 1)),
        ("line-through-two-points", through(-2, -1)),
    ]
    meets = [
        ("", lambda p, h, q, k: (h - k) / (q - p)),
        ("slopes-added", lambda p, h, q, k: (h - k) / (q + p)),
        ("heights-added", lambda p, h, q, k: (h + k) / (q - p)),
        ("fraction-turned-over", lambda p, h, q, k: (q - p) / (h - k)),
        ("slopes-left-out", lambda p, h, q, k: h - k),
    ]
    logarithms = [
        ("", np.exp),
        ("crossing-in-logarithms", lambda z: z),
        *[
            ("powers-of-another-base", power)
            for power in (
                lambda z: 10.0**z,
                lambda z: 2.0**z,
                lambda z: np.exp(z / np.log(10)),
                lambda z: np.exp(z / np.log(2)),
            )
        ],
    ]
    for terms in product(fits, meets, logarithms, (1, -1)):
        (*named, sign) = terms
        names, (fit, meet, back) = zip(*named)
        turned = "crossing-with-its-sign-turned" if sign < 0 else ""

        def crossing(t, a, b, fit=fit, meet=meet, back=back, sign=sign):
            return back(sign * meet(*fit(t, a), *fit(t, b)))

        yield (*names, turned), crossing
