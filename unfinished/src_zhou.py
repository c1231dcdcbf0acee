import sys
from src_nb import *
C=[]
m=lambda t:C.append(("m",t)); c=lambda t,*a:C.append(("c",t,*a))
m(r'''
# Zhou's graph

One report ends with a graph: the error of Pegasos on new data against the
number of steps, for several sizes of the training set {cite:p}`zhou_analysis`.
It concludes that the error does not depend on the size, and that a hundred
steps are enough. Here is the graph again, beside data on which the conclusion
fails, and two promises of the sources made precise.

```{admonition} After this page you can
:class: tip
- reproduce Zhou's graph, with the last iterate $w_{T+1}$;
- name data on which a hundred steps are *not* enough;
- say how small "λ small enough" is;
- say what $\tilde O(1/(\lambda \delta \varepsilon))$ costs when $\delta$ is
  small.

You need {doc}`pegasos`, {doc}`risk` and {doc}`more_data`. About 25 minutes.
```
''')
m("## The graph, and where it fails")
c(r'''
import matplotlib.pyplot as plt
import numpy as np

from pegasos_edu import draw_order
from pegasos_edu.page import figures
from pegasos_edu.problem.data import noisy_halfspace
from pegasos_edu.solvers import compiled
from pegasos_edu.theory import regret, risk

figures.use_style()
steps = np.unique(np.geomspace(1, 10_000, 30).astype(int))
sizes, seeds, lam = (100, 1_000, 10_000), range(30), 0.1


def one_cloud_each(n, seed):
    """Two clouds that a line nearly parts; one label in ten flipped."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    X = rng.normal(size=(n, 2)) + 2.5 * y[:, np.newaxis]
    return X, np.where(rng.random(n) < 0.1, -y, y)


def one_cloud_cut(n, seed):
    """One cloud in ten dimensions, cut in two; one label in ten flipped."""
    return noisy_halfspace(n, 10, seed)


def errors(make):
    """Error of w_{T+1} on new data: size -> (seeds, steps)."""
    new_X, new_y = make(10_000, 999)
    found = {}
    for n in sizes:
        found[n] = []
        for seed in seeds:
            X, y = make(n, seed)
            run = compiled.pegasos(X, y, lam, order=draw_order(
                n, steps[-1], seed=seed), average_from=None, snapshots=steps)
            found[n].append(np.mean(new_y * (run.iterates @ new_X.T) <= 0,
                                    axis=1))
    return {n: np.array(rows) for n, rows in found.items()}


sets = {"two clouds, d = 2": errors(one_cloud_each),
        "one cloud, d = 10": errors(one_cloud_cut)}
''')
c(r'''
fig, axes = plt.subplots(1, 2, figsize=(6, 3.6), sharey=True)
looks = [("blue", "-"), ("orange", "--"), ("green", "-.")]
for ax, (name, found) in zip(axes, sets.items()):
    for (colour, dash), (n, rows) in zip(looks, found.items()):
        ax.plot(steps, rows.mean(axis=0), ls=dash, label=f"n = {n:,}",
                color=figures.PALETTE[colour])
    ax.axhline(0.1, color="black", lw=1, ls=":")
    ax.set(xscale="log", xlabel="steps $T$", ylim=(0.05, 0.5))
    ax.text(0.95, 0.93, name, transform=ax.transAxes, ha="right")
axes[0].set_ylabel("error of $w_{T+1}$ on new data")
fig.legend(*axes[0].get_legend_handles_labels(), ncols=3,
           loc="outside upper center")
plt.show()


def interval(values):
    """Mean over the seeds, and 1.96 standard errors to each side."""
    half = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
    return values.mean() - half, values.mean(), values.mean() + half


at = {t: int(np.argmin(np.abs(steps - t))) for t in (100, 10_000)}
table = {}
for name, found in sets.items():
    for n, rows in found.items():
        table[name, n] = {t: interval(rows[:, at[t]]) for t in at}
        print(f"{name}, n = {n:>6,}: " + "; ".join(
            f"T ≈ {t:,}: {a:.3f} to {b:.3f}"
            for t, (a, _, b) in table[name, n].items()))
''',fig("fig-zhou","Error on new data, mean of 30 runs, for three sizes of the training set. Dotted: one label in ten, which nobody can get right.","Two panels of error against steps on a log axis, three curves each. Left, two clouds in the plane: all three curves drop within a hundred steps to a dotted line at ten percent. Right, one cloud cut in two in ten dimensions: the curves fall slowly, are far above the line at a hundred steps, and the curve for a hundred examples levels off above the others.",False))
m(r'''
On the left the graph of the report comes out: after a hundred steps the error
is near the share of flipped labels, whatever $n$ is. On the right neither half
of the conclusion holds. A hundred steps leave the error far above the line,
and ten thousand steps on a hundred examples end above ten thousand steps on
ten thousand.
''')
c(r'''
easy, hard = sets
for n in sizes:
    assert table[easy, n][100][2] < 0.13  # near the floor, with its interval
    assert table[hard, n][100][0] > 0.18  # far from it
few, many = table[hard, 100][10_000], table[hard, 10_000][10_000]
assert few[0] > many[2]  # the intervals do not meet
print("as claimed on the left, and as denied on the right")
''')
m(r'''
The theorem does not say more than that either. It bounds the *objective*, not
the error, for steps that each see a *new* example; {doc}`more_data` takes both
apart.

## How small is "λ small enough"?

Three corollaries of the report begin "assume $R = 1$; for λ small enough". The
phrase is about the maximum in its theorem 3.6,
$\max\{32 R^2/\lambda,\; 9 R^2/\lambda + 6\}$. It is of the order $1/\lambda$
only where the first entry is the larger one:

$$
\frac{32}{\lambda} \ge \frac{9}{\lambda} + 6
\iff \frac{23}{\lambda} \ge 6
\iff \lambda \le \frac{23}{6} \qquad (R = 1),
$$ (eq-small-enough)

and $\lambda \le \frac{23}{6} R^2$ in general. Then, with $T \ge 3$ and
$\delta < 1/e$, the bound is at most a constant times
$\ln(T/\delta)/(\lambda T)$. With $a = 1 + \ln T$ and $b = \ln(1/\delta)$ it
reads $(2a + 8 \sqrt{a b} + 32 b)/(\lambda T)$. Since
$8 \sqrt{ab} \le 4a + 4b$, that is at most $(6a + 36b)/(\lambda T)$. And
$a \le 2 \ln T$ from $T = 3$ on, so
$36 \ln(T/\delta)/(\lambda T)$ is enough.
''')
c(r'''
def risk_bound(T, lam, delta, R=1.0):
    """The right-hand side of Zhou's theorem 3.6."""
    a, b = 1 + np.log(T), np.log(1 / delta)
    largest = np.maximum(32 * R**2 / lam, 9 * R**2 / lam + 6)
    return (2 * R**2 * a / (lam * T)
            + 8 * R**2 * np.sqrt(a * b) / (lam * T) + largest * b / T)


edge = 23 / 6
for each in np.geomspace(1e-4, 1e4, 2001):
    first = 32 / each >= 9 / each + 6
    assert first == (each <= edge)

T, delta, small = np.meshgrid(np.geomspace(3, 1e9, 40),
                              np.geomspace(1e-12, 0.36, 40),
                              np.geomspace(1e-6, edge, 40))
ratio = risk_bound(T, small, delta) / (np.log(T / delta) / (small * T))
assert ratio.max() <= 36
print(f"λ ≤ 23/6 = {edge:.3f}: bound / (ln(T/δ)/(λT)) is at most "
      f"{ratio.max():.1f}")
for each in (edge, 100.0, 10_000.0):
    ratio = risk_bound(1e6, each, 1e-6) / (np.log(1e12) / (each * 1e6))
    print(f"λ = {each:9.1f}: {ratio:.0f}")
assert ratio > 1000
''')
m(r'''
Without the hypothesis the constant is gone: for large λ the ratio grows in
proportion to λ. So "small enough" is no rare case. Every λ of this book is
below $23/6$ on data with $R = 1$.

## The price of being sure

The note counts $\tilde O(1/(\lambda \delta \varepsilon))$ steps until a random
iterate is within $\varepsilon$ of the optimum, with probability $1 - \delta$
{cite:p}`svm_note_zh`. The tilde hides logarithms, but not the $1/\delta$.
Boosting, the note's second remark, replaces it by $e \lceil \ln(1/\delta)
\rceil$ ({doc}`risk`). Let us solve both bounds for $T$.
''')
c(r'''
def steps_needed(bound, goal, low=30, high=1e18):
    """The least T, to one part in a million, whose bound is the goal."""
    while high / low > 1 + 1e-6:
        middle = np.sqrt(low * high)
        low, high = (low, middle) if bound(middle) <= goal else (middle, high)
    return high


lam, R, epsilon = 0.1, 1.0, 0.1
constant = regret.regret_constant(lam, R)
deltas = np.geomspace(1e-6, 0.1, 26)
once, boosted = [], []
for delta in deltas:
    s = risk.candidates_needed(delta)
    once.append(steps_needed(
        lambda T: constant * np.log(T) / (delta * lam * T), epsilon))
    boosted.append(steps_needed(
        lambda T: constant * np.e * np.log(T) * s / (lam * T), epsilon))
once, boosted = np.array(once), np.array(boosted)
assert np.isclose(risk.random_index_bound(
    int(once[-1]), lam, R, delta=0.1), epsilon, rtol=1e-4)
assert np.isclose(risk.boosted_bound(
    int(boosted[-1]), lam, R, 0.1), epsilon, rtol=1e-4)

fig, ax = plt.subplots()
ax.loglog(deltas, once, color=figures.PALETTE["blue"],
          label="one run, $\\tilde O(1/(\\lambda\\delta\\varepsilon))$")
ax.loglog(deltas, boosted, "--", color=figures.PALETTE["orange"],
          label="boosted, $\\ln(1/\\delta)$")
ax.set(xlabel="allowed failure rate $\\delta$", ylabel="steps by the bound")
ax.legend()
plt.show()

exponent = np.polyfit(np.log(deltas), np.log(once), 1)[0]
print(f"one run: steps grow like δ to the power {exponent:.2f}")
print(f"from δ = 0.1 to 1e-6: {once[0] / once[-1]:,.0f} times the steps in "
      f"one run, {boosted[0] / boosted[-1]:.1f} times boosted")
''',fig("fig-zhou-delta","Steps that the two bounds ask for, against the failure rate; λ = 0.1, ε = 0.1, R = 1.","Two curves on log-log axes against delta. The solid one, for one run, rises steeply towards small delta in a straight line. The dashed one, boosted, hardly rises and has small stairs."))
c(r'''
# 1/δ up to a logarithm: T δ / ln T is one constant.
flat = once * deltas / np.log(once)
assert np.ptp(flat) / flat.mean() < 1e-4
assert -1.2 < exponent < -1
# Not so without the δ, or with its square.
for wrong in (once / np.log(once), once * deltas**2 / np.log(once)):
    assert wrong.max() / wrong.min() > 100
assert boosted[0] / boosted[-1] < 10 < once[0] / once[-1]
print("T δ / ln T is the same for all δ")
''')
m(r'''
A failure rate ten times smaller costs a little more than ten times the steps.
That is the price of Markov's inequality, which knows nothing but the mean.

## Exercises

```{exercise} Other units
:label: ex-zhou-units

Show that with $\lVert x_i \rVert \le R$ the condition is
$\lambda \le \frac{23}{6} R^2$ if the 6 is replaced by $6R^0$, as printed.
Where does the 6 come from?
```

```{solution-start} ex-zhou-units
:class: dropdown
```

It is $6B$ with $B = \frac{3R^2}{2\lambda} + 1$: the loss at zero is 1 whatever
the units of $x$ are. So $32R^2/\lambda \ge 9R^2/\lambda + 6$, and the rest is
division.
''')
c(r'''
for R in (0.5, 1.0, 3.0):
    B = 3 * R**2 / (2 * edge * R**2) + 1
    assert np.isclose(6 * B, 32 * R**2 / (edge * R**2))
    print(f"R = {R}: both entries are {6 * B:.3f} at λ = 23R²/6")
''')
m(r'''
```{solution-end}
```

## What you can do now

- You can now reproduce Zhou's graph: two clouds in the plane, 30 runs, the
  last iterate.
- You can now name data on which it fails: one cloud cut in two, in ten
  dimensions.
- You can now say how small is small enough: $\lambda \le \frac{23}{6} R^2$.
- You can now say what certainty costs: $1/\delta$ in one run, $\ln(1/\delta)$
  with boosting.
''')
build('book/zhou.ipynb','zhou',C)
