"""python -m tests.benchmarks.curves --data DIR: gap against seconds.

DIR holds mnist.npz and a9a.gz. Each contender works on each set, with each λ
and each seed, and its distance to the optimum is noted as its seconds go by.
With --out FILE every finished pair of a set and a λ is kept there, and a
second call goes on where the first one ended. The budgets of the rivals are
powers of two and three times those: so their times are up to one and a half
of what an oracle would give them.
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier
from sklearn.svm import LinearSVC

from pegasos_edu import PegasosClassifier, minimise, objective, optimum
from pegasos_edu.certificate.approach import approach
from pegasos_edu.experiments import load, shortened
from pegasos_edu.experiments.__main__ import as_text
from pegasos_edu.solvers.ascent import ascend
from tests.benchmarks import contenders, sets
from tests.benchmarks.setting import setting
from tests.benchmarks.table import lines, number
from tests.benchmarks.timing import geometric_mean, pin_to_one_core, timed

COMMAND = "python -m tests.benchmarks.curves --data DIR"
# Name of a set: whether it is real, and what makes it out of the folder.
SETS = {
    "a9a": (True, sets.a9a),
    "MNIST": (True, sets.mnist),
    "digits": (True, lambda f: sets.digits()),
    "breast cancer": (True, lambda f: sets.breast_cancer()),
    "breast cancer, raw": (True, lambda f: sets.breast_cancer(scaled=False)),
    "docstrings": (True, lambda f: sets.docstrings()),
    "cov1-like": (False, lambda f: sets.cov1_like(100_000)),
    "text-like": (False, lambda f: sets.text_like(50_000)),
}
NEEDS = {"a9a": "a9a.gz", "MNIST": "mnist.npz"}
LAMS = (1e-3, 1e-4, 1e-5, 1e-6)
TARGETS = (1e-1, 1e-2, 1e-3)
SEEDS = 5
BUDGETS = (1, *(k for p in range(1, 15) for k in (2**p, 3 * 2 ** (p - 1))))
TOLERANCES = (10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 1e-2, 3e-3, 1e-3, 1e-4)
# Dual ascent stops at the last target, or after so many seconds. Whoever
# else races is given no more once a run took so many times what that was,
# or so many seconds if that is less; but twice the time of dual ascent is
# given always.
MOST_ASCENT, MOST_TIMES, MOST_SECONDS, LEAST_TIMES = 1.0, 5.0, 0.35, 2.0
# The passes of whoever stops by a tolerance: so many times what that allows.
MOST_PASSES = 8
# Runs shorter than this are repeated, and the least time counts: whatever
# else the machine does can only add to it.
SHORT, REPEATS = 0.03, 3
# A program with its own rule of stopping runs with fewer seeds if so many
# seconds are gone; how many it was is recorded.
MOST_ALONE = 2.0


def least(work):
    """The time of a run, the least of three if it is short; its value."""
    took, value = timed(work)
    for _ in range(REPEATS - 1):
        if took < SHORT:
            took = min(took, timed(work)[0])
    return took, value


def by_rounds(X, y, lam, seed, most):
    """Dual ascent: one run, looked at after each round."""

    def rounds():
        return ascend(X, y, lam, seed=1_000 * seed)

    run, spent = rounds(), 0.0
    others = [rounds() for _ in range(REPEATS - 1)]
    while True:  # until nobody asks for more
        took, now = timed(next, run)
        if spent < SHORT:
            took = min(took, *(timed(next, again)[0] for again in others))
        spent += took
        yield spent, now.primal


def by_tolerance(X, y, lam, seed, most):
    """What the estimator does: it stops by itself, at a certified gap."""
    for tol in (0.3, 0.1, 0.03, 1e-2, 3e-3, 1e-3):
        took, (now, _) = least(
            lambda t=tol: approach(X, y, lam, "hinge", t, 1000, seed=seed)
        )
        yield took, now.primal


def by_budget(solver, **options):
    """One run for each number of passes."""

    def points(X, y, lam, seed, most):
        for passes in BUDGETS:
            took, w = least(
                lambda p=passes: solver(X, y, lam, p, seed=seed, **options)
            )
            yield took, objective(w, X, y, lam)

    return points


def svc_by_tolerance(X, y, lam, seed, most):
    """LinearSVC, which stops by itself at one tolerance after another."""

    def run(passes, tol):
        return least(
            lambda: contenders.linear_svc(
                X, y, lam, passes, seed=seed, tol=tol
            )
        )

    # Where no tolerance stops it: several times what the limit is enough for.
    few, many = (run(passes, 1e-4)[0] for passes in (1, 17))
    passes = int(MOST_PASSES * most * 16 / max(many - few, 1e-5)) + 1
    for tol in TOLERANCES:
        took, w = run(min(passes, 200_000), tol)
        yield took, objective(w, X, y, lam)


# Everybody can be stopped at the best time, which nobody knows beforehand;
# only `minimise` can tell how near it is. The first one says how long is
# tried.
CURVES = {
    "dual ascent": by_rounds,
    "minimise": by_tolerance,
    "Pegasos, recipe": by_budget(contenders.recipe),
    "Pegasos, plain": by_budget(contenders.plain),
    "SGD": by_budget(contenders.sgd),
    "SGD, not shuffled": by_budget(contenders.sgd, shuffle=False),
    "SGD, last half": by_budget(contenders.sgd, average="half"),
    "SVC": by_budget(contenders.linear_svc),
    "SVC, by tolerance": svc_by_tolerance,
}
OURS = ["dual ascent", "minimise"]


def alone(model, scale, **options):
    """A program as it stops by itself; scale gives its word for λ."""

    def points(X, y, lam, seed):
        given = scale(lam, len(y)) | options
        own = model(fit_intercept=False, random_state=seed, **given)
        took, _ = timed(own.fit, X, y)
        yield took, objective(own.coef_[0], X, y, lam)

    return points


def as_lam(lam, n):
    return {"lam": lam}


def as_alpha(lam, n):
    return {"alpha": lam}


def as_c(lam, n):
    return {"C": 1.0 / (lam * n), "loss": "hinge"}


# What users write. Without a bias, which not all of them regularise.
ALONE = {
    "PegasosClassifier()": alone(PegasosClassifier, as_lam),
    "SGDClassifier()": alone(SGDClassifier, as_alpha),
    "SGDClassifier(average=True)": alone(
        SGDClassifier, as_alpha, average=True
    ),
    "SGDClassifier(shuffle=False)": alone(
        SGDClassifier, as_alpha, shuffle=False
    ),
    "SGDClassifier(tol=1e-5)": alone(SGDClassifier, as_alpha, tol=1e-5),
    "LinearSVC()": alone(LinearSVC, as_c),
    "LinearSVC(tol=1e-1)": alone(LinearSVC, as_c, tol=1e-1),
}


def race(X, y, lam, seeds=SEEDS):
    """Who comes how near to f* in how many seconds."""
    best = minimum(X, y, lam)
    curves, ends = {}, {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for seed in range(seeds):  # in turns: what slows one slows all
            most = MOST_ASCENT
            for name, points in CURVES.items():
                run = followed(
                    points(X, y, lam, seed, most), best.primal, most
                )
                curves.setdefault(name, []).append(run)
                if name == "dual ascent":
                    took = run[-1][0]
                    most = max(
                        min(MOST_SECONDS, MOST_TIMES * took),
                        LEAST_TIMES * took,
                    )
            for name, points in ALONE.items():
                runs = ends.setdefault(name, [])
                if sum(took for took, _ in runs) < MOST_ALONE:
                    ((took, f),) = points(X, y, lam, seed)
                    runs.append((took, f / best.primal - 1.0))
    return {
        "minimum": best.primal,
        "gap": best.gap,
        "curves": {name: summary(runs) for name, runs in curves.items()},
        "alone": {
            name: {
                "seeds": len(runs),
                "seconds": np.median([took for took, _ in runs]),
                "excess": np.median([excess for _, excess in runs]),
            }
            for name, runs in ends.items()
        },
    }


def minimum(X, y, lam):
    """f* with its gap; in rare cases no nearer than to a tenth of 1e-3."""
    try:
        return optimum(X, y, lam, tol=1e-6, max_epochs=500)
    except RuntimeError:
        return minimise(X, y, lam, tol=1e-4)


def followed(points, best, most):
    """Pairs (seconds, (f − f*)/f*), to the last target or the last second."""
    run = []
    for took, f in points:
        run.append((took, f / best - 1.0))
        if run[-1][1] <= min(TARGETS) or took > most:
            break
    return run


def summary(runs):
    """Medians over the seeds; and when each target was reached.

    A target that fewer than half of the seeds reach has no time; then
    `tried` says how long was tried.
    """
    length = sorted(map(len, runs))[len(runs) // 2]
    kept = [k - 1 for k in BUDGETS if k <= length] if length > 20 else None
    kept = kept or list(range(length))
    if length - 1 not in kept:
        kept.append(length - 1)
    at = [[run[k] for run in runs if k < len(run)] for k in kept]
    reached = {
        f"{target:g}": np.median([first(run, target) for run in runs])
        for target in TARGETS
    }
    return {
        "seconds": [np.median([took for took, _ in pairs]) for pairs in at],
        "excess": [np.median([excess for _, excess in pairs]) for pairs in at],
        "reached": {
            target: seconds if np.isfinite(seconds) else None
            for target, seconds in reached.items()
        },
        "tried": np.median([run[-1][0] for run in runs]),
    }


def first(run, target):
    """Seconds until the target; infinity if it was never reached."""
    return next((took for took, excess in run if excess <= target), np.inf)


def warm_up():
    """Let everything be imported and compiled before the clock runs."""
    X, y = sets.digits()
    for form in (np.asarray, sp.csr_matrix):
        small = form(X[:100]), y[:100], 1e-2
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for points in CURVES.values():
                next(points(*small, 0, 1.0))
            for points in ALONE.values():
                next(points(*small, 0))


def facts(real, X, y):
    stored = X.nnz if sp.issparse(X) else X.size
    return {
        "real": real,
        "n": X.shape[0],
        "d": X.shape[1],
        "sparse": bool(sp.issparse(X)),
        "numbers_per_row": stored / X.shape[0],
        "positive": float((y > 0).mean()),
    }


# The tables


def ratios(races, ours, theirs, target):
    """Their time to the target over ours, race by race.

    A pair (ratio, sign); the sign is ">" or "<" where one of the two never
    got there and the ratio is a bound, and None where neither did.
    """
    found = {}
    for label, each in races.items():
        pairs = [
            time_of(each["curves"], names, target) for names in (ours, theirs)
        ]
        (a, we), (b, they) = pairs
        sign = "" if we and they else ">" if we else "<"
        found[label] = (b / a, sign) if we or they else None
    return found


def time_of(curves, names, target):
    """Seconds of the best of these, and whether it got to the target."""
    times = [curves[name]["reached"][f"{target:g}"] for name in names]
    if any(times):
        return min(time for time in times if time), True
    return max(curves[name]["tried"] for name in names), False


SGD = [name for name in CURVES if name.startswith("SGD")]
SVC = [name for name in CURVES if name.startswith("SVC")]
RIVALS = {"SGD": ["SGD"], "best SGD": SGD, "SVC": SVC}


def tables(record):
    races, text = record["races"], []
    for target in TARGETS:
        rows = {
            who: ratios(races, OURS, names, target)
            for who, names in (
                *RIVALS.items(),
                ("recipe", ["Pegasos, recipe"]),
            )
        }
        cells = [
            [label, *(shown(row[label]) for row in rows.values())]
            for label in races
        ]
        title = f"Seconds of a rival / of the dual's, to {target:g}"
        text.append(lines(title, ["set, λ", *rows], cells))
    cells = []
    for label, each in races.items():
        mine = each["alone"]["PegasosClassifier()"]
        cells.append([label, number(1e3 * mine["seconds"])])
        cells[-1].append(f"{mine['excess']:.2%}")
        for who in ("SGDClassifier()", "LinearSVC()"):
            other = each["alone"][who]
            cells[-1].append(f"{other['seconds'] / mine['seconds']:.2f}")
            cells[-1].append(f"{other['excess']:.2%}")
    head = ["set, λ", "ours, ms", "above f*", "SGD", "", "SVC", ""]
    title = "As they stop by themselves: times ours, and above f*"
    text.append(lines(title, head, cells))
    return "\n\n".join([*text, means(races)])


def means(races):
    """Geometric means over the sets; bounds enter as values.

    Where a rival never arrived its ratio is a bound, and so is the mean.
    """
    text = []
    for target in TARGETS:
        for who, names in RIVALS.items():
            found = ratios(races, OURS, names, target).values()
            known = [pair for pair in found if pair]
            if not known:
                continue
            exact = [ratio for ratio, sign in known if not sign]
            both = geometric_mean(exact) if exact else np.nan
            mean = geometric_mean([ratio for ratio, _ in known])
            least = "at least " if len(exact) < len(known) else ""
            text.append(
                f"to {target:g}: {who} {least}{mean:.2f} "
                f"times as long, over {len(known)} of {len(races)}; "
                f"{both:.2f} over the {len(exact)} where both arrived"
            )
    return "\n".join(text)


def shown(pair):
    return "-" if pair is None else f"{pair[1]} {pair[0]:.2f}".strip()


# The command


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.curves")
    parser.add_argument("--data", required=True, metavar="DIR", type=Path)
    parser.add_argument(
        "--out", metavar="FILE", type=Path, help="keep the result, and go on"
    )
    parser.add_argument(
        "--sets", nargs="+", choices=SETS, default=list(SETS), metavar="SET"
    )
    parser.add_argument("--seeds", type=int, default=SEEDS)
    options = parser.parse_args()
    for name in options.sets:
        file = NEEDS.get(name)
        if file and not (options.data / file).exists():
            parser.exit(2, f"There is no {file} in {options.data}.\n")
    record = begun(options.out)
    pin_to_one_core()
    warm_up()
    for name in options.sets:
        labels = {lam: f"{name}, {lam:g}" for lam in LAMS}
        if all(label in record["races"] for label in labels.values()):
            continue
        real, make = SETS[name]
        X, y = make(options.data)
        record["sets"][name] = facts(real, X, y)
        for lam, label in labels.items():
            if label in record["races"]:
                continue
            start, before = time.perf_counter(), load()
            found = race(X, y, lam, options.seeds)
            took = time.perf_counter() - start
            found |= {"took": took, "load": [before, load()]}
            record["races"][label] = found
            print(f"[curves] {label}: {took:.0f} s", flush=True)
            keep(record, options.out)
    print(tables(record))


def begun(file):
    """What FILE holds, if it was made here; else nothing yet."""
    fresh = {"setting": setting(COMMAND), "sets": {}, "races": {}}
    if file is None or not file.exists():
        return fresh
    record = json.loads(file.read_text("utf-8"))
    for what in ("versions", "processor"):
        if record["setting"][what] != fresh["setting"][what]:
            raise SystemExit(
                f"{file} was made with {what} = {record['setting'][what]}; "
                f"expected {fresh['setting'][what]}, or another file."
            )
    return record


def keep(record, file):
    races = record["races"].values()
    record["setting"] |= {"seconds": sum(each["took"] for each in races)}
    if file:
        file.write_text(as_text(shortened(record)), "utf-8")


if __name__ == "__main__":
    main()
