"""The long runs of the theory's record, short: against plain solvers.

The record is made in compiled code, many snapshots a run. Here each output
comes from a run of its own of the dense rung, or is summed up step by step.
"""

import numpy as np
import pytest
from scipy import stats

from pegasos_edu import draw_order, objective, optimum
from pegasos_edu.experiments import theory
from pegasos_edu.problem.data import digits_zero, noisy_halfspace
from pegasos_edu.solvers import dense


def wrong_share(w, X, y):
    return sum(label * (w @ x) <= 0.0 for x, label in zip(X, y)) / len(y)


def test_the_steps_are_spread_evenly():
    assert theory.steps_between(10, 1000, 3) == [10, 100, 1000]
    assert theory.steps_between(1, 4, 9) == [1, 2, 3, 4]


def test_coverage_counts_and_limits():
    found = theory.coverage(T=20, runs=100)
    promised = found["theorem 3"]["0.01"]["promised"]
    assert promised == 0.01 and found["pegasos"]["runs"] == 100
    assert found["pegasos"]["promised"] == pytest.approx(0.05)
    for kept in (*found["theorem 3"].values(), found["pegasos"]):
        # Clopper and Pearson's limit, which SciPy has, too.
        test = stats.binomtest(kept["failures"], 100, alternative="less")
        level = stats.beta.cdf(
            kept["upper"], kept["failures"] + 1, 100 - kept["failures"]
        )
        limit = test.proportion_ci(level).high
        assert kept["upper"] == pytest.approx(limit)
        assert level >= 0.95


def test_gaps_of_four_outputs():
    """Each output at each step from a run of its own."""
    T, runs = 24, 2
    found = theory.rates(T=T, runs=runs)
    X, y = digits_zero()
    lowest = optimum(X, y, 0.1).primal
    gaps = {name: [] for name in found["gaps"]}
    for seed in range(runs):
        order = draw_order(len(y), T, seed=seed)
        iterates = [np.zeros(X.shape[1])] + [
            dense.pegasos(X, y, 0.1, order=order[:t]).last for t in range(1, T)
        ]
        each = [objective(w, X, y, 0.1) - lowest for w in iterates]
        for t in found["steps"]:
            whole = dense.pegasos(X, y, 0.1, order=order[:t])
            half = dense.pegasos(
                X, y, 0.1, order=order[:t], average_from=t // 2 + 1
            )
            outputs = [whole.last, whole.average, half.average]
            for name, w in zip(gaps, outputs):
                gaps[name].append(objective(w, X, y, 0.1) - lowest)
            gaps["random"].append(np.mean(each[:t]))
    for name, each in gaps.items():
        mean = np.reshape(each, (runs, -1)).mean(axis=0)
        np.testing.assert_allclose(found["gaps"][name], mean, atol=1e-8)
        late = np.reshape(each, (runs, -1))[:, -len(found["late steps"]) :]
        np.testing.assert_allclose(found["late gaps"][name], late, atol=1e-8)
    assert found["late steps"][-1] == T


def test_label_noise_on_new_examples():
    found = theory.label_noise(
        lam=0.1, d=2, runs=2, sizes=(40,), T=200, fresh=300
    )
    X_new, y_new = noisy_halfspace(300, 2, seed=10_000)
    lowest = optimum(X_new, y_new, 0.1, tol=1e-9).primal
    gaps, wrong = [], []
    for seed in range(2):
        X, y = noisy_halfspace(40, 2, seed=seed)
        w = dense.pegasos(X, y, 0.1, T=200, seed=seed).average
        gaps.append(objective(w, X_new, y_new, 0.1) - lowest)
        wrong.append(wrong_share(w, X_new, y_new))
    kept = found["40"]
    assert kept["new gap"][-1] == pytest.approx(np.mean(gaps), abs=1e-4)
    assert kept["new error"][-1] == pytest.approx(np.mean(wrong))
    assert min(kept["training gap"]) > 0.0
    last = np.array(kept["every gap"])[:, -1]
    np.testing.assert_allclose(last, gaps, atol=1e-4)
    last = np.array(kept["every error"])[:, -1]
    np.testing.assert_allclose(last, wrong, rtol=1e-12)


def test_errors_after_a_hundred_steps():
    found = theory.hundred_steps(n=30, runs=2, T=150, fresh=100)["errors"]
    X_new, y_new = noisy_halfspace(100, 2, seed=10_000)
    wrong = np.empty((2, 2))
    for seed in range(2):
        X, y = noisy_halfspace(30, 2, seed=seed)
        for place, T in enumerate((100, 150)):
            order = draw_order(30, 150, seed=seed)[:T]
            w = dense.pegasos(X, y, 0.1, order=order).average
            wrong[seed, place] = wrong_share(w, X_new, y_new)
    mean, half = found["one cloud, d = 2"]["0.1"]
    np.testing.assert_allclose(mean, wrong.mean(axis=0))
    # Student's quantile with one degree of freedom: tan(0.475 π).
    spread = np.abs(wrong[0] - wrong[1]) / 2.0
    np.testing.assert_allclose(half, np.tan(0.475 * np.pi) * spread)


def test_noisy_clouds_lie_where_they_should():
    n, distance = 40_000, 2.0
    X, y = theory.noisy_clouds(n, 3, seed=0, distance=distance, noise=0.1)
    side = np.tile([1.0, -1.0], n // 2)
    five = 5.0 / np.sqrt(n)  # standard errors
    centre = (X * side[:, None]).mean(axis=0)
    np.testing.assert_allclose(centre, distance / np.sqrt(3), atol=five)
    assert abs(np.mean(y != side) - 0.1) < 0.3 * five


def test_regret_is_summed_up():
    T, lam = 120, 0.1
    found = theory.step_rules(lam=lam, T=T, runs=1)
    X, y = digits_zero()
    order = draw_order(len(y), T, seed=0)
    u = optimum(X, y, lam).w
    steps = dict(radius=1.0 / np.sqrt(lam), snapshots=range(1, T + 1))
    run = dense.pegasos(X, y, lam, order=order, **steps)
    W = np.vstack([np.zeros(X.shape[1]), run.iterates])

    def paid(w, i):
        return lam / 2.0 * (w @ w) + max(0.0, 1.0 - y[i] * (w @ X[i]))

    total = sum(
        paid(W[t], i) - paid(u, i) for t, i in enumerate(order.ravel())
    )
    assert found["1/(lam t)"][-1] == pytest.approx(total, abs=1e-6)
    every = found["every regret"]
    assert len(every) == 4
    assert all(every[rule][0] == found[rule] for rule in every)


def test_steps_needed_on_sets_of_two_sizes():
    found = theory.set_size(lam=0.1, d=2, runs=2, sizes=(20, 50))
    for n, needed in zip(found["sizes"], found["steps needed"]):
        for seed, steps in enumerate(needed):
            X, y = noisy_halfspace(n, 2, seed=seed)
            order = draw_order(n, 30_000, seed=seed)[:steps]
            w = dense.pegasos(X, y, 0.1, order=order).average
            gap = objective(w, X, y, 0.1) - optimum(X, y, 0.1).dual
            assert 300 <= steps < 1000 and gap <= 0.1 + 1e-4


def test_times_by_nonzeros_have_a_row_each():
    found = theory.nonzeros(n=20, d=50, T=100, rounds=3, counts=(1, 5))
    assert np.shape(found["seconds"]) == (2, 3)
    assert np.min(found["seconds"]) >= 0.0
    X = theory.sparse_rows(20, 50, 5)
    assert X.shape == (20, 50)
    assert {len(set(row.indices)) for row in X} == {5}


def test_more_data_chooses_lam_and_waits_for_the_target():
    found = theory.more_data(
        d=2,
        runs=2,
        tuning=2,
        targets=(0.4, 0.0),
        sizes=(50,),
        lams=(1.0, 0.1),
        T=600,
        fresh=200,
    )
    # With 10 % of the labels flipped nobody makes no mistake.
    assert found["reached"]["0.0"] == [{"lam": None, "steps": []}]
    [kept] = found["reached"]["0.4"]
    assert kept["lam"] in (1.0, 0.1) and len(kept["steps"]) == 2
    X_new, y_new = noisy_halfspace(200, 2, seed=10_000)
    for seed, steps in enumerate(kept["steps"], start=2):
        X, y = noisy_halfspace(50, 2, seed=seed)
        order = draw_order(50, 600, seed=seed)[:steps]
        w = dense.pegasos(X, y, kept["lam"], order=order).average
        assert wrong_share(w, X_new, y_new) <= 0.4


def test_the_command_runs_all_parts(monkeypatch, capsys):
    def third():
        return {"value": 1.0 / 3.0}

    monkeypatch.setattr(theory, "PARTS", (third,))
    found = theory.run(None)
    assert found["third"] == {"value": 0.333333}
    assert found["command"] == "python -m pegasos_edu.experiments theory"
    assert "numpy" in found["versions"]
    assert capsys.readouterr().err.startswith("third: ")
