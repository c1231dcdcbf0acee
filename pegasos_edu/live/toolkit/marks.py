"""Pieces of charts that several live figures share."""

import altair as alt

from pegasos_edu.live.toolkit.figure import data_set
from pegasos_edu.live.toolkit.numbers import raised
from pegasos_edu.live.toolkit.plane import BOX
from pegasos_edu.live.toolkit.shades import class_look, colour, dash, shade

# Room for the labels of the vertical axis, so that it does not jump.
LABELS = 38


def key_above():
    """A legend above the panel, for lines that may run anywhere."""
    return alt.Legend(
        orient="top",
        direction="horizontal",
        offset=4,
        columnPadding=8,
        symbolOpacity=1,
        symbolStrokeWidth=2,
        symbolSize=300,
        symbolType="stroke",
    )


def classes_above():
    """A legend of the classes above the panel, so that it hides no point."""
    return alt.Legend(
        orient="top", direction="horizontal", offset=4, symbolOpacity=1
    )


def power_name(exponent):
    """10 to the power of a whole number, as a reader writes it.

    Examples
    --------
    >>> power_name(2), power_name(-3)
    ('100', '10⁻³')
    """
    if -2 <= exponent <= 2:
        return f"{10.0**exponent:g}"
    return "10" + raised(exponent)


def power_labels(low, high):
    """The labels of an axis at powers of ten, as Vega writes expressions.

    Examples
    --------
    >>> power_labels(0, 1)
    "['1', '10'][round(log(datum.value) / LN10) - (0)]"
    """
    names = [power_name(k) for k in range(low, high + 1)]
    return f"{names}[round(log(datum.value) / LN10) - ({low})]"


def logarithmic(field, title, low, high, **axis):
    """The encoding of a field on a logarithmic axis, in powers of ten.

    Parameters
    ----------
    field : str
    title : str
    low, high : int
        The exponents at its two ends.
    **axis
        Passed on to `altair.Axis`.

    Examples
    --------
    >>> logarithmic("t", "step t", 0, 4)["axis"]["values"]
    [1.0, 10.0, 100.0, 1000.0, 10000.0]
    """
    exponents = range(low, high + 1, 2 if high - low > 6 else 1)
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": alt.Scale(
            type="log", domain=[10.0**low, 10.0**high], nice=False
        ),
        "axis": alt.Axis(
            values=[10.0**k for k in exponents],
            labelExpr=power_labels(low, high),
            **axis,
        ),
    }


def linear(field, title, low, high, **axis):
    """The encoding of a field on a plain axis from low to high.

    Examples
    --------
    >>> linear("x", "x₁", -3, 3)["field"]
    'x'
    """
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": alt.Scale(domain=[low, high], nice=False),
        "axis": alt.Axis(**axis),
    }


def look(ideas, field="name", legend=None):
    """The colour and the dash of each named line, from the table of looks.

    Parameters
    ----------
    ideas : dict
        From the names of the lines to ideas of the table.
    field : str
        The field of the rows that holds the name.
    legend : altair.Legend, optional
        By default none: names stand beside what they name.

    Examples
    --------
    >>> both = look({"after T steps": "last iterate", "w*": "optimum"})
    >>> both["color"]["scale"]["range"]
    ['#04487C', '#22272E']
    >>> both["strokeDash"]["scale"]["range"]
    [[1, 0], [8, 4]]
    """
    names = list(ideas)
    colours = [colour(shade(idea)) for idea in ideas.values()]
    dashes = [dash(idea) for idea in ideas.values()]
    return {
        "color": alt.Color(
            f"{field}:N",
            legend=legend,
            scale=alt.Scale(domain=names, range=colours),
        ),
        "strokeDash": alt.StrokeDash(
            f"{field}:N",
            legend=legend,
            scale=alt.Scale(domain=names, range=dashes),
        ),
    }


def line(idea):
    """The colour and the dash of a single line, for Altair's marks.

    Examples
    --------
    >>> line("optimum")
    {'color': '#22272E', 'strokeDash': [8, 4]}
    """
    return {"color": colour(shade(idea)), "strokeDash": dash(idea)}


def dots(rows, ideas, field="name"):
    """A large dot for each row of a data set, in the colour of its name.

    One layer a name, so that the lines' legend shows lines.

    Examples
    --------
    >>> len(dots("now", {"a": "last iterate", "b": "average"}))
    2
    """
    chart = alt.Chart(data_set(rows))
    return [
        chart.transform_filter(alt.datum[field] == name).mark_point(
            filled=True,
            size=110,
            opacity=1,
            clip=True,
            color=colour(shade(idea)),
        )
        for name, idea in ideas.items()
    ]


def classes(legend):
    """Colour and shape by class, as in all figures of the book.

    Examples
    --------
    >>> classes(None)["shape"]["scale"]["range"]
    ['circle', 'square']
    """
    names = ["+1", "−1"]
    colours, shapes = zip(class_look(+1), class_look(-1))
    return {
        "color": alt.Color(
            "class:N",
            legend=legend,
            scale=alt.Scale(domain=names, range=list(colours)),
        ),
        "shape": alt.Shape(
            "class:N",
            legend=legend,
            scale=alt.Scale(domain=names, range=list(shapes)),
        ),
    }


def apart(*layers):
    """Layers one over the other, each with colours and a legend of its own.

    Lines and classes in one panel would otherwise share one list of names.

    Examples
    --------
    >>> len(apart(plane([[0.0, 1.0]], [1.0]), *dots("now", {})).layer)
    1
    """
    return alt.layer(*layers).resolve_scale(
        color="independent", shape="independent", strokeDash="independent"
    )


def plane_axes():
    """The axes of the plane of the examples, the whole box.

    Examples
    --------
    >>> plane_axes()["y"].to_dict()["scale"]["domain"]
    [-2.5, 2.5]
    """
    right, top = BOX
    up = linear("y", "x₂", -top, top, tickCount=5, minExtent=30, maxExtent=30)
    return {
        "x": alt.X(**linear("x", "x₁", -right, right, tickCount=6)),
        "y": alt.Y(**up),
    }


def plane(X, y):
    """Points in the plane, one colour and one shape a class.

    Examples
    --------
    >>> plane([[0.0, 1.0]], [1.0]).mark.filled
    True
    """
    points = alt.InlineData(
        values=[
            {
                "x": float(x[0]),
                "y": float(x[1]),
                "class": "+1" if s > 0 else "−1",
            }
            for x, s in zip(X, y)
        ]
    )
    return (
        alt.Chart(points)
        .mark_point(filled=True, size=60, opacity=0.85)
        .encode(**plane_axes(), **classes(classes_above()))
    )


def street(idea):
    """The lines of `plane.lines_of`: the decision line looks like an idea.

    Examples
    --------
    >>> both = street("optimum").encoding.strokeDash
    >>> both.to_dict()["scale"]["range"]
    [[8, 4], [1, 0]]
    """
    ideas = {"decision line": idea, "margin": "margin"}
    margin = alt.when(alt.datum["line"] == "margin")
    return (
        alt.Chart(data_set("lines"))
        .mark_rule(clip=True)
        .encode(
            **plane_axes(),
            x2="x2:Q",
            y2="y2:Q",
            **look(ideas, "line"),
            strokeWidth=margin.then(alt.value(1.2)).otherwise(alt.value(2.5)),
        )
    )


def ringed(**places):
    """The moved point, large and with a ring, at these places.

    Examples
    --------
    >>> ringed(x="x:Q", y="y:Q").mark.size
    130
    """
    return (
        alt.Chart(data_set("moved"))
        .mark_point(
            filled=True,
            size=130,
            color=class_look(+1)[0],
            stroke=colour("text"),
            strokeWidth=2.5,
            opacity=1,
        )
        .encode(**places)
    )
