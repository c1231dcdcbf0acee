"""The signature figure on the Python side: phases, frames, what it ships."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from offline import SHORTER

from pegasos_edu import live, objective, optimum
from pegasos_edu.live.one_step import (
    LAMBDAS,
    LINES,
    LOG,
    PEGASOS,
    PERCEPTRON,
    PHASES,
    RULES,
    SEED,
    N,
    T,
    best_of,
    examples,
    frame,
    gap_of,
    one_step,
    perceptron_scale,
    rings,
    steps_of,
    summary_of,
)
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.page.source import show_source
from pegasos_edu.solvers import dense

LIVE = Path(live.__file__).parent
ORDER = live_order(N, T, SEED)
LOSSES = {PEGASOS: "hinge", LOG: "log"}


@pytest.mark.parametrize("lam", [LAMBDAS[0], 0.5, LAMBDAS[-1]])
@pytest.mark.parametrize("rule", LOSSES)
def test_phases_are_those_of_the_dense_solver(rule, lam):
    X, y = examples()
    run = dense.pegasos(
        X,
        y,
        lam,
        order=ORDER,
        loss=LOSSES[rule],
        snapshots=range(1, T + 1),
    )
    before = np.vstack([np.zeros(2), run.iterates[:-1]])
    for k, step in enumerate(steps_of(rule, lam, ORDER)):
        t, i, w = k + 1, ORDER[k], before[k]
        near = {"rel": 1e-12, "abs": 1e-12 / lam}
        assert (step.t, step.row) == (t, i)
        assert step.w == pytest.approx(w, **near)
        assert step.after == pytest.approx(run.iterates[k], **near)
        assert step.margin == pytest.approx(y[i] * (X[i] @ w), **near)
        assert step.shrunk == pytest.approx((1 - 1 / t) * w, **near)
        assert step.push == pytest.approx(
            run.iterates[k] - (1 - 1 / t) * w, **near
        )


def test_the_perceptron_is_rosenblatts():
    X, y = examples()
    w, mistakes = np.zeros(2), 0
    for step, i in zip(steps_of(PERCEPTRON, 0.5, ORDER), ORDER):
        assert step.w == step.shrunk == tuple(w)
        if np.sign(X[i] @ w) != y[i]:
            w, mistakes = w + y[i] * X[i], mistakes + 1
        assert step.after == pytest.approx(w, rel=1e-15)
    assert mistakes > 1


def test_the_first_shrink_is_to_nothing_and_says_why():
    first = steps_of(PEGASOS, 0.1, ORDER)[0]
    assert first.shrink == pytest.approx(0.0, abs=1e-15)
    said = summary_of(first, PHASES.index("shrink"), PEGASOS)
    assert "1 − 1/1 = 0" in said and "η₁λ is 1" in said


@pytest.mark.parametrize("rule", LOSSES)
def test_the_star_is_the_certified_optimum(rule):
    X, y = examples()
    for lam in LAMBDAS:
        *w, f = best_of(rule, lam)
        best = optimum(X, y, lam, loss=LOSSES[rule])
        assert best.dual <= f * (1 + 1e-12)
        assert objective(np.array(w), X, y, lam, loss=LOSSES[rule]) == f
    assert best_of(PERCEPTRON, 0.5) is None


def test_level_lines_are_level():
    X, y = examples()
    f = [objective(ring / 0.5, X, y, 0.5) for ring in rings(PEGASOS, 0.5)]
    assert np.ptp(f, axis=1).max() < 1e-6
    assert np.all(np.diff(np.mean(f, axis=1)) > 0)


def test_what_opens_the_chapter_shows_what_its_text_says():
    steps = steps_of(PEGASOS, 0.5, ORDER)
    assert [steps[t - 1].pull for t in (4, 7, 8)] == [1, 1, 0]
    star = np.array(best_of(PEGASOS, 0.5)[:2])
    far = [np.linalg.norm(np.array(s.after) - star) for s in steps]
    assert far[-1] < 0.25 * np.linalg.norm(star) and far[-1] < far[0] / 4
    assert steps_of(PERCEPTRON, 0.5, ORDER)[5].pull == 1


def test_the_script_is_small():
    script = (LIVE / "one_step.js").read_text("utf-8")
    assert len(SHORTER[".js"](script).encode()) <= 10_000


def test_the_gap_is_what_f_has_above_its_least_value():
    X, y = examples()
    for lam in (LAMBDAS[0], 0.5):
        least = best_of(PEGASOS, lam)[2]
        for w in ([0.0, 0.0], [0.3, -2.0]):
            f = lam / 2 * np.dot(w, w) + np.mean(
                np.maximum(0, 1 - y * (X @ w))
            )
            near = pytest.approx(f - least, abs=1e-14)
            assert gap_of(w, PEGASOS, lam) == near
            assert gap_of(w, PEGASOS, lam) > 0
    assert np.isnan(gap_of([1.0, 0.0], PERCEPTRON, 0.5))


@pytest.mark.parametrize("rule", range(3))
def test_a_w_that_was_moved_is_where_the_run_goes_on(rule):
    plain = steps_of(rule, 0.5, ORDER[:8])
    steps = steps_of(rule, 0.5, ORDER[:8], placed={4: (25, -150)})
    assert steps[:3] == plain[:3]
    scale = perceptron_scale() if rule == PERCEPTRON else 0.5
    assert steps[3].w == pytest.approx((0.25 / scale, -1.5 / scale))
    same = {s.t: 100 * scale * np.array(s.w) for s in plain}
    again = steps_of(rule, 0.5, ORDER[:8], placed=same)
    for one, other in zip(again, plain):
        assert one.after == pytest.approx(other.after)


def test_a_frame_says_how_far_f_is_above_its_least_value():
    steps = steps_of(PEGASOS, 0.5, ORDER[:7])
    gap = gap_of(steps[-1].after, PEGASOS, 0.5)
    assert f"f(w) − f⋆ = {gap:.4g}<" in frame(steps, 3, 0.5, PEGASOS)
    assert "f⋆" not in frame(steps, 3, 0.5, PERCEPTRON)


def test_a_page_gets_four_frames_and_no_chart():
    page = one_step().page()
    frames = re.findall(r'<img alt="([^"]+)" src="data:image/svg', page)
    assert [frame.split(":")[0] for frame in frames] == list(PHASES)
    panels = json.loads(json.dumps(one_step().config()))["panels"]
    assert [panel["spec"] for panel in panels] == [None, None]


def test_every_phase_of_every_rule_has_its_sentence():
    for rule in range(len(RULES)):
        for step in steps_of(rule, 0.5, ORDER[:12]):
            said = [summary_of(step, phase, rule) for phase in range(4)]
            assert len(set(said)) == 4
            assert not re.search(r"[{}]|nan", " ".join(said))


def test_the_listing_of_the_solver_has_a_line_for_each_phase():
    lines = show_source(dense.pegasos).data.splitlines()
    for pattern in LINES.values():
        assert sum(bool(re.search(pattern, line)) for line in lines) == 1


def test_controls_in_jupyter_redraw():
    widget = one_step().widget()
    widget.sliders["t"].value = 1
    widget.sliders["phase"].value = 2
    assert "1 − 1/1 = 0" in widget.drawing.summary
    assert "3. shrink" in widget.picture.value


@pytest.mark.parametrize(
    "options, part",
    [
        ({"t": 0}, "t is 0"),
        ({"phase": "jump"}, "phase is 'jump'"),
        ({"lam": -1.0}, "lam is -1.0"),
        ({"rule": "svm"}, "rule is 'svm'"),
    ],
)
def test_rejects(options, part):
    with pytest.raises(ValueError, match=re.escape(part)):
        one_step(**options)
