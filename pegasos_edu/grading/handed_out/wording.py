"""The words of a variant: what its notebook says instead of the public one.

A solution notebook is turned into that of a variant by replacing passages of
its cells. Each passage must stand in its cell exactly once; so whoever
changes a notebook is told which passage is meant.
"""

import copy
import itertools
import re

from nbformat.v4 import new_code_cell

from pegasos_edu.coursework.asked import seal
from pegasos_edu.grading.judging.judge import VARIANT
from pegasos_edu.grading.judging.restore import id_of

FIRST_CODE = "code-01"
# The third argument of a check is a seed, in a loop or by itself.
CHECK = re.compile(
    r'coursework\.(check|repaired)\(\s*"(A\d\.\w+)", (\w+)'
    r"(?:, (?:variant=)?(variant|\d+))?(?=[,)])"
)
SEEDS = re.compile(r"for variant in \(([\d, ]+)\):")


class Misfit(Exception):
    """What does not fit a notebook, in one sentence."""


def words(assignment, variant):
    """What to replace, by cell.

    Parameters
    ----------
    assignment : str
        Such as "a1".
    variant : Variant

    Returns
    -------
    dict of str to list of (str, str)
        Cell -> passages, and what stands there instead.
    """
    return WORDS[assignment](variant)


def rewrite(notebook, assignment, variant, seeds):
    """The solution notebook of a variant.

    Parameters
    ----------
    notebook : NotebookNode
        The public solution; it is not changed.
    assignment : str
        Such as "a1".
    variant : Variant
    seeds : iterator of int
        Seeds for the tests on other data; nobody else should know them.

    Returns
    -------
    NotebookNode

    Raises
    ------
    Misfit
        If a passage does not stand in its cell exactly once.
    """
    made = copy.deepcopy(notebook)
    replaced = words(assignment, variant)
    cells = {id_of(cell): cell for cell in made.cells if id_of(cell)}
    for name, passages in replaced.items():
        for old, new in passages:
            found = []
            if name in cells:
                found = passage(old).findall(cells[name].source)
            if len(found) != 1:
                raise Misfit(
                    f"{assignment}, cell {name}: {old!r} is there "
                    f"{len(found)} times; expected once. Has the notebook "
                    f"changed? Then change wording.py."
                )
            cells[name].source = cells[name].source.replace(found[0], new)
    for cell in made.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            if id_of(cell):
                cell.source = with_variant(cell.source, seeds)
    place = made.cells.index(cells[FIRST_CODE]) + 1
    made.cells.insert(place, cell_of(variant))
    return made


def passage(text):
    """What finds a text, however its lines are broken.

    Examples
    --------
    >>> passage("the step").findall("the\\nstep, the steps")
    ['the\\nstep', 'the step']
    """
    words = r"\s+".join(map(re.escape, text.split()))
    begin = text[: len(text) - len(text.lstrip())]
    end = text[len(text.rstrip()) :]
    return re.compile(begin + words + end)


def cell_of(variant):
    """The locked cell that says what is asked for."""
    cell = new_code_cell(
        "# It stands for what is asked of you, and for the seed of your "
        "data.\n"
        f"variant = coursework.variant(\n    {seal(variant)!r}\n)"
    )
    cell.id = VARIANT
    cell.metadata["nbgrader"] = {
        "grade": False,
        "grade_id": VARIANT,
        "locked": True,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
    cell.metadata["tags"] = [VARIANT]
    return cell


def with_variant(source, seeds):
    """Let each check of a cell take the variant, on other seeds.

    Examples
    --------
    >>> print(with_variant('coursework.check("A1.step", f).require()', []))
    coursework.check("A1.step", f, variant).require()
    >>> print(with_variant('coursework.check("A1.step", f, 2)', iter([77])))
    coursework.check("A1.step", f, variant.with_seed(77))
    """

    def drawn(match):
        number = match.group(1).count(",") + 1
        chosen = ", ".join(map(str, itertools.islice(seeds, number)))
        return f"for seed in ({chosen}):"

    def checked(match):
        function, task, answer, seed = match.groups()
        taken = "variant"
        if seed is not None:
            of = "seed" if seed == "variant" else next(seeds)
            taken = f"variant.with_seed({of})"
        return f'coursework.{function}("{task}", {answer}, {taken}'

    return CHECK.sub(checked, SEEDS.sub(drawn, source))


# What the averages are called, in Markdown and in a docstring, and how the
# model solutions compute them of the list W and of the weights.
AVERAGE = {
    "average": "the average $\\frac{1}{T}\\sum_{t=1}^{T} w_t$ of all iterates",
    "half": "the average of the last half of the iterates, of the $w_t$ "
    "with $t > \\lfloor T/2 \\rfloor$",
    "weighted": "the weighted average $\\sum_{t=1}^{T} t\\,w_t \\,\\big/\\, "
    "\\sum_{t=1}^{T} t$ of the iterates",
}
AVERAGE_CODE = {
    "average": "the average of w_1, …, w_T",
    "half": "the average of the w_t with t > T // 2",
    "weighted": "the average of w_1, …, w_T with the weights 1, …, T",
}
OF_ITERATES = {
    "average": "np.mean(W, axis=0)",
    "half": "np.mean(W[len(W) // 2:], axis=0)",
    "weighted": "np.average(W, axis=0, weights=np.arange(1, len(W) + 1))",
}
WEIGHTS = {
    "average": "np.ones(T)",
    "half": "np.where(np.arange(1, T + 1) > T // 2, 1.0, 0.0)",
    "weighted": "np.arange(1.0, T + 1)",
}


def words_of_a1(v):
    shaped = f".reshape(-1, {v.k})"
    return {
        "text-05": [
            (
                "$\\eta_t = 1/(\\lambda t)$",
                f"$\\eta_t = 1/(\\lambda (t + {v.t0}))$",
            ),
            (
                "for $t = 1, 2, \\dots$",
                f"for $t = 1, 2, \\dots$\nThe head start of {v.t0} keeps the "
                f"first steps short.",
            ),
        ],
        "step-size": [
            (
                '"""Return the step of Pegasos at step t."""',
                '"""Return the step at step t."""',
            ),
            ("1 / (lam * t)", f"1 / (lam * (t + {v.t0}))"),
        ],
        "text-08": [
            (
                "which returns the $T$ row\nnumbers to visit, from $0$ to "
                "$n - 1$.",
                f"which returns, for each of $T$\nsteps, the {v.k} row "
                f"numbers to visit: an array of shape `(T, {v.k})` with "
                f"numbers\nfrom $0$ to $n - 1$.",
            ),
        ],
        "visits": [
            (
                '"""Return T row numbers."""',
                f'"""Return {v.k} row numbers for each of T steps."""',
            ),
            ("size=T)", f"size=(T, {v.k}))"),
        ],
        "text-11": [
            (
                "and the row $i$ that `order` names for this step:",
                f"and the {v.k} rows that the $t$-th row of `order` names:",
            ),
            (
                "  - $\\eta = 1/(\\lambda t)$\n",
                f"  - $\\eta = 1/(\\lambda (t + {v.t0}))$\n"
                f"  - for each of these rows $i$, all from the same $w$:\n",
            ),
            (
                "  - if $y_i\\langle w, x_i\\rangle < 1$:\n"
                "    $w \\leftarrow (1 - \\eta\\lambda)\\,w + \\eta\\,y_i "
                "x_i$\n"
                "  - otherwise: $w \\leftarrow (1 - \\eta\\lambda)\\,w$\n",
                "    - if $y_i\\langle w, x_i\\rangle < 1$:\n"
                "      $w_i = (1 - \\eta\\lambda)\\,w + \\eta\\,y_i x_i$\n"
                "    - otherwise: $w_i = (1 - \\eta\\lambda)\\,w$\n"
                f"  - $w \\leftarrow$ the mean of these {v.k} $w_i$\n",
            ),
            ("Write one step of it,", "Write one step with one row,"),
        ],
        "text-11d": [
            (
                "which returns $w$\nafter the last step.\n",
                f"which returns\n{AVERAGE[v.returns]}.\nHere $w_1 = 0$ is "
                f"what a run begins with, and $w_{{t+1}}$ what step $t$ makes "
                f"of $w_t$.\n`order` has the shape `(T, {v.k})`: a row for "
                f"each step. A row may occur in it more than once, and counts "
                f"each time.\n",
            ),
        ],
        "pegasos": [
            (
                '"""Return the last iterate of Pegasos."""',
                f'"""Return {AVERAGE_CODE[v.returns]}."""',
            ),
            (
                "    w = np.zeros(X.shape[1])\n"
                "    for t, i in enumerate(order, start=1):\n"
                "        w = step(w, X[i], y[i], lam, step_size(lam, t))\n"
                "    return w\n",
                "    w, W = np.zeros(X.shape[1]), []\n"
                "    for t, rows in enumerate(order, start=1):\n"
                "        W.append(w)\n"
                "        eta = step_size(lam, t)\n"
                "        w = np.mean(\n"
                "            [step(w, X[i], y[i], lam, eta) for i in rows],\n"
                "            axis=0)\n"
                f"    return {OF_ITERATES[v.returns]}\n",
            ),
        ],
        "code-16": [
            (
                "explore(solver=pegasos)",
                f"# The figure's order has one row a step: here, {v.k} times "
                "the same.\nexplore(solver=lambda X, y, lam, order: pegasos(\n"
                f"    X, y, lam, np.repeat(order, {v.k}){shaped}))",
            ),
        ],
        "text-20": [
            (
                "`fit` returns the object itself.",
                "`fit` returns the object itself. `T` is the number of steps.",
            ),
        ],
        "text-23": [
            (
                "the rows of 20,000 steps",
                f"the rows of 20,000 steps, {v.k} each,",
            ),
        ],
        "digits-check": [
            (
                'assert np.shape(order_digits) == (20_000,), "20,000 rows are '
                'asked for"',
                f"shape = 20_000, {v.k}\nassert np.shape(order_digits) == "
                f'shape, "20,000 times {v.k} rows are asked for"',
            ),
        ],
        "digits-gap": [
            (
                "gap = objective(",
                f"assert np.shape(order_digits) == (20_000, {v.k})\n"
                "gap = objective(",
            ),
        ],
        "text": [("30_000", "10_000")],
        "question-test": [
            ("$1/(1 - 1/t)$", f"$1/(1 - 1/(t + {v.t0}))$"),
        ],
    }


def of_the_hinge(v):
    """What the hinge makes of the first step, in a sentence or two."""
    told = f"With the hinge it is {8 / (1 + v.t0):.4g}."
    if v.steepness == 2:
        told += "\nThat is the same: at the margin 0 both have the slope $-1$."
    return told


def words_of_a2(v):
    s, lam = v.steepness, f"{0.01 * v.steepness**2:g}"
    return {
        "text-02": [
            (
                "The log loss of the margin $m$ is $\\ell(m) = "
                "\\ln(1 + e^{-m})$.",
                f"A log loss may be steeper or flatter. Here the loss of the "
                f"margin $m$ is\n$\\ell(m) = \\ln(1 + e^{{-{s}m}})$.",
            ),
            (
                "$\\ell(-10{,}000) = 10{,}000$",
                f"$\\ell(-10{{,}}000) = {s}0{{,}}000$",
            ),
        ],
        "log-loss": [
            (
                "Return ln(1 + exp(-margin))",
                f"Return ln(1 + exp(-{s} * margin))",
            ),
            (
                "    return np.maximum(0, -margin) + np.log1p(np.exp("
                "-np.abs(margin)))\n",
                f"    z = {s} * margin\n"
                "    return np.maximum(0, -z) + "
                "np.log1p(np.exp(-np.abs(z)))\n",
            ),
        ],
        "slope": [
            (
                "-expit(-margin)",
                f"-{s} * expit(-{s} * margin)",
            ),
            ("derivative of the log loss", "derivative of this loss"),
        ],
        "text-10": [
            (
                "for the log loss: same\nstep size, same order, last iterate.",
                "for this\nloss: same order, last iterate, and the step "
                f"$\\eta_t = 1/(\\lambda (t + {v.t0}))$.",
            ),
            ("$w_2 = 4$", f"$w_2 = {4 * s / (1 + v.t0):.4g}$"),
            ("With the hinge it is 8.", of_the_hinge(v)),
        ],
        "pegasos": [
            ("with the log loss.", "with this loss."),
            ("1 / (lam * t)", f"1 / (lam * (t + {v.t0}))"),
        ],
        "text-16": [
            (
                "$1/(1 + e^{-\\langle w, x\\rangle})$",
                f"$1/(1 + e^{{-{s}\\langle w, x\\rangle}})$",
            ),
        ],
        "probability": [
            ("np.tanh(X @ w / 2)", f"np.tanh({s} * (X @ w) / 2)"),
        ],
        "text-19": [("$\\lambda = 0.01$", f"$\\lambda = {lam}$")],
        "code-20": [
            (
                'smallest = optimum(X, y, 0.01, loss="log").primal',
                f"# This loss is the log loss on rows {s} times as long.\n"
                f'smallest = optimum({s} * X, y, {lam}, loss="log").primal',
            ),
        ],
        "digits": [("pegasos(X, y, 0.01,", f"pegasos(X, y, {lam},")],
        "digits-check": [
            ("pegasos(X, y, 0.01, order)", f"pegasos(X, y, {lam}, order)"),
            (
                'objective(w_log, X, y, 0.01, loss="log")',
                f'objective(w_log, {s} * X, y, {lam}, loss="log")',
            ),
            (
                "pegasos(X, y, 0.01, order[:10])",
                f"pegasos(X, y, {lam}, order[:10])",
            ),
            (
                'objective(early, X, y, 0.01, loss="log")',
                f'objective(early, {s} * X, y, {lam}, loss="log")',
            ),
            (
                "pegasos(X, y, 0.01, order[::-1])",
                f"pegasos(X, y, {lam}, order[::-1])",
            ),
            (
                'objective(backwards, X, y, 0.01, loss="log")',
                f'objective(backwards, {s} * X, y, {lam}, loss="log")',
            ),
        ],
        "question-cases": [
            ("the slope of the log loss is", "the slope of this loss is"),
            (
                "$1/(1 + e^{m})$. It is close to 1 for badly\nwrong examples, "
                "½ at the decision line",
                f"${s}/(1 + e^{{{s}m}})$. It is close to {s} for badly\n"
                f"wrong examples, {s / 2:g} at the decision line",
            ),
        ],
        "question-figure": [
            (
                "Measured with the log-loss objective",
                "Measured with the objective of this loss",
            ),
        ],
        "question-probability": [
            (
                "then do the same with $\\lambda = 1$ and",
                f"then do the same with $\\lambda = {s * s}$ and",
            ),
            (
                "With $\\lambda = 0.01$ the mean",
                f"With $\\lambda = {lam}$ the mean",
            ),
            ("with $\\lambda = 1$ it is", f"with $\\lambda = {s * s}$ it is"),
            (
                "$1/(1 + e^{-\\langle w, x\\rangle})$",
                f"$1/(1 + e^{{-{s}\\langle w, x\\rangle}})$",
            ),
            ("by the log loss (not", "by this loss (not"),
        ],
    }


def words_of_a3(v):
    step = f"1/(\\lambda(t + {v.t0}))"
    return {
        "text-05": [
            (
                "for a CSR matrix `X`.\n",
                f"for a CSR matrix `X`,\nwith the step $\\eta_t = {step}$.\n",
            ),
        ],
        "pegasos": [
            (
                "        if t > 1:  # at t = 1 the shrink is 0, but w is 0 "
                "anyway\n"
                "            a = (1 - 1 / t) * a\n",
                f"        a = (1 - 1 / (t + {v.t0})) * a\n",
            ),
            ("(lam * t * a)", f"(lam * (t + {v.t0}) * a)"),
        ],
        "text-11": [
            (
                "The average of $w_1, \\dots, w_T$ can be had",
                "An average of $w_1, \\dots, w_T$ can be had",
            ),
            (
                "$w_t = v_{t-1}/(\\lambda(t-1))$",
                f"$w_t = v_{{t-1}}/(\\lambda(t - 1 + {v.t0}))$",
            ),
            (
                "which returns\n$\\bar w = (w_1 + \\dots + w_T)/T$.",
                f"which returns\n{AVERAGE[v.returns]}, with the same step.",
            ),
        ],
        "average": [
            (
                "the average of w_1, …, w_T; O(nnz) a step.",
                f"{AVERAGE_CODE[v.returns]}.",
            ),
            (
                "    v, q, h = np.zeros",
                f"    T = len(order)\n    weights = {WEIGHTS[v.returns]}\n"
                "    v, q, h = np.zeros",
            ),
            (
                "        if t > 1:\n"
                "            h += 1 / (lam * (t - 1))  # Σ w_t gains "
                "v / (λ(t − 1))\n",
                f"        c = lam * (t - 1 + {v.t0})  # w_t is v / c\n"
                "        h += weights[t - 1] / c\n",
            ),
            (
                "if t == 1 or y[i] * (v[cols] @ vals) < lam * (t - 1):",
                "if y[i] * (v[cols] @ vals) < c:",
            ),
            ("(h * v - q) / len(order)", "(h * v - q) / weights.sum()"),
        ],
        "code-18": [
            ("w *= 1 - 1 / t\n", f"w *= 1 - 1 / (t + {v.t0})\n"),
            ("(lam * t)", f"(lam * (t + {v.t0}))"),
        ],
        "question-trap": [
            (
                "In exact arithmetic the shrink at $t = 1$ is 0.",
                "This is about the step $1/(\\lambda t)$, without a head "
                "start. In exact\narithmetic its shrink at $t = 1$ is 0.",
            ),
        ],
        "question-closed": [
            (
                "for the step $1/(\\lambda t)$, and not for",
                f"for the step ${step}$, and not for",
            ),
            ("With $\\eta_t = 1/(\\lambda t)$", f"With $\\eta_t = {step}$"),
            (
                "$\\frac{1}{\\lambda \\tau}$",
                f"$\\frac{{1}}{{\\lambda (\\tau + {v.t0})}}$",
            ),
            (
                "$\\frac{\\tau}{\\tau + 1} \\cdots \\frac{t - 1}{t} = "
                "\\frac{\\tau}{t}$",
                f"$\\frac{{\\tau + {v.t0}}}{{\\tau + {v.t0 + 1}}} \\cdots "
                f"\\frac{{t + {v.t0} - 1}}{{t + {v.t0}}} = "
                f"\\frac{{\\tau + {v.t0}}}{{t + {v.t0}}}$",
            ),
            (
                "$\\frac{1}{\\lambda t}$",
                f"$\\frac{{1}}{{\\lambda (t + {v.t0})}}$",
            ),
        ],
    }


# What the first rounds of A4 cost, and how many times its bound is the regret,
# by whether the loss is the log loss and whether there is a projection.
ROUNDS = {
    (False, False): "The first step is huge, $\\eta_1 = 1/\\lambda$, so $w_2$ "
    "is ten times an example long. In rounds 2 to 10 all labels are +1 and "
    "all margins at least 11: there is no hinge loss, and no example is "
    "added. Only the length of $w_t$ is paid for, "
    "$\\frac{\\lambda}{2}\\lVert w_t\\rVert^2$. The shrinks make $w_t$ into "
    "$w_2/(t - 1)$, so this is $85.1/(t - 1)^2$, and $w_{11}$ is $w_2/10$: "
    "the same picture on a scale of its own. After ten rounds 63 % of the "
    "regret is there. The example of round 11 is the first zero: its margin "
    "is −6.9, the round costs 8.7, and the curve jumps.",
    (True, False): "The first step is huge, $\\eta_1 = 1/\\lambda$, so $w_2$ "
    "is five times an example long. In rounds 2 to 10 all labels are +1 and "
    "all margins above 5: there is hardly any log loss, and hardly anything "
    "is added. Almost only the length of $w_t$ is paid for, "
    "$\\frac{\\lambda}{2}\\lVert w_t\\rVert^2$. The shrinks make $w_t$ into "
    "nearly $w_2/(t - 1)$, so this is about $21.3/(t - 1)^2$, and $w_{11}$ "
    "is nearly $w_2/10$: the same picture on a scale of its own. After ten "
    "rounds 57 % of the total regret is there. The example of round 11 is "
    "the first zero: its margin is −3.5, the round costs 3.7, and the curve "
    "jumps.",
    (False, True): "The first step is huge, $\\eta_1 = 1/\\lambda$, but the "
    "projection makes $w_2$ only $1/\\sqrt\\lambda = 3.2$ long, so its length "
    "costs ½. In rounds 2 to 10 all labels are +1 and the margins nearly all "
    "above 1, so none costs more than ½. After ten rounds only 2 % of the "
    "total regret is there. The example of round 11 is the first zero: its "
    "margin is −6.2, the round costs 7.6, the most of all, and the curve "
    "jumps.",
    (True, True): "The first step is huge, $\\eta_1 = 1/\\lambda$, but the "
    "projection makes $w_2$ only $1/\\sqrt\\lambda = 3.2$ long, so its length "
    "costs ½. In rounds 2 to 10 all labels are +1 and all margins above 2, "
    "so none costs more than ½. After ten rounds only 1 % of the total "
    "regret is there. The example of round 11 is the first zero: its margin "
    "is −2.7, the round costs 2.8, the most of all, and the curve jumps.",
}
LOOSE = {
    (False, False): 21,
    (True, False): 79,
    (False, True): 17,
    (True, True): 53,
}


def words_of_a4(v):
    log, ball = v.loss == "log", v.projected
    G = "\\sqrt\\lambda + R" if ball else "2R"
    replaced = {
        "text-02": [
            (
                "The regret after $t$ rounds against a fixed $u$ is\n"
                "$\\sum_{\\tau \\le t}",
                "The mean regret after $t$ rounds against a fixed $u$ is\n"
                "$\\frac{1}{t}\\sum_{\\tau \\le t}",
            ),
        ],
        "text-task-1": [
            (
                "which returns\nthe regret after $1, 2, \\dots, T$ rounds.",
                "which returns\nthe mean regret after $1, 2, \\dots, T$ "
                "rounds.",
            ),
        ],
        "regret": [
            ("Return the regret", "Return the mean regret"),
            (
                "return np.cumsum(rounds)",
                "return np.cumsum(rounds) / np.arange(1, len(rounds) + 1)",
            ),
        ],
        "text-06": [
            (
                "\\sum_{t=1}^{T} \\bigl(",
                "\\frac{1}{T}\\sum_{t=1}^{T} \\bigl(",
            ),
            (
                "\\frac{(2R)^2\\,(1 + \\ln T)}{2\\lambda}",
                f"\\frac{{({G})^2\\,(1 + \\ln T)}}{{2\\lambda T}}",
            ),
        ],
        "bound": [
            ("bound on the regret", "bound on the mean regret"),
            (
                "(2 * R) ** 2 * (1 + np.log(T)) / (2 * lam)",
                f"({'np.sqrt(lam) + R' if ball else '2 * R'}) ** 2 * "
                "(1 + np.log(T)) / (2 * lam * T)",
            ),
        ],
        "code-11": [],
        "text-12": [
            ("the regret of `play()`", "the mean regret of `play()`"),
        ],
        "code-16": [
            ('ylabel="regret"', 'ylabel="mean regret"'),
        ],
        "text-17": [
            (
                "line through the points on log-log axes.",
                f"line on log-log axes through all points but the first "
                f"{'' if v.skip == 1 else str(v.skip) + ' '}of a curve, which "
                f"may be atypical.",
            ),
        ],
        "slope": [
            (
                "the slope on log-log axes.",
                f"the slope on log-log axes, without the first {v.skip}.",
            ),
            (
                "np.polyfit(np.log(t), np.log(gap), 1)[0]",
                f"np.polyfit(np.log(t[{v.skip}:]), np.log(gap[{v.skip}:]), "
                "1)[0]",
            ),
        ],
        "question-curve": [
            (
                "Look at the figure of the two regrets and the bound.",
                "Look at the figure of the two mean regrets and the bound.",
            ),
            (
                "so the curve is flat, as $\\ln T$ is.",
                "so the total hardly grows, as $\\ln T$ does, and its mean "
                "falls nearly like $1/T$.",
            ),
            (
                "Why is the Pegasos curve nearly flat after round 100?",
                "Why does the Pegasos curve fall nearly like $1/t$ in the "
                "end?",
            ),
            ("for the flat part", "for the falling part"),
        ],
    }
    if log or ball:
        replaced["question-curve"] += [
            (ROUNDS[False, False], ROUNDS[log, ball]),
            ("about 21 times", f"about {LOOSE[log, ball]} times"),
        ]
    if log:
        replaced["text-02"].append(
            (
                "\\max(0,\\, 1 - y\\langle w_t, x\\rangle).",
                "\\ln(1 + e^{-y\\langle w_t, x\\rangle}).",
            )
        )
        replaced["regret"].append(
            (
                "max(0, 1 - y[i] * (w @ X[i]))",
                "np.logaddexp(0, -y[i] * (w @ X[i]))",
            )
        )
        replaced["code-10"] = [
            (
                "u = optimum(X, y, lam).w",
                'u = optimum(X, y, lam, loss="log").w',
            )
        ]
        replaced["code-11"].append(
            ("order=order, step=step,", 'order=order, step=step, loss="log",')
        )
        replaced["rounds-seen"] = [("lam, order)", 'lam, order, loss="log")')]
        replaced["question-curve"].append(
            (
                "most examples are no violators, whose subgradient\n"
                "is only $\\lambda w$",
                "most examples pull little, and their subgradient\n"
                "is nearly $\\lambda w$",
            )
        )
        replaced["question-comparator"] = [
            (
                "`optimum(X[order], y[order], lam)`",
                '`optimum(X[order], y[order], lam, loss="log")`',
            )
        ]
    if log and not ball:
        replaced["question-curve"].append(
            ("that no\nexample is added;", "that hardly\nanything is added;")
        )
    if ball:
        replaced["text-06"].append(
            (
                "In Pegasos without projection every subgradient has at most "
                "the length $2R$",
                "In Pegasos with projection on the ball of radius "
                "$1/\\sqrt\\lambda$ after every step, every subgradient has "
                "at most the length $\\sqrt\\lambda + R$",
            )
        )
        replaced["code-11"].append(
            (
                "run = pegasos(X, y, lam, ",
                "run = pegasos(X, y, lam, radius=1 / np.sqrt(lam), ",
            )
        )
        replaced["text-09"] = [
            (
                "runs Pegasos for $T$ rounds",
                "runs Pegasos with projection for $T$ rounds",
            )
        ]
        replaced["question-curve"] += [
            ("the full length $2R$", f"the full length ${G}$"),
            (
                "Why do $w_2$ and $w_{11}$ look the same, and what",
                "How long is $w_2$, and what",
            ),
            (
                "which is the length of $w_t$ and that no\nexample is added;",
                "which is the short $w_t$ and the example of round 11;",
            ),
        ]
        replaced.setdefault("question-comparator", []).append(
            (
                "The bound holds against every $u$.",
                "The bound holds against every $u$ in the ball.",
            )
        )
    return replaced


WORDS = {
    "a1": words_of_a1,
    "a2": words_of_a2,
    "a3": words_of_a3,
    "a4": words_of_a4,
}
