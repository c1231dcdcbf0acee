/* Full and single-example steps in the browser: the twin of stochastic.py. */
PegasosLive.register("stochastic", function (data) {
  "use strict";

  const { x, y, lam, best, least, circle, floor } = data;
  const n = y.length, plane = PegasosLive.inPlane(x, y);
  const everything = Array.from(y, (_, i) => i);

  // The constant step, or 1/(λ(t + t0)) with η as its first step.
  function stepRule(rule, eta) {
    const t0 = Math.max(0, 1 / (lam * eta) - 1);
    return rule === 0 ? () => eta : (t) => 1 / (lam * (t + t0));
  }

  // Dense Pegasos; `batch(t)` lists the examples of step t.
  function path(T, step, batch) {
    const points = [[0, 0]];
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
      points.push([w1, w2]);
    }
    return points;
  }

  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

  return function draw({ eta, T, rule, seed }) {
    const order = PegasosLive.order(n, T, seed), step = stepRule(rule, eta);
    const paths = {
      "one example": path(T, step, (t) => [order[t - 1]]),
      "all examples": path(T, step, () => everything),
    };
    const rows = { path: [], gap: [], ball: [], ends: [] }, gaps = {};
    for (const [method, points] of Object.entries(paths)) {
      points.forEach(([x, y], t) => rows.path.push({ t, x, y, method }));
      gaps[method] = points.slice(1).map(
        (w) => plane.objective(...w, lam) - least);
      const cost = method === "one example" ? 1 : n;
      gaps[method].forEach((gap, k) => rows.gap.push(
        { looks: cost * (k + 1), gap: Math.max(floor, gap), method }));
      rows.ends.push(rows.gap.at(-1));
    }
    const half = Math.floor(T / 2);
    const late = paths["one example"].slice(1 + half);
    const radius = Math.sqrt(mean(late.map(([a, b]) =>
      (a - best[0]) ** 2 + (b - best[1]) ** 2)));
    for (let k = 0; k <= circle; k++) {
      const angle = 2 * Math.PI * k / circle;
      rows.ball.push({ k, x: best[0] + radius * Math.cos(angle),
        y: best[1] + radius * Math.sin(angle) });
    }
    const readouts = {
      radius,
      bounce: mean(gaps["one example"].slice(half)),
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
