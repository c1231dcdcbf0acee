"""The look of the figures: one style, and one look for each idea."""

import matplotlib as mpl

from pegasos_edu.page.dark import show_dark_too
from pegasos_edu.page.looks import CLASSES, DASHES, entry
from pegasos_edu.page.palette import PALETTE, PAPER

# How a picture writes the ideas that are formulas.
FORMULAS = {
    "1/(λt)": r"$1/(\lambda t)$",
    "1/√t": r"$1/\sqrt{t}$",
    "G/√t": r"$G/\sqrt{t}$",
    "D/(G√t)": r"$D/(G\sqrt{t})$",
    "1/(λ(t + t₀))": r"$1/(\lambda(t + t_0))$",
}

# Marks for families of curves that differ in one number.
MARKERS = "os^Dv<>"


def look(idea, **changes):
    """The colour and dash of an idea, for matplotlib's lines.

    Parameters
    ----------
    idea : str
        A key of `LOOKS` or `SAME`.
    **changes
        What shall differ here, such as `lw=1`, or added, as `marker="o"`.

    Returns
    -------
    dict
        Keyword arguments, with the short names `color` and `ls`.

    Raises
    ------
    ValueError
        If the table has no such idea.

    Examples
    --------
    >>> look("last iterate")
    {'color': '#04487C', 'ls': '-'}
    >>> look("average", lw=1)
    {'color': '#B4440F', 'ls': (0, (5, 2, 1, 2)), 'lw': 1}
    """
    colour, dash = entry(idea)
    strokes = DASHES[dash]
    line = (0, strokes) if strokes else "-"
    return {"color": PALETTE[colour], "ls": line, **changes}


def written(idea):
    """The name of an idea for a legend or an axis, formulas as maths.

    Examples
    --------
    >>> written("1/√t"), written("average")
    ('$1/\\\\sqrt{t}$', 'average')
    """
    return FORMULAS.get(idea, idea)


def class_look(label):
    """The colour and marker of a class, for matplotlib's marks.

    Examples
    --------
    >>> class_look(+1)
    {'color': '#04487C', 'marker': 'o'}
    """
    if label not in CLASSES:
        raise ValueError(f"label is {label!r}; it must be 1 or -1")
    colour, marker = CLASSES[label]
    return {"color": PALETTE[colour], "marker": marker}


def family(count):
    """Looks for curves that no other figure shows, from dark to light.

    They may differ in one number, or be rivals that appear only once.
    Their colours are no idea's, so that λ = 0.1 is not taken for a method.

    Parameters
    ----------
    count : int
        How many curves; at most seven.

    Returns
    -------
    list of dict
        Keyword arguments: `color`, `ls` and `marker`.

    Examples
    --------
    >>> [member["marker"] for member in family(3)]
    ['o', 's', '^']
    """
    shades = mpl.colormaps["plasma"]
    dashes = [(0, strokes) if strokes else "-" for strokes in DASHES.values()]
    return [
        {
            "color": mpl.colors.to_hex(shades(0.75 * k / max(1, count - 1))),
            "ls": dashes[k % len(dashes)],
            "marker": MARKERS[k],
        }
        for k in range(count)
    ]


def use_style():
    """Set matplotlib's defaults to the book's.

    Figures are six inches wide with type of twelve points, so that they
    can be read on a phone 390 pixels wide. In a notebook each is drawn for
    a dark page as well.

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
            "figure.facecolor": PAPER,
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
    show_dark_too()


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
    for label in CLASSES:
        ax.scatter(
            *X[y == label].T,
            s=28,
            label=f"$y = {label:+d}$",
            edgecolors=PAPER,
            linewidths=0.5,
            zorder=3,
            **class_look(label),
        )


def draw_line(ax, w, level=0.0, **line):
    """Draw the part of {x : ⟨w, x⟩ = level} that lies inside the axes.

    Parameters
    ----------
    ax : matplotlib Axes
        Its limits must be set before.
    w : ndarray of shape (2,)
        Not zero.
    level : float
        0 for the decision line, ±1 for the margins.
    **line
        Passed on to `ax.axline`, such as `**look("optimum")`.

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
    ax.axline(foot, (foot[0] - w2, foot[1] + w1), **line)
