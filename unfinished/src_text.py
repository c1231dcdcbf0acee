import sys
from src_nb import *
C=[]
m=lambda t:C.append(("m",t)); c=lambda t,*a:C.append(("c",t,*a))
m(r'''
# A classifier for text

One source is a course handout: it turns general SGD into Pegasos, swaps the
loss, and asks for a logistic regression on text
{cite:p}`johansson_clarification`. This page does what it asks, on docstrings,
and settles the question which exponential to call.

```{admonition} After this page you can
:class: tip
- write down SGD in general, and name the three choices that make it Pegasos;
- train a logistic regression on text, and read its probabilities;
- say what `math.exp` and `np.exp` do when a number is too large, and write
  the log loss so that it does not matter.

You need {doc}`pegasos`, {doc}`sparse` and {doc}`log_loss`. About 25 minutes.
```
''')
m("## Probabilities for sentences")
c(r'''
import math
import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from pegasos_edu import draw_order
from pegasos_edu.estimator import PegasosClassifier
from pegasos_edu.page import figures
from pegasos_edu.problem.data import digits_zero, docstrings
from pegasos_edu.problem.losses import LOSSES, log_loss, log_slope
from pegasos_edu.solvers import dense

figures.use_style()
texts, y = docstrings("sklearn", "scipy")
rng = np.random.default_rng(0)
rows = rng.permutation(len(y))[:2000]
train, test = rows[:1500], rows[1500:]
words = TfidfVectorizer(token_pattern=r"[a-z]{2,}")
X_train = words.fit_transform([texts[i] for i in train])
X_test = words.transform([texts[i] for i in test])
model = PegasosClassifier(loss="log", lam=1e-4, max_iter=30, tol=None,
                          average="suffix", random_state=0)
model.fit(X_train, y[train])
p = model.predict_proba(X_test)[:, 1]
''')
c(r'''
fig, ax = plt.subplots()
bins = np.linspace(0, 1, 21)
for label, look, hatch in ((1, figures.POSITIVE, ""),
                           (-1, figures.NEGATIVE, "//")):
    ax.hist(p[y[test] == label], bins, alpha=0.6, color=look["color"],
            hatch=hatch, edgecolor="white",
            label="sklearn" if label > 0 else "scipy")
ax.set(xlabel="probability of “sklearn”", ylabel="docstrings")
ax.legend(loc="upper center")
plt.show()
right = np.mean((p > 0.5) == (y[test] > 0))
majority = max(np.mean(y[test] > 0), np.mean(y[test] < 0))
assert right > majority + 0.05 and right > 0.9
assert np.all((0 < p) & (p < 1))
print("at least nine in ten are right: ", right > 0.9)
print("better than the larger class by 5 points: ", right > majority + 0.05)
''',fig("fig-text-probabilities","500 docstrings the model has not seen, by the probability it gives to “sklearn”.","Two histograms over probabilities from zero to one. Docstrings of scipy pile up near zero, those of sklearn near one; few lie in the middle.",False))
m(r'''
Which library wrote this? The model answers with a probability,
$1/(1 + e^{-\langle w, x \rangle - b})$. The texts are those of the libraries
you have installed, so the page states bounds and not digits.
''')
c(r'''
sure = np.abs(p - 0.5) > 0.4
hits = (p > 0.5) == (y[test] > 0)
assert hits[sure].mean() > hits[~sure].mean()
assert sure.sum() > 30 < (~sure).sum()
print("where it is sure (above 0.9 or below 0.1) it is right more often:",
      bool(hits[sure].mean() > hits[~sure].mean()))
sentences = ["Fit the estimator and predict the class labels of X.",
             "Integrate an ordinary differential equation."]
first, second = model.predict_proba(words.transform(sentences))[:, 1]
print("the first sentence sounds more like sklearn:", bool(first > second))
assert first > second
''')
m(r'''
## SGD in general, and three choices

````{prf:algorithm} Stochastic subgradient descent
:label: alg-general-sgd

**Inputs** examples $(x_i, y_i)$, a loss $\ell$, $\lambda$, a start $w_1$,
a number of steps $T$

**For** $t = 1, \dots, T$:

1. draw an example $i_t$;
2. determine a step size $\eta_t$;
3. take a subgradient $g_t$ of
   $f_t(w) = \frac{\lambda}{2} \lVert w \rVert^2 +
   \ell(y_{i_t} \langle w, x_{i_t} \rangle)$ at $w_t$;
4. $w_{t+1} = w_t - \eta_t g_t$.

**Output** $w_{T+1}$, or an average of the iterates
````

Three choices are open. *The loss*: hinge makes a support vector machine, log
makes a logistic regression. *The step*: $1/(\lambda t)$ makes it Pegasos.
*The start*: the paper allows any with
$\lVert w_1 \rVert \le 1/\sqrt\lambda$, and zero is usual. Here is the box as
a program, with all three open.
''')
c(r'''
def sgd(X, y, lam, order, slope, step, w):
    for t, i in enumerate(order, start=1):
        eta = step(t)
        g = lam * w + slope(y[i] * (X[i] @ w)) * y[i] * X[i]
        w = w - eta * g
    return w


X, labels = digits_zero()
lam, order = 0.1, draw_order(len(labels), 2_000, seed=0)
start = np.full(64, 0.1)
for loss in ("hinge", "log"):
    for w_1 in (np.zeros(64), start):
        own = sgd(X, labels, lam, order, LOSSES[loss].slope,
                  lambda t: 1 / (lam * t), w_1)
        run = dense.pegasos(X, labels, lam, order=order, loss=loss, start=w_1)
        assert np.abs(own - run.last).max() < 1e-9
print("with step 1/(λt) the box is Pegasos, for both losses and both starts")
''')
m(r'''
The start hardly matters with this step: $1 - \eta_1 \lambda = 0$, so the first
shrink wipes $w_1$ out, and only the margin at $t = 1$ has seen it. With
another step it stays longer.
''')
c(r'''
short = order[:3]
for name, step in (("1/(λt)", lambda t: 1 / (lam * t)),
                   ("0.1/√t", lambda t: 0.1 / np.sqrt(t))):
    ends = [dense.pegasos(X, labels, lam, order=short, step=step,
                          start=w_1).last for w_1 in (0.1 * start, start)]
    apart = np.abs(ends[0] - ends[1]).max()
    print(f"{name}: after 3 steps two starts are apart: {apart > 1e-9}")
''')
m(r'''
## math.exp or np.exp?

The log loss is $\ln(1 + e^{-m})$. The handout warns: `math.exp` crashes with
an overflow error, `np.exp` only warns, and the warning may be ignored. Let us
look.
''')
c(r'''
m = -1000.0
try:
    math.exp(-m)
except OverflowError as error:
    print("math.exp:", type(error).__name__, "-", error)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    value = np.exp(-m)
print("np.exp:  ", value, "and a", caught[0].category.__name__)
with np.errstate(over="ignore"):
    literal = np.log(1 + np.exp(-m))
    gradient = -1 / (1 + np.exp(-m))  # at margin +1000: 1/inf
print("loss as written:", literal, "  stable:", log_loss(m))
print("slope at margin 1000 as written:", gradient, "  stable:",
      log_slope(1000.0))
assert literal == np.inf and log_loss(m) == 1000.0 and gradient == 0.0
''')
m(r'''
So ignoring the warning is harmless for the *slope*: $1/\infty$ is 0, and 0 is
right. The *loss* is lost: infinity instead of 1000. And with `math.exp` the
run ends. The stable forms have neither trouble:

- the loss: `np.logaddexp(0, -m)`;
- its slope: $-\frac12 (1 - \tanh \frac{m}{2})$, or `-scipy.special.expit(-m)`;
- on plain floats: `math.log1p(math.exp(-abs(m))) + max(-m, 0)`.

The other end has a quieter fault. For $m = 40$ the literal form rounds
$1 + e^{-40}$ to 1 and returns 0, with no warning at all.
''')
c(r'''
def on_floats(m):
    return math.log1p(math.exp(-abs(m))) + max(-m, 0)


for m in (-1e4, -700.0, -1.0, 0.0, 1.0, 40.0, 700.0):
    assert math.isclose(on_floats(m), log_loss(m), rel_tol=1e-12)
literal, stable = math.log(1 + math.exp(-40)), on_floats(40.0)
assert literal == 0 < stable and math.isclose(stable, math.exp(-40))
print(f"m = 40: literal {literal}, stable {stable:.3e}")
''')
m(r'''
## Exercises

```{exercise} Where does it begin?
:label: ex-text-overflow

From which $m$ on does $e^{-m}$ overflow in double precision? And in single
precision?
```

```{solution-start} ex-text-overflow
:class: dropdown
```

Where $-m$ exceeds the logarithm of the largest number.
''')
c(r'''
for kind in (np.float64, np.float32):
    limit = np.log(np.finfo(kind).max)
    with np.errstate(over="ignore"):
        assert np.isfinite(np.exp(kind(limit - 0.01)))
        assert np.isinf(np.exp(kind(limit + 0.01)))
    print(f"{kind.__name__}: m below {-limit:.1f}")
''')
m(r'''
```{solution-end}
```

## What you can do now

- You can now write down SGD in general; loss, step and start make it Pegasos.
- You can now train a logistic regression on text and read its probabilities.
- You can now choose the stable form of the log loss, and you know that
  `math.exp` raises an error where `np.exp` returns infinity with a warning.
''')
build('book/text.ipynb','text',C)
