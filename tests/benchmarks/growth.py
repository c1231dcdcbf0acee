"""How the cost of a step grows with n, d and the non-zeros."""

from pegasos_edu.solvers import dense
from tests.benchmarks.passes import marginal_step
from tests.benchmarks.sets import uniform

ROWS = (1_000, 10_000, 100_000, 1_000_000)
COLUMNS = (1_000, 10_000, 100_000, 1_000_000)
NONZEROS = (4, 40, 400, 4_000)


def growth(lam=1e-4):
    """Nanoseconds per step over three orders of magnitude of each."""

    def row(n, d, nnz, T=200_000, **options):
        cost = marginal_step(*uniform(n, d, nnz), lam, T, **options)
        return {"n": n, "d": d, "nnz": nnz, "ns_per_step": cost}

    return {
        "n, random rows": [row(n, 10_000, 16) for n in ROWS],
        "n, blocks": [row(n, 10_000, 16, sampling="blocks") for n in ROWS],
        "d": [row(4_000, d, 64) for d in COLUMNS],
        "d, dense NumPy": [dense_row(d, lam) for d in COLUMNS],
        "nnz": [
            row(4_000, 100_000, nnz, T=max(20_000, 4_000_000 // nnz // 10))
            for nnz in NONZEROS
        ],
    }


def dense_row(d, lam, n=16, nnz=64):
    """The same for dense rows: each step shrinks all d coordinates."""
    X, y = uniform(n, d, nnz)
    y[:2] = -1.0, 1.0  # so few labels could all be the same
    T = max(200, 20_000_000 // d // 10)
    cost = marginal_step(X.toarray(), y, lam, T, solver=dense.pegasos)
    return {"n": n, "d": d, "nnz": nnz, "ns_per_step": cost}
