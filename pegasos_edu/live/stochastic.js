/* Full and single-example steps in the browser: the twin of stochastic.py. */
PegasosLive.register("stochastic", function (data) {
  "use strict";

  const { x, y, lam, best, least, circle, floor, near, growth } = data;
  const n = y.length, plane = PegasosLive.inPlane(x, y);
  const everything = Array.from(y, (_, i) => i);

  // The constant step, or 1/(λ(t + t0)) with η as its first step.
  function stepRule(rule, eta) {
    const t0 = Math.max(0, 1 / (lam * eta) - 1);
    return rule === 0 ? () => eta : (t) => 1 / (lam * (t + t0));
  }

  // Dense Pegasos; `batch(t)` lists the examples of step t. The t-th of
  // both is a part of w after t steps.
  function path(T, step, batch) {
    const first = new Float64Array(T + 1), second = new Float64Array(T + 1);
    let w1 = 0, w2 = 0;
    for (let t = 1; t <= T; t++) {
      const eta = step(t), rows = batch(t);
      let v1 = 0, v2 = 0;
      for (const i of rows) {
        const margin = y[i] * (x[2 * i] * w1 + x[2 * i + 1] * w2);
        if (margin < 1) {
          v1 += y[i] * x[2 * i];
          v2 += y[i] * x[2 * i + 1];
        }
      }
      w1 = (1 - eta * lam) * w1 + eta * v1 / rows.length;
      w2 = (1 - eta * lam) * w2 + eta * v2 / rows.length;
      first[t] = w1;
      second[t] = w2;
    }
    return [first, second];
  }

  // Drawing takes longer than computing: what the eye cannot tell apart
  // from the rest of the line is left out.

  // The steps that are `near` or further from the last one that is drawn.
  function moves(w1, w2) {
    const T = w1.length - 1, kept = [0];
    for (let t = 1, last = 0; t <= T; t++) {
      const far = Math.max(
        Math.abs(w1[t] - w1[last]), Math.abs(w2[t] - w2[last]));
      if (far >= near || t === T) kept.push(last = t);
    }
    return kept;
  }

  // The lowest and the highest value among steps whose places on a
  // logarithmic axis are one for the eye, and the last step.
  function extremes(values) {
    const T = values.length - 1, kept = [];
    for (let t = 1; t <= T;) {
      const end = Math.min(T + 1, Math.max(t + 1, Math.floor(growth * t)));
      let low = t, high = t;
      for (; t < end; t++) {
        if (values[t] < values[low]) low = t;
        if (values[t] > values[high]) high = t;
      }
      kept.push(Math.min(low, high));
      if (low !== high) kept.push(Math.max(low, high));
    }
    if (kept.at(-1) !== T) kept.push(T);
    return kept;
  }

  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

  return function draw({ eta, T, rule, seed }) {
    const order = PegasosLive.order(n, T, seed), step = stepRule(rule, eta);
    const paths = {
      "one example": path(T, step, (t) => [order[t - 1]]),
      "all examples": path(T, step, () => everything),
    };
    const rows = { path: [], gap: [], ball: [], starts: [], ends: [] };
    const gaps = {};
    for (const [method, [w1, w2]] of Object.entries(paths)) {
      const gap = w1.map((a, t) => plane.objective(a, w2[t], lam) - least);
      const cost = method === "one example" ? 1 : n;
      for (const t of moves(w1, w2)) {
        rows.path.push({ t, x: w1[t], y: w2[t], method });
      }
      const first = rows.gap.length;
      for (const t of extremes(gap)) {
        rows.gap.push(
          { looks: cost * t, gap: Math.max(floor, gap[t]), method });
      }
      rows.starts.push(rows.gap[first]);
      rows.ends.push(rows.gap.at(-1));
      gaps[method] = gap;
    }
    const half = Math.floor(T / 2);
    const [late1, late2] = paths["one example"].map(
      (part) => part.subarray(1 + half));
    const radius = Math.sqrt(mean(late1.map((a, k) =>
      (a - best[0]) ** 2 + (late2[k] - best[1]) ** 2)));
    for (let k = 0; k <= circle; k++) {
      const angle = 2 * Math.PI * k / circle;
      rows.ball.push({ k, x: best[0] + radius * Math.cos(angle),
        y: best[1] + radius * Math.sin(angle) });
    }
    const readouts = {
      radius,
      bounce: mean(gaps["one example"].subarray(1 + half)),
      full: Math.max(0, gaps["all examples"].at(-1)),
      looks: T,
      full_looks: n * T,
    };
    const say = PegasosLive.format;
    return {
      rows,
      readouts,
      summary: `η = ${eta}, T = ${T.toLocaleString("en")}: in the second ` +
        `half the single-example steps stay about ${say(radius)} from the ` +
        `minimum and ${say(readouts.bounce)} above it; the full steps end ` +
        `${say(readouts.full)} above it.`,
    };
  };
});
