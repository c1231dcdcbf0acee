"""The printed tables: goals and what was measured, set by set."""


def tables(result):
    """All tables as one text."""
    parts = [
        goals(result),
        ladder(result["ladder"]),
        passes(result["pass"]),
        targets(result["log targets"], "Log loss"),
        ablation(result["ablation"]),
        growth(result["growth"]),
        beginnings(result["start"], result["memory"]),
    ]
    return "\n\n".join(parts)


def lines(title, header, rows):
    """A table in plain text."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(map(len, column)) for column in zip(*cells)]
    text = [
        "  ".join(
            cell.ljust(width) if j == 0 else cell.rjust(width)
            for j, (cell, width) in enumerate(zip(row, widths))
        )
        for row in cells
    ]
    return "\n".join([title, text[0], "-" * len(text[0]), *text[1:]])


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def with_spread(value):
    return (
        f"{number(value['median'])} "
        f"({number(value['low'])}-{number(value['high'])})"
    )


# What a pass, a call and its memory are to be, and how to read it in a
# record. Ratios are those of `passes`.
RATIO_GOALS = (
    ("sequential / C", "at most", 1.1),
    ("random / C, random", "at most", 1.1),
    ("SGDClassifier, shuffled / blocks", "at least", 2.5),
)
FIRST_CALL, MORE_MEMORY = 0.5, 0.1
OURS = "recipe", "plain", "dual_ascent"


def goals(result):
    """Each goal, what was measured, and whether that reaches it."""
    rows = [
        (name, what, side, goal, each["ratios"][what]["median"])
        for name, each in result["pass"].items()
        for what, side, goal in RATIO_GOALS
    ]
    first = result["start"]["first call"]["median"]
    rows.append(
        ("", "seconds of the first call", "at most", FIRST_CALL, first)
    )
    for name, row in (result["memory"] or {}).items():
        if name in OURS:
            more = row["peak"] / row["data"]
            what = f"memory of {name} beyond the data, over the data"
            rows.append(("", what, "at most", MORE_MEMORY, more))
    return lines(
        "Goals: medians, set by set",
        ["set", "what", "goal", "measured", "reached"],
        [
            [name, what, f"{side} {goal:g}", number(value), reached]
            for name, what, side, goal, value in rows
            for reached in ["yes" if is_reached(side, goal, value) else "no"]
        ],
    )


def is_reached(side, goal, value):
    return value <= goal if side == "at most" else value >= goal


def ladder(sets):
    rungs = list(next(iter(sets.values())))
    return lines(
        "Nanoseconds per step; per coordinate touched (dense rungs: d, "
        "others: non-zeros)",
        [
            "rung",
            *(
                f"{name}{what}"
                for name in sets
                for what in (", step", ", touched")
            ),
        ],
        [
            [
                rung,
                *(
                    number(sets[name][rung][what]["median"])
                    for name in sets
                    for what in ("ns_per_step", "ns_per_touched")
                ),
            ]
            for rung in rungs
        ],
    )


def passes(sets):
    ratios = list(next(iter(sets.values()))["ratios"])
    times = list(next(iter(sets.values()))["ns_per_nonzero"])
    first = lines(
        "One pass, nanoseconds per non-zero",
        ["", *sets],
        [
            [
                name,
                *(
                    with_spread(s["ns_per_nonzero"][name])
                    for s in sets.values()
                ),
            ]
            for name in times
        ],
    )
    second = lines(
        "One pass, ratios: median (quartiles) of the rounds",
        ["", *sets],
        [
            [name, *(with_spread(s["ratios"][name]) for s in sets.values())]
            for name in ratios
        ],
    )
    return first + "\n\n" + second


def targets(races, title):
    rows = []
    for name, race in races.items():
        for contender, reached in race["contenders"].items():
            cells = []
            for target in ("0.1", "0.01", "0.001"):
                if target in reached:
                    hit = reached[target]
                    cells += [
                        number(1e3 * hit["seconds"]["median"]),
                        number(hit["passes"]),
                    ]
                else:
                    cells += ["-", "-"]
            rows.append([name, contender, *cells])
    return lines(
        f"{title}: milliseconds and passes to a relative suboptimality",
        ["set", "", "1e-1", "passes", "1e-2", "passes", "1e-3", "passes"],
        rows,
    )


def ablation(races):
    names = list(next(iter(races.values()))["contenders"])
    rows = []
    for what in names:
        cells = []
        for race in races.values():
            hit = race["contenders"][what].get("0.01")
            cells.append(
                f"{number(1e3 * hit['seconds']['median'])} ms, "
                f"{number(hit['passes'])}"
                if hit
                else "-"
            )
        rows.append([what, *cells])
    return lines(
        "The recipe, one ingredient changed: time and passes to 1e-2",
        ["", *races],
        rows,
    )


def growth(sweeps):
    rows = [
        [
            name,
            number(row["n"]),
            number(row["d"]),
            number(row["nnz"]),
            with_spread(row["ns_per_step"]),
            number(row["ns_per_step"]["median"] / row["nnz"]),
        ]
        for name, sweep in sweeps.items()
        for row in sweep
    ]
    return lines(
        "Nanoseconds per step as one of n, d and the non-zeros grows",
        ["growing", "n", "d", "nnz", "ns per step", "per non-zero"],
        rows,
    )


def beginnings(start, memory):
    first = lines(
        "Seconds to begin",
        ["", "median (quartiles)"],
        [[name, with_spread(value)] for name, value in start.items()],
    )
    if memory is None:
        return first
    return (
        first
        + "\n\n"
        + lines(
            "Peak memory of one pass beyond the data, in megabytes",
            ["", "peak", "data"],
            [
                [name, number(row["peak"]), number(row["data"])]
                for name, row in memory.items()
            ],
        )
    )
