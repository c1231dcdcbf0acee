"""Lines in the plane of the examples, cut at the edge of the picture."""

import numpy as np

# The part of the plane that is drawn: |x₁| and |x₂| up to these.
BOX = (3.0, 2.5)


def lines_of(w):
    """The decision line ⟨w, x⟩ = 0 and the margins ⟨w, x⟩ = ±1."""
    names = {0: "decision line", 1: "margin", -1: "margin"}
    found = [(side, clip_line(w, side)) for side in names]
    return [
        {
            "line": names[side],
            "side": side,
            "x": ends[0],
            "y": ends[1],
            "x2": ends[2],
            "y2": ends[3],
        }
        for side, ends in found
        if ends is not None
    ]


def for_script(X, y):
    """A data set as the script takes it: "x" row after row, and "y".

    Examples
    --------
    >>> for_script(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, -1.0]))
    {'x': [1.0, 2.0, 3.0, 4.0], 'y': [1, -1]}
    """
    return {"x": X.ravel().tolist(), "y": y.astype(int).tolist()}


def clip_line(w, side, box=BOX):
    """The part of the line ⟨w, x⟩ = side inside the box.

    Parameters
    ----------
    w : sequence of two floats
    side : float
    box : pair of float
        Half the width and half the height.

    Returns
    -------
    tuple (x, y, x2, y2), or None if the line misses the box

    Notes
    -----
    Liang and Barsky (1984): the line is c + s·u; each side of the box
    bounds s from one end.

    Examples
    --------
    >>> clip_line([1.0, 0.0], 1.0, box=(3.0, 2.0))
    (1.0, -2.0, 1.0, 2.0)
    >>> clip_line([0.1, 0.0], 1.0, box=(3.0, 2.0)) is None
    True
    """
    norm = float(np.hypot(w[0], w[1]))
    if norm == 0.0 or not np.isfinite(side / norm):
        return None
    a, b = float(w[0]) / norm, float(w[1]) / norm
    centre, along = (a * side / norm, b * side / norm), (-b, a)
    low, high = -np.inf, np.inf
    for c, u, half in zip(centre, along, box):
        if u == 0.0:
            if abs(c) > half:
                return None
            continue
        first, second = sorted(((-half - c) / u, (half - c) / u))
        low, high = max(low, first), min(high, second)
    if low >= high:
        return None
    (cx, cy), (ux, uy) = centre, along
    return cx + low * ux, cy + low * uy, cx + high * ux, cy + high * uy
