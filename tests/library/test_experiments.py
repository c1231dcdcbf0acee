"""The recorded experiments: the code runs, and the record has its shape."""

import gzip
import json
import subprocess
import sys
from importlib import resources

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from pegasos_edu.experiments import (
    chor,
    interval,
    machines,
    mnist,
    sizes,
    theory,
    tuned,
)
from pegasos_edu.experiments.__main__ import as_text, main
from pegasos_edu.problem.data import digits_zero, noisy_halfspace
from pegasos_edu.problem.objective import objective
from pegasos_edu.recorded import made_by, recorded
from pegasos_edu.solvers import dense
from pegasos_edu.solvers.orders import draw_order

SMALL = {
    **mnist.SETUP,
    "n_train": 300,
    "n_test": 100,
    "radius": 2.0,
    "T_online": 200,
    "T_offline": 10,
    "every": 50,
    "T_long": 1000,
    "timed": 1,
    "repeats": 1,
    "lam": 0.1,
    "lams": [0.1, 1.0],
}


@pytest.fixture(scope="module")
def small():
    """The experiment on a few of the small digits."""
    X, y = digits_zero()
    parts = X[:300], y[:300], X[300:400], y[300:400]
    return mnist.measure(parts, [0, 1], SMALL)


@pytest.fixture(scope="module")
def kept():
    return recorded("mnist")


@pytest.fixture(scope="module")
def small_courses():
    """Chor's figures on the same few digits."""
    X, y = digits_zero()
    parts = X[:300], y[:300], X[300:400], y[300:400]
    return chor.measure(parts, [0, 1], SMALL)


@pytest.fixture(scope="module")
def kept_courses():
    return recorded("chor")


def shape(value):
    """The keys and list lengths of a result, without its numbers."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [shape(value[0])]
    return type(value).__name__ if isinstance(value, list) else "number"


@pytest.mark.slow
def test_the_record_has_the_shape_that_the_code_makes(small, kept):
    assert set(kept) == {"command", "versions", *small}
    for part in small:
        assert shape(kept[part]) == shape(small[part])


@pytest.mark.slow
def test_no_method_is_below_the_certified_optimum(small, kept):
    """And none that stays in the ball is below the optimum on the ball."""
    for result in (small, kept):
        for row in result["lams"]:
            free = row["optimum"]["cost"] * (1 - 1e-5)
            ball = row["optimum_l1"]["cost"] * (1 - 2e-5)
            assert free <= ball * (1 + 4e-5)
            for name, found in row["methods"].items():
                outside = name.endswith(("ℓ2", "free")) or name == "GD"
                least = free if outside else ball
                assert found["cost"][0] >= least
                assert found["average_cost"][0] >= least
            assert row["long"]["cost"][0] >= free


@pytest.mark.slow
def test_every_record_is_certified(small, kept):
    for result in (small, kept):
        for row in result["lams"]:
            assert row["optimum"]["gap"] <= 1e-8
            assert row["optimum_l1"]["gap"] <= 1e-5
            radius = result["setup"]["radius"]
            assert row["optimum_l1"]["norm1"] <= radius * (1 + 1e-5)


def test_the_curves_end_where_the_table_stands(small, kept):
    for result in (small, kept):
        setup = result["setup"]
        [row] = [r for r in result["lams"] if r["lam"] == setup["lam"]]
        for name, curve in result["curves"].items():
            T = setup["T_offline" if name in mnist.OFFLINE else "T_online"]
            table = row["methods"][name]
            for key in ("cost", "accuracy"):
                mean, half = curve[key]
                assert len(mean) == len(half) == T // curve["every"]
                assert mean[-1] == pytest.approx(table[key][0], rel=1e-3)
                assert half[-1] == pytest.approx(
                    table[key][1], rel=1e-3, abs=1e-12
                )
        ends = np.array(result["curves"]["SGD"]["minus Pegasos"])[:, -1]
        table = row["methods"]["SGD"]["minus Pegasos"]["cost"]
        np.testing.assert_allclose(ends, table, rtol=1e-3)


def test_only_what_draws_has_an_interval(small, kept):
    for result in (small, kept):
        for row in result["lams"]:
            for name, found in row["methods"].items():
                _, half = found["cost"]
                assert (half == 0.0) == (name in mnist.OFFLINE)
    assert len(kept["setup"]["seeds"]) >= 30


def test_an_interval_is_students():
    """By hand: 1, 2, 3, 4 has a standard error of √(5/12)."""
    mean, half = interval([1.0, 2.0, 3.0, 4.0])
    assert mean == 2.5
    assert half == pytest.approx(3.182446 * np.sqrt(5 / 12), rel=1e-6)
    both = interval(np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 0.0]]))
    np.testing.assert_allclose(both, [[2.5, 0.0], [half, 0.0]])
    assert interval([7.0]) == [7.0, 0.0]


def test_counts_are_what_a_solver_written_out_would_count(small):
    """Pegasos on the l1-ball, stepped by hand with SciPy's rules."""
    X, y = digits_zero()
    X, y = X[:300], y[:300]
    violations, projected = [0, 0], [0, 0]
    for seed in (0, 1):
        w = np.zeros(64)
        order = mnist.draw_order(300, 200, seed=seed)
        for t, i in enumerate(order, start=1):
            violates = y[i] * (X[i] @ w) < 1
            w = (1 - 1 / t) * w + violates * y[i] * X[i] / (0.1 * t)
            violations[seed] += violates
            if np.abs(w).sum() > 2.0:
                projected[seed] += 1
                low, high = 0.0, np.abs(w).max()
                for _ in range(200):  # bisect the threshold
                    theta = (low + high) / 2
                    left = np.maximum(np.abs(w) - theta, 0.0).sum()
                    low, high = (theta, high) if left > 2.0 else (low, theta)
                w = np.sign(w) * np.maximum(np.abs(w) - theta, 0.0)
    found = small["lams"][0]["methods"]["Pegasos"]
    for key, counts in (("violations", violations), ("projected", projected)):
        assert found[key][0] == pytest.approx(np.mean(counts) / 200)


@pytest.mark.parametrize(("name", "most"), [("mnist", 60), ("chor", 120)])
def test_the_record_is_small_and_names_no_machine(name, most):
    folder = resources.files("pegasos_edu.recorded")
    text = (folder / f"{name}.json").read_text("utf-8")
    assert len(text.encode()) < 1000 * most
    assert "/" not in json.loads(text)["command"]
    assert text == as_text(json.loads(text))


def test_the_courses_have_the_shape_that_the_code_makes(
    small_courses, kept_courses
):
    assert set(kept_courses) == {"command", "versions", *small_courses}
    for part in small_courses:
        assert shape(kept_courses[part]) == shape(small_courses[part])


def test_the_courses_end_where_the_table_of_mnist_stands(
    small, kept, small_courses, kept_courses
):
    """Two programs, one run, of the same seeds."""
    for table, courses in ((small, small_courses), (kept, kept_courses)):
        assert table["setup"]["seeds"] == courses["setup"]["seeds"]
        main = table["setup"]["lam"]
        for row, by_lam in zip(table["lams"], courses["lams"], strict=True):
            assert row["lam"] == by_lam["lam"]
            found = {name: by_lam[name] for name in ("SGD", "Pegasos")}
            if row["lam"] == main:
                found |= courses["methods"]
            for name, course in found.items():
                for output, prefix in (
                    ("iterates", ""),
                    ("averages", "average_"),
                ):
                    for key in ("cost", "accuracy"):
                        ends = course[output][key]["ends"]
                        mean, half = row["methods"][name][prefix + key]
                        assert np.mean(ends) == pytest.approx(mean, rel=1e-3)
                        if len(ends) > 2:
                            found_half = interval(ends)[1]
                            assert found_half == pytest.approx(
                                half, rel=2e-2, abs=1e-4
                            )


def test_a_course_is_what_the_solver_of_the_book_does(small_courses):
    """Pegasos without a ball, by the dense rung, judged anew."""
    X, y = digits_zero()
    lam = 0.1
    free = small_courses["lams"][0]["pixels"]["divided"]
    costs, right = [], []
    for seed in (0, 1):
        run = dense.pegasos(
            X[:300],
            y[:300],
            lam,
            order=mnist.draw_order(300, 200, seed=seed),
            snapshots=free["steps"],
        )
        margins = y[:300, None] * (X[:300] @ run.averages.T)
        losses = np.maximum(0.0, 1.0 - margins).mean(axis=0)
        costs.append(lam / 2 * (run.averages**2).sum(axis=1) + losses)
        scores = y[300:400, None] * (X[300:400] @ run.averages.T)
        right.append((scores > 0).mean(axis=0))
    found = free["averages"]
    np.testing.assert_allclose(
        found["cost"]["median"], np.mean(costs, axis=0), rtol=1e-3
    )
    np.testing.assert_allclose(
        found["accuracy"]["median"], np.mean(right, axis=0), rtol=1e-3
    )


def test_raw_pixels_are_another_unit_and_another_lambda(
    small_courses, kept_courses
):
    """With λ times 255² the runs are the same, with λ they are not."""
    for result in (small_courses, kept_courses):
        for row in result["lams"]:
            found = row["pixels"]
            for output in chor.OUTPUTS:
                for key in ("cost", "accuracy"):
                    np.testing.assert_allclose(
                        found["divided"][output][key]["ends"],
                        found["raw, λ times 255²"][output][key]["ends"],
                        rtol=1e-3,
                    )
                assert not np.allclose(
                    found["divided"][output]["cost"]["ends"],
                    found["raw"][output]["cost"]["ends"],
                    rtol=1e-1,
                )


def test_pairs_are_counted(small_courses, kept_courses):
    """The last count is that of the ends, up to ties of rounded costs."""
    for result in (small_courses, kept_courses):
        for row in result["lams"]:
            for output in chor.OUTPUTS:
                one, other = (
                    np.array(row[name][output]["cost"]["ends"])
                    for name in ("Pegasos", "SGD")
                )
                count = row["below"][output][-1]
                assert (one < other).sum() <= count <= (one <= other).sum()


def test_no_course_ends_below_the_certified_optimum(kept, kept_courses):
    for row, by_lam in zip(kept["lams"], kept_courses["lams"], strict=True):
        least = row["optimum_l1"]["cost"]
        for name in ("SGD", "Pegasos"):
            for output in chor.OUTPUTS:
                ends = by_lam[name][output]["cost"]["ends"]
                assert min(ends) >= least * (1 - 1e-3)


def test_split_takes_the_first_rows_of_each_part():
    X = np.arange(8, dtype=np.uint8).reshape(8, 1) * 10
    y = np.array([0, 1, 0, 2, 3, 0, 1, 0])
    parts = mnist.split(X, y, n_train=2, n_test=2, first_test=5)
    X_train, y_train, X_test, y_test = parts
    np.testing.assert_array_equal(X_train[:, 0] * 255, [0, 10])
    np.testing.assert_array_equal(y_train, [-1, 1])
    np.testing.assert_allclose(X_test[:, 0] * 255, [50, 60])
    np.testing.assert_array_equal(y_test, [-1, 1])


def test_too_few_digits_are_named():
    with pytest.raises(ValueError, match="holds 3 digits; expected at least"):
        mnist.split(np.zeros((3, 4)), np.arange(3), 2, 2)


@pytest.mark.processes
def test_the_command_runs_on_a_file(tmp_path, monkeypatch):
    """The same command as for MNIST, on digits in a file of that form."""
    X, y = digits_zero()
    grey = (X * 255).astype(np.uint8)
    np.savez(tmp_path / "mnist.npz", X=grey, y=np.where(y < 0, 0, 1))
    monkeypatch.setattr(mnist, "SETUP", SMALL)
    monkeypatch.setattr(mnist.split, "__defaults__", (1000,))
    out = tmp_path / "out.json"
    main(["mnist", "--data", str(tmp_path), "--seeds", "1", "--out", str(out)])
    result = json.loads(out.read_text("utf-8"))
    assert result["setup"]["seeds"] == [0]
    assert set(result["lams"][0]["methods"]) >= {"SGD", "Pegasos", "SEG±"}
    main(["chor", "--data", str(tmp_path), "--seeds", "1", "--out", str(out)])
    result = json.loads(out.read_text("utf-8"))
    assert result["command"].endswith("chor --data DIR --seeds 1")
    assert tuple(result["methods"]) == chor.METHODS


def test_fetched_digits_are_kept_in_the_folder(tmp_path, monkeypatch):
    """OpenML hands out floats and labels as text."""

    def fetch(name, **options):
        assert name == "mnist_784"
        return np.array([[0.0, 255.0]]), np.array(["7"], dtype=object)

    monkeypatch.setattr(mnist, "fetch_openml", fetch)
    X, y = mnist.load(tmp_path / "new", fetch=True)
    assert (X.tolist(), y.tolist()) == ([[0, 255]], [7])
    monkeypatch.undo()
    again, _ = mnist.load(tmp_path / "new")
    np.testing.assert_array_equal(again, X)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no mnist.npz in"):
        mnist.load(tmp_path)


@pytest.mark.parametrize(
    "error",
    [
        ModuleNotFoundError("No module named 'numba'", name="numba"),
        ModuleNotFoundError(
            "Dask is not installed; expected pip install -e x"
        ),
    ],
)
def test_a_missing_library_is_said_in_one_sentence(error, monkeypatch, capsys):
    def run(options):
        raise error

    monkeypatch.setattr(tuned, "run", run)
    with pytest.raises(SystemExit) as ended:
        main(["tuned", "--data", "none"])
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert said.startswith(str(error)) and said.count("\n") == 1
    assert "pip install -e" in said


@pytest.mark.processes
def test_help_names_the_experiment():
    done = subprocess.run(
        [sys.executable, "-m", "pegasos_edu.experiments", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Chor's comparison" in done.stdout


# Seconds against the number of examples

FEW = {
    **sizes.SETUP,
    "d": 8,
    "T": 50,
    "sizes": [100, 400],
    "repeats": 2,
    "steps": [10, 100],
    "examples": [100, None],
}


@pytest.fixture(scope="module")
def by_size():
    X, y = digits_zero()
    parts = X[:300], y[:300], X[300:400], y[300:400]
    return sizes.measure({"a9a": parts, "MNIST": parts}, [0, 1, 2], FEW)


def test_the_record_of_sizes_has_the_shape_that_the_code_makes(by_size):
    kept = recorded("sizes")
    assert set(kept) == {"command", "versions", "load", *by_size}
    for part in by_size:
        assert shape(kept[part]) == shape(by_size[part])
    assert len(kept["growth"]) == 3 * len(kept["setup"]["sizes"])
    assert kept["setup"]["seeds"] >= 30


def test_errors_by_size_are_those_of_the_solver(by_size):
    """The last error again, from the dense solver."""
    X, y = digits_zero()
    mixed = np.random.default_rng(0).permutation(300)
    wrong = []
    for seed in range(3):
        run = sizes.dense.pegasos(
            X[mixed],
            y[mixed],
            1e-3,
            order=sizes.draw_order(300, 100, seed=seed),
        )
        wrong.append(np.mean(y[300:400] * (X[300:400] @ run.average) <= 0))
    found = by_size["real"]["MNIST"]["runs"][-1]
    assert found["n"] == 300
    assert found["error"][-1] == pytest.approx(np.mean(wrong), abs=1e-4)
    # Student's factor for three runs is 4.303.
    half = 4.303 * np.std(wrong, ddof=1) / np.sqrt(3)
    assert found["half"][-1] == pytest.approx(half, abs=1e-4)


def test_a9a_is_read_as_libsvm_writes_it(tmp_path):
    for name in ("a9a.gz", "a9a.t.gz"):
        with gzip.open(tmp_path / name, "wt") as file:
            file.write("-1 3:1 11:1\n+1 5:1 123:1\n")
    X, y, X_test, _ = sizes.a9a(tmp_path)
    assert X.shape == X_test.shape == (2, 123)
    assert y.tolist() == [-1, 1]
    assert np.flatnonzero(X[1]).tolist() == [4, 122]


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_run_from_a_file_larger_than_its_memory():
    found = theory.on_disk(n=400_000, d=100, T=2000, extra=100 * 2**20)
    assert found["file bytes"] > 1.5 * found["bytes allowed on top"]
    assert not found["whole file fits"]
    assert 0.0 < found["test error"] < 0.25


def test_the_record_of_the_theory_keeps_every_run_of_what_is_tested():
    kept = recorded("theory")
    runs = [
        *(
            len(kept["label_noise"][n][name])
            for n in ("100", "1000", "10000", "100000")
            for name in ("every gap", "every error")
        ),
        *map(len, kept["step_rules"]["every regret"].values()),
        *map(len, kept["rates"]["late gaps"].values()),
        *map(len, kept["set_size"]["steps needed"]),
        *map(len, kept["nonzeros"]["seconds"]),
    ]
    runs += [kept[part]["runs"] for part in ("hundred_steps", "decomposition")]
    for rows in kept["more_data"]["reached"].values():
        runs += [len(row["steps"]) for row in rows if row["lam"]]
    assert min(runs) >= 30


def test_the_estimation_error_falls_with_the_sample():
    found = theory.decomposition(d=5, T=100, runs=5, sizes=(50, 500))
    assert found["sizes"] == [50, 500]
    mean, half = found["estimation"]
    assert mean[0] > 3.0 * mean[1] > 0.0
    assert half[0] > half[1]
    assert len(found["optimisation"][0]) == 2


def test_the_first_step_is_found_or_none():
    assert theory.first([10, 20, 30], np.array([False, True, True])) == 20
    assert theory.first([10, 20], np.array([False, False])) is None


RECORDS = sorted(
    file.name.removesuffix(".json")
    for file in resources.files("pegasos_edu.recorded").iterdir()
    if file.name.endswith(".json")
)


def test_a_record_that_there_is_not():
    expected = f"name is 'mnst'; expected one of {', '.join(RECORDS)}"
    with pytest.raises(FileNotFoundError, match=expected):
        recorded("mnst")


@pytest.mark.parametrize("name", RECORDS)
def test_every_record_names_its_command(name):
    text = made_by(name)
    assert text.startswith("recorded by: python -m ")
    assert ".json" not in text


def test_the_best_factor_is_the_one_with_the_least_training_cost():
    """Written out again for one method, by the chapter's own solver."""
    X, y = digits_zero()
    parts = X[:300], y[:300], X[300:400], y[300:400]
    setup = {
        **SMALL,
        "grid": [0.01, 0.1, 1.0, 10.0],
        "tuning seeds": [7, 8],
        "T_online": 100,
    }
    found = tuned.measure(parts, [0, 1], setup)["methods"]
    assert list(found) == list(tuned.METHODS)

    def cost(c, seed):
        order = draw_order(300, 100, seed=seed)
        return objective(
            dense.pegasos(
                *parts[:2],
                0.1,
                order=order,
                radius=0.1**-0.5,
                step=lambda t: c / (0.1 * t),
            ).last,
            *parts[:2],
            0.1,
        )

    tried = [np.mean([cost(c, s) for s in (7, 8)]) for c in setup["grid"]]
    ours = found["Pegasos, ℓ2"]
    np.testing.assert_allclose(ours["tried"], tried, rtol=1e-4)
    best = setup["grid"][int(np.argmin(tried))]
    assert ours["factor"] == best
    ends = interval([cost(best, 0), cost(best, 1)])
    np.testing.assert_allclose(ours["cost"], ends, rtol=1e-3)
    assert found["Pegasos"]["minus Pegasos"]["cost"] == [0.0, 0.0]


def test_the_record_of_tuned_methods_is_that_of_its_setup():
    kept = recorded("tuned")
    setup = kept["setup"]
    assert {key: setup[key] for key in tuned.SETUP} == tuned.SETUP
    assert len(setup["seeds"]) >= 30
    assert set(setup["seeds"]).isdisjoint(setup["tuning seeds"])
    for name, row in kept["methods"].items():
        grid = setup["grid"]
        assert row["factor"] == grid[int(np.argmin(row["tried"]))], name


# Many machines

FEW_MACHINES = {
    **machines.SETUP,
    "n": 240,
    "d": 3,
    "machines": [2, 4],
    "population": 500,
    "rows": 6,
    "rounds": 2,
    "repeats": 2,
    "grid": [[1, 2, 5, 1], [2, 3, 200, 4]],
}


@pytest.fixture(scope="module")
def on_machines():
    return machines.measure(range(3), FEW_MACHINES)


@pytest.mark.slow
def test_the_record_of_machines_has_the_shape_that_the_code_makes(
    on_machines,
):
    kept = recorded("machines")
    assert set(kept) == set(on_machines)
    for part in ("setup", "correction", "rounds"):
        assert shape(kept[part]) == shape(on_machines[part])
    assert kept["setup"] == machines.SETUP and kept["seeds"] >= 30
    grid = [
        [row[k] for k in ("workers", "shards", "d", "steps")]
        for row in kept["rounds"]
    ]
    assert grid == machines.SETUP["grid"]
    for row in kept["rounds"] + on_machines["rounds"]:
        low, high = row["quartiles"]
        assert 0 < low <= row["seconds"] <= high


@pytest.mark.slow
def test_the_corrected_average_is_that_of_the_paper(on_machines):
    """One data set again, by scikit-learn's solver of the same problem."""
    X, y = noisy_halfspace(240, 3, seed=1)
    lam, r = machines.SETUP["lam"], machines.SETUP["share"]

    def solved(rows):
        model = LogisticRegression(
            C=1.0 / (lam * len(rows)), fit_intercept=False, tol=1e-10
        )
        return model.fit(X[rows], y[rows]).coef_[0]

    rng = np.random.default_rng(1)
    parts = np.split(np.arange(240), 4)
    few = [rng.choice(rows, 30, replace=False) for rows in parts]
    average = np.mean([solved(rows) for rows in parts], axis=0)
    fewer = np.mean([solved(rows) for rows in few], axis=0)
    corrected = (average - r * fewer) / (1.0 - r)
    whole = solved(np.arange(240))
    row = on_machines["correction"]["log"][1]
    assert row["m"] == 4
    for name, w in (("average", average), ("corrected", corrected)):
        assert row[f"{name}, data"][1] == pytest.approx(
            np.linalg.norm(w - whole), rel=0.01
        )
    assert row["whole, data"] == [0.0, 0.0, 0.0]


def test_the_shards_of_a_round_are_sparse_and_of_both_labels():
    held = machines.shards([2, 3, 200, 4], FEW_MACHINES)
    assert len(held) == 3
    for X, y in held:
        assert X.shape == (6, 200) and (np.diff(X.indptr) == 100).all()
        assert X.has_canonical_format and set(y) == {-1.0, 1.0}
