"""python -m tests.benchmarks --data DIR: measure, print, keep.

DIR holds mnist.npz and a9a.gz; the two large sets are made up. About ten
minutes on one core. Without --out nothing is kept.
"""

import argparse
import json
import time
from pathlib import Path

from pegasos_edu.experiments import load, shortened
from pegasos_edu.experiments.__main__ import as_text
from tests.benchmarks import sets, start, targets
from tests.benchmarks.growth import growth
from tests.benchmarks.passes import ladder, one_pass
from tests.benchmarks.setting import setting
from tests.benchmarks.table import tables
from tests.benchmarks.timing import pin_to_one_core

LAMS = (1e-4, 1e-5)


def measure(folder, small):
    """Every measurement, as nested dicts."""
    scale = 100 if small else 1
    data = {
        "a9a": sets.a9a(folder),
        "MNIST": sets.mnist(folder),
        "cov1-like": sets.cov1_like(581_012 // scale),
        "text-like": sets.text_like(800_000 // scale),
    }
    result = {
        "sets": {name: facts(*xy) for name, xy in data.items()},
        "start": start.beginnings(),
        "memory": start.memory(),
        "growth": growth(),
        "ladder": {name: ladder(*data[name]) for name in ("a9a", "MNIST")},
        "pass": {name: one_pass(*xy) for name, xy in data.items()},
        "log targets": {},
        "ablation": {},
    }
    for name, xy in data.items():
        for lam in LAMS:
            say(f"{name}, λ = {lam:g}")
            label = f"{name}, {lam:g}"
            minimum = targets.hinge_minimum(*xy, lam)
            result["ablation"][label] = targets.race(
                *xy,
                lam,
                targets.ablation(),
                minimum,
                targets=(1e-2,),
                most_seconds=2.0,
            )
    for name in ("a9a", "MNIST", "cov1-like"):
        result["log targets"][f"{name}, 0.0001"] = targets.race(
            *data[name],
            1e-4,
            targets.LOG_FIELD,
            targets.log_minimum(*data[name], 1e-4),
            loss="log",
        )
    return result


def facts(X, y):
    return {
        "n": X.shape[0],
        "d": X.shape[1],
        "nnz_per_row": X.nnz / X.shape[0],
        "positive": float((y > 0).mean()),
    }


def say(text):
    print(f"[benchmarks] {text}", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("--data", required=True, metavar="DIR", type=Path)
    parser.add_argument(
        "--out", metavar="FILE", type=Path, help="keep the result here as JSON"
    )
    parser.add_argument(
        "--small",
        action="store_true",
        help="large sets a hundredth of their size",
    )
    parser.add_argument(
        "--show", action="store_true", help="only print the tables of FILE"
    )
    options = parser.parse_args()
    if options.show and not options.out:
        parser.error("--show needs --out FILE")
    for name in ("a9a.gz", "mnist.npz"):
        if not options.show and not (options.data / name).exists():
            parser.exit(2, f"There is no {name} in {options.data}.\n")
    if options.show:
        print(tables(json.loads(options.out.read_text("utf-8"))))
        return
    pin_to_one_core()
    begin, before = time.perf_counter(), load()
    result = measure(options.data, options.small)
    took = round(time.perf_counter() - begin)
    result = shortened(
        {
            "setting": setting(
                "python -m tests.benchmarks --data DIR",
                seconds=took,
                load_average=[before, load()],
            ),
            **result,
        },
        digits=4,
    )
    if options.out:
        options.out.write_text(as_text(result), "utf-8")
    print(tables(result))


if __name__ == "__main__":
    main()
