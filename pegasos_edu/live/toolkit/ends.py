"""The name of each curve where it ends, in place of a legend.

Names that would stand on each other are moved apart. The charts do that
themselves, in Vega-Lite, so pictures and pages share it. Positions are
shares of an axis here: 0 is at its lower end, 1 at its upper one. Distances
are in pixels, as letters are, and grow with the text.
"""

import altair as alt

from pegasos_edu.live.toolkit import marks
from pegasos_edu.live.toolkit.plane import BOX
from pegasos_edu.live.toolkit.shades import colour

# The least distance of two names; how far a name stands from a curve that
# would otherwise run through it; the lowest place of a name; how long its
# letters are; how far at most it goes out of the way of a curve; how far
# apart two ends are for a name to stand between them.
GAP, AWAY, LOWEST, LETTER, YIELD, ROOM = 19, 14, 9, 7.5, 18, 40
# An end right of this has its name on its left, so that it is not cut.
CROWDED = 0.5
TEXT = {"baseline": "middle", "fontSize": 12, "fontWeight": 600, "clip": True}


def ends(data, x, y, ideas, field="name", first=False, beside=False):
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
    beside : bool
        Whether there is always room for the names right of the ends.

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
    tint = marks.look(ideas, field)["color"]
    crowded = "true" if first else f"{_share(x)} > {CROWDED}"
    if beside:
        crowded = "false"
    on_left = "false" if first else crowded
    last = _last_rows(alt.Chart(data), x, y, field, "min" if first else "max")
    beyond = "datum.whole <= 0 ? ' ↓' : datum.whole > 1 ? ' ↑' : ''"
    apart = _apart(last, crowded).transform_calculate(
        name_at=_at_share(y, "datum.place"),
        # An end at or beyond an edge of the panel says where it goes.
        text=f"datum['{field}'] + ({beyond})",
    )
    names = apart.encode(
        x=x,
        y=alt.Y("name_at:Q", scale=y["scale"], title=y["title"]),
        text="text:N",
    )
    layers = written(
        names,
        tint,
        align=alt.expr(f"{on_left} ? 'right' : 'left'"),
        dx=alt.expr(f"{on_left} ? -4 : {4 if first else 9}"),
    )
    if first:
        return alt.layer(*layers)
    return alt.layer(_dots(last, x, y, tint), *layers)


def starts(first, last, x, y, ideas, field="name"):
    """A dot where each curve ends, and its name above where it begins.

    For curves that fall, begin far from each other and end on each other. An
    arrow stands beside the dot of one that leaves the panel below.

    Parameters
    ----------
    first, last : altair.InlineData
        The first and the last row of each curve.
    x, y, ideas, field
        As those of `ends`.

    Returns
    -------
    altair.LayerChart

    Examples
    --------
    >>> x = alt.X(**marks.logarithmic("t", "step t", 0, 4))
    >>> y = alt.Y(**marks.linear("f", "f", 0, 1))
    >>> none = alt.InlineData(values=[])
    >>> len(starts(none, none, x, y, {"a": "average"}).layer)
    5
    """
    tint = marks.look(ideas, field)["color"]
    names = alt.Chart(first).encode(x=x, y=y, text=f"{field}:N")
    arrows = (
        alt.Chart(last)
        .transform_filter(f"{_share(y)} <= 0")
        .encode(x=x, y=y, text=alt.value("↓"))
    )
    return alt.layer(
        _dots(alt.Chart(last), x, y, tint),
        *written(arrows, tint, align="right", dx=-8, dy=-LOWEST),
        *written(names, tint, align="left", dx=3, dy=2 - AWAY),
    )


def _dots(chart, x, y, tint):
    """A dot for each row that is inside of the panel.

    Not clipped, as that would halve a dot on an edge.
    """
    return (
        chart.transform_filter(f"abs({_share(y)} - 0.5) <= 0.5")
        .mark_point(filled=True, size=60, opacity=1)
        .encode(x=x, y=y, color=tint)
    )


def crossing(data, ideas):
    """The names of two lines through the middle of the plane of examples.

    Each stands right of its line: of the line that is further right above
    in the upper half, of the other one, which is further right below, in
    the lower half. So none stands between the two.

    Examples
    --------
    >>> len(crossing(alt.InlineData(values=[]), {"a": "average"}))
    2
    """
    right, _ = BOX
    names = (
        alt.Chart(data)
        .transform_calculate(tilt="datum.x / datum.y")
        .transform_window(
            k="row_number()", sort=[alt.SortField("tilt", "descending")]
        )
        .transform_calculate(
            isStart="(datum.y > datum.y2) == (datum.k == 1)",
        )
        .transform_calculate(
            far="datum.isStart ? datum.x : datum.x2",
            high="datum.isStart ? datum.y : datum.y2",
        )
        # A name needs room up to the right edge.
        .transform_calculate(
            part=f"datum.far > 0 ? min(0.8, {0.35 * right} / datum.far) : 0.8"
        )
        .transform_calculate(
            x="datum.far * datum.part", y="datum.high * datum.part"
        )
        .encode(**marks.plane_axes(), text="name:N")
    )
    return written(
        names,
        marks.look(ideas)["color"],
        align="left",
        dx=6,
        dy=alt.expr("datum.tilt < 0 ? -8 : 8"),
    )


def written(names, tint, **where):
    """Names, with the paper around the letters where a curve runs through."""
    text = {**TEXT, **where}
    halo = names.mark_text(stroke=colour("paper"), strokeWidth=4, **text)
    return halo, names.mark_text(**text).encode(color=tint)


def _pixels(count, side="height"):
    """So many pixels as a share of an axis, as an expression."""
    return f"({count} * textScale / {side})"


def _last_rows(chart, x, y, field, end):
    """The row of each curve where x is largest, or smallest.

    With it, how high and how low the curve goes where a name would stand,
    and how high and how low any curve does.
    """
    place = x.to_dict()["field"]
    long = _pixels(f"{LETTER} * length(datum['{field}'])", "width")
    near = f"abs({_share(x)} - datum.end_share) < {long}"
    return (
        chart.transform_calculate(at=_share(x), whole=_share(y))
        .transform_calculate(height="clamp(datum.whole, 0, 1)")
        .transform_joinaggregate(
            end_at=f"{end}({place})",
            end_share=f"{end}(at)",
            groupby=[field],
        )
        .transform_calculate(
            up=f"{near} ? datum.height : 0", down=f"{near} ? datum.height : 1"
        )
        .transform_joinaggregate(
            top="max(up)", bottom="min(down)", groupby=[field]
        )
        .transform_joinaggregate(highest="max(up)", deepest="min(down)")
        .transform_filter(f"datum['{place}'] == datum.end_at")
    )


def _apart(chart, crowded):
    """The names' places, from the highest down, at least GAP apart.

    Of ends that are near each other the highest has its name above its
    curve, the others below theirs. An end alone has it where the curve goes
    less, but the highest above and the lowest below all curves where these
    go not too far. Each is then moved down as far as those above it ask, and
    all up as far as the last one needs to stay inside: the k-th place is the
    least of the wanted ones up to there, as if each of them were followed
    closely.
    """
    gap, away, lowest, most, room = map(
        _pixels, (GAP, AWAY, LOWEST, YIELD, ROOM)
    )
    highest_first = [alt.SortField("height", "descending")]
    return (
        chart.transform_window(
            k="row_number()",
            upper="lag(height)",
            lower="lead(height)",
            sort=highest_first,
        )
        .transform_joinaggregate(count="count()")
        .transform_calculate(
            rise="(datum.k == 1 ? datum.highest : datum.top) - datum.height",
            fall="datum.height "
            "- (datum.k == datum.count ? datum.deepest : datum.bottom)",
            first=f"datum.k == 1 || datum.upper - datum.height > {room}",
            last=f"datum.k == datum.count "
            f"|| datum.height - datum.lower > {room}",
        )
        .transform_calculate(
            above="datum.first && (!datum.last "
            f"|| (datum.k == 1 && datum.rise <= {most}) "
            f"|| (datum.rise <= datum.fall "
            f"&& (datum.k < datum.count || datum.fall > {most})))"
        )
        .transform_calculate(
            wanted=f"min(datum.height + ({crowded} ? datum.above "
            f"? min(datum.rise, {most}) + {away} "
            f": -min(datum.fall, {most}) - {away} : 0), "
            f"1 - {lowest}) + datum.k * {gap}"
        )
        .transform_window(least="min(wanted)", sort=highest_first)
        .transform_calculate(
            place=f"max(datum.least - datum.k * {gap}, "
            f"{lowest} + (datum.count - datum.k) * {gap})"
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
