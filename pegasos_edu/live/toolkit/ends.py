"""The name of each curve where it ends, in place of a legend.

Names that would stand on each other are moved apart. The charts do that
themselves, in Vega-Lite, so pictures and pages share it. Positions are
shares of an axis here: 0 is at its lower end, 1 at its upper one.
"""

import altair as alt

from pegasos_edu.live.toolkit import marks
from pegasos_edu.live.toolkit.shades import colour

# The least distance of two names; how far a name stands from a curve that
# would otherwise run through it; the lowest place of a name.
GAP, AWAY, LOWEST = 0.08, 0.06, 0.04
# An end right of this has its name on its left, so that it is not cut.
CROWDED = 0.5
TEXT = {"baseline": "middle", "fontSize": 12, "fontWeight": 600, "clip": True}


def ends(data, x, y, ideas, field="name", first=False):
    """A dot and a name at the end of each curve.

    Parameters
    ----------
    data : altair.InlineData
        The rows of the curves.
    x, y : altair.X and altair.Y
        Their encodings; the scales have domains.
    ideas : dict
        From the names of the curves to ideas of the table of looks.
    field : str
        The field of the rows that holds the name.
    first : bool
        Whether the names stand at the left ends, without dots.

    Returns
    -------
    altair.LayerChart

    Examples
    --------
    >>> x = alt.X(**marks.logarithmic("t", "step t", 0, 4))
    >>> y = alt.Y(**marks.linear("f", "f", 0, 1))
    >>> len(ends(alt.InlineData(values=[]), x, y, {"a": "average"}).layer)
    3
    """
    tint = marks.look(ideas, field, legend=None)["color"]
    crowded = "true" if first else f"{_share(x)} > {CROWDED}"
    on_left = "false" if first else crowded
    last = _last_rows(alt.Chart(data), x, field, "min" if first else "max")
    apart = _apart(last, _share(y), crowded).transform_calculate(
        name_at=_at_share(y, "datum.place")
    )
    text = {
        **TEXT,
        "align": alt.expr(f"{on_left} ? 'right' : 'left'"),
        "dx": alt.expr(f"{on_left} ? -4 : {4 if first else 9}"),
    }
    names = apart.encode(
        x=x,
        y=alt.Y("name_at:Q", scale=y["scale"], title=y["title"]),
        text=f"{field}:N",
    )
    # The paper around the letters, for where a curve runs through.
    halo = names.mark_text(stroke=colour("paper"), strokeWidth=4, **text)
    layers = halo, names.mark_text(**text).encode(color=tint)
    if first:
        return alt.layer(*layers)
    # Not clipped, as that would halve a dot on an edge of the panel.
    dots = (
        last.transform_filter(f"abs({_share(y)} - 0.5) <= 0.5")
        .mark_point(filled=True, size=60, opacity=1)
        .encode(x=x, y=y, color=tint)
    )
    return alt.layer(dots, *layers)


def _last_rows(chart, x, field, end):
    """The row of each curve where x is largest, or smallest."""
    place = x.to_dict()["field"]
    return chart.transform_joinaggregate(
        end_at=f"{end}({place})", groupby=[field]
    ).transform_filter(f"datum['{place}'] == datum.end_at")


def _apart(chart, height, crowded):
    """The names' places, from the highest down, at least GAP apart.

    The highest stands above its curve, the others below theirs. Each is then
    moved down as far as those above it ask, and all up as far as the last
    one needs to stay inside: the k-th place is the least of the wanted ones
    up to there, as if each of them were followed closely.
    """
    highest_first = [alt.SortField("height", "descending")]
    return (
        chart.transform_calculate(height=f"clamp({height}, 0, 1)")
        .transform_window(k="row_number()", sort=highest_first)
        .transform_joinaggregate(count="count()")
        .transform_calculate(
            wanted=f"min(datum.height + ({crowded} ? "
            f"datum.k == 1 ? {AWAY} : -{AWAY} : 0), {1 - LOWEST}) "
            f"+ datum.k * {GAP}"
        )
        .transform_window(least="min(wanted)", sort=highest_first)
        .transform_calculate(
            place=f"max(datum.least - datum.k * {GAP}, "
            f"{LOWEST} + (datum.count - datum.k) * {GAP})"
        )
    )


def _share(encoding):
    """Where a row lies along an axis, as an expression."""
    found = encoding.to_dict()
    low, high = found["scale"]["domain"]
    value = f"datum['{found['field']}']"
    if found["scale"].get("type") == "log":
        return f"(log({value} / {low}) / log({high} / {low}))"
    return f"(({value} - {low}) / ({high} - {low}))"


def _at_share(encoding, share):
    """The value at a share of an axis, as an expression."""
    scale = encoding.to_dict()["scale"]
    low, high = scale["domain"]
    if scale.get("type") == "log":
        return f"{low} * pow({high} / {low}, {share})"
    return f"{low} + {share} * ({high} - {low})"
