"""The printed tables: goals and what was measured, set by set."""

import functools

from tests.benchmarks.timing import geometric_mean


def tables(result):
    """All tables as one text."""
    parts = [
        ladder(result["ladder"]),
        passes(result["pass"]),
        targets(result["targets"], "Hinge loss"),
        targets(result["log targets"], "Log loss"),
        speedups(result["targets"]),
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


def time_of(race, who, target):
    """Seconds to the target and True, or of the last try and False."""
    found = race["contenders"][who]
    if target in found:
        return found[target]["seconds"]["median"], True
    return found["tried"]["seconds"], False


def ratio(race, peer, target):
    """How many times longer the peer needs than the recipe.

    Returns the ratio and "", ">" if the peer never got there, "<" if the
    recipe did not, or None if neither did. The last budget tried then
    bounds the ratio from one side.
    """
    ours, we_did = time_of(race, "recipe", target)
    theirs, they_did = time_of(race, peer, target)
    if not we_did and not they_did:
        return None
    return theirs / ours, "" if we_did and they_did else "<>"[we_did]


def best_sgd(race, target):
    """The same for the best of the three SGDClassifiers."""
    names = [
        who for who in race["contenders"] if who.startswith("SGDClassifier")
    ]
    best = min(
        names,
        key=lambda who: (
            not time_of(race, who, target)[1],
            time_of(race, who, target)[0],
        ),
    )
    return ratio(race, best, target)


def speedups(races):
    text = []
    for target in ("0.1", "0.01", "0.001"):
        table = {
            name: functools.partial(ratio, peer=name, target=target)
            for name in ("SGDClassifier", "LinearSVC", "SDCA")
        }
        table["best SGD"] = functools.partial(best_sgd, target=target)
        rows = [
            [name, *(shown(f(race)) for f in table.values())]
            for name, race in races.items()
        ]
        means = []
        for f in table.values():
            known = [f(race) for race in races.values()]
            known = [pair for pair in known if pair is not None]
            if not known:
                means.append("-")
                continue
            bounds = {sign for _, sign in known}
            sign = "~" if {"<", ">"} <= bounds else max(bounds)
            mean = geometric_mean([value for value, _ in known])
            means.append(shown((mean, sign)))
        text.append(
            lines(
                f"Time of the peer / time of the recipe, to {target}; > if "
                f"the peer never got there, < if the recipe did not, "
                f"- if neither",
                ["set", *table],
                [*rows, ["geometric mean", *means]],
            )
        )
    return "\n\n".join(text)


def shown(pair):
    return "-" if pair is None else f"{pair[1]} {pair[0]:.2f}".strip()


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
