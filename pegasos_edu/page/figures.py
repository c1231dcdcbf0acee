"""The look of the static figures: one palette, one style."""

import matplotlib as mpl

# The colour-blind-safe palette of Okabe and Ito (2008), in the order in
# which figures use it. Text and lines stay readable on white; in dark mode
# the page puts figures on a white card.
PALETTE = {
    "blue": "#0072B2",
    "orange": "#D55E00",
    "green": "#009E73",
    "purple": "#CC79A7",
    "yellow": "#E69F00",
    "sky": "#56B4E9",
    "grey": "#6E6E6E",
    "black": "#000000",
}

# One meaning, one colour and one marker, in every figure of the book.
POSITIVE = {"color": PALETTE["blue"], "marker": "o"}
NEGATIVE = {"color": PALETTE["orange"], "marker": "s"}


def use_style():
    """Set matplotlib's defaults to the book's.

    Figures are six inches wide with type of twelve points, so that they
    can be read on a phone 390 pixels wide.

    Examples
    --------
    >>> use_style()
    >>> mpl.rcParams["font.size"]
    12.0
    """
    mpl.rcParams.update(
        {
            "figure.figsize": (6.0, 3.8),
            "figure.dpi": 144,
            "figure.constrained_layout.use": True,
            "figure.facecolor": "white",
            "font.size": 12,
            "axes.prop_cycle": mpl.cycler(color=list(PALETTE.values())),
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.alpha": 0.3,
            "lines.linewidth": 2,
            "legend.frameon": False,
        }
    )


def scatter_classes(ax, X, y):
    """Draw two-dimensional examples, one colour and one marker a class.

    Parameters
    ----------
    ax : matplotlib Axes
    X : ndarray of shape (n, 2)
    y : ndarray of shape (n,), −1 or +1

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from pegasos_edu.problem.data import two_clouds
    >>> ax = Figure().subplots()
    >>> scatter_classes(ax, *two_clouds())
    >>> len(ax.collections)
    2
    """
    for label, look in ((1, POSITIVE), (-1, NEGATIVE)):
        ax.scatter(
            *X[y == label].T,
            s=28,
            label=f"y = {label:+d}",
            edgecolors="white",
            linewidths=0.5,
            zorder=3,
            **look,
        )


def draw_line(ax, w, level=0.0, **look):
    """Draw the part of {x : ⟨w, x⟩ = level} that lies inside the axes.

    Parameters
    ----------
    ax : matplotlib Axes
        Its limits must be set before.
    w : ndarray of shape (2,)
        Not zero.
    level : float
        0 for the decision line, ±1 for the margins.
    **look
        Passed on to `ax.axline`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> draw_line(ax, w=[1.0, 1.0], level=1.0)
    >>> len(ax.lines)
    1
    """
    w1, w2 = w
    norm2 = w1**2 + w2**2
    foot = level * w1 / norm2, level * w2 / norm2
    ax.axline(foot, (foot[0] - w2, foot[1] + w1), **look)
