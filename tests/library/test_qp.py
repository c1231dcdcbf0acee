"""The quadratic program: written down right, solved by stock solvers."""

import numpy as np
import pytest

from pegasos_edu.certificate.gap import weights_from
from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.certificate.qp import (
    slack_program,
    solve_dual,
    solve_slack,
)
from pegasos_edu.experiments import qp
from pegasos_edu.problem.objective import objective
from pegasos_edu.recorded import recorded
from tests.library.problems import random_problem


def test_the_program_is_the_objective_at_the_least_slack():
    X, y = random_problem(seed=3)
    program = slack_program(X, y, 0.3)
    rng = np.random.default_rng(0)
    for w in rng.normal(scale=3.0, size=(50, 6)):
        slack = np.maximum(0.0, 1.0 - y * (X @ w))
        v = np.concatenate([w, slack])
        value = 0.5 * v @ (program.P @ v) + program.q @ v
        assert value == pytest.approx(objective(w, X, y, 0.3))
        assert (program.A @ v - program.b >= -1e-12).all()
        i = int(rng.integers(len(y)))  # any less breaks a constraint
        v[6 + i] -= 1e-6
        assert (program.A @ v - program.b).min() < -1e-7


@pytest.mark.parametrize("lam", [1.0, 0.1, 0.01])
@pytest.mark.parametrize("gram", [True, False])
def test_the_dual_is_solved(lam, gram):
    X, y = random_problem(seed=4, n=60)
    best = optimum(X, y, lam)
    found = solve_dual(X, y, lam, gram)
    assert found.gap < 1e-5
    assert found.primal == pytest.approx(best.primal, rel=1e-5)
    np.testing.assert_allclose(found.w, weights_from(found.alpha, X, y, lam))


@pytest.mark.parametrize("lam", [1.0, 0.1])
def test_the_slack_form_is_solved_with_its_multipliers(lam):
    X, y = random_problem(seed=4, n=60)
    best = optimum(X, y, lam)
    found = solve_slack(X, y, lam)
    assert found.primal == pytest.approx(best.primal, rel=1e-4)
    assert 0.0 <= found.gap < 1e-3  # α, read off the solver, certifies w
    np.testing.assert_allclose(found.w, best.w, atol=0.02)


@pytest.mark.parametrize("solve", [slack_program, solve_dual, solve_slack])
def test_bad_input_is_named(solve):
    with pytest.raises(ValueError, match="lam is -1"):
        solve([[2.0], [-1.0]], [1, -1], -1)
    with pytest.raises(ValueError, match="y has 3 labels"):
        solve([[2.0], [-1.0]], [1, -1, 1], 0.1)


def test_the_timed_experiment_reaches_its_goal():
    setup = {
        **qp.SETUP,
        "sizes": {name: [60] for name in qp.SETUP["sizes"]},
    }
    small = qp.measure([0], setup)["times"]
    kept = recorded("qp")
    assert set(small) == set(kept["times"]) == set(qp.WAYS)
    for result in (small, kept["times"]):
        for rows in result.values():
            for row in rows:
                assert 0.0 <= row["gap"] <= qp.SETUP["epsilon"]
                assert row["seconds"] == pytest.approx(
                    np.median(row["each seconds"]), rel=1e-2
                )
                assert min(row["each seconds"]) > 0.0
    assert kept["setup"] == {**qp.SETUP, "seeds": kept["setup"]["seeds"]}
