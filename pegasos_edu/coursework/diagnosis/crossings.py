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
        # Of (h − k)/(q − p) and (k − h)/(p − q) either is right: a sum, or
        # what is left out, may come from either.
        turns = sign < 0 and names[1] in ("", "fraction-turned-over")
        turned = "crossing-with-its-sign-turned" if turns else ""

        def crossing(t, a, b, fit=fit, meet=meet, back=back, sign=sign):
            return back(sign * meet(*fit(t, a), *fit(t, b)))

        yield (*names, turned), crossing

    def power_too_early(t, a, b):
        (p, h), (q, k) = (line(t, curve) for curve in (a, b))
        return np.exp(h - k) / (q - p)

    line = fits[0][1]
    yield ("power-before-the-division",), power_too_early
    for (name, fit), back in product(fits, (np.exp, lambda z: z)):

        def height(t, a, b, fit=fit, back=back):
            (p, h), (q, k) = fit(t, a), fit(t, b)
            return back(p * (h - k) / (q - p) + h)

        yield (name, "height-for-place"), height
