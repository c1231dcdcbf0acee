/* The Pegasos explorer in the browser: the twin of pegasos.py. */
PegasosLive.register("pegasos", function (data) {
  "use strict";

  const { x, y, box, steps, lams, best } = data;
  const n = y.length;

  // Dense Pegasos in the plane, operation by operation as in dense.py.
  // Returns [w1, w2, a1, a2] after each step of the grid: w_{t+1} and the
  // average of w_1, ..., w_t.
  function solve(lam, T, seed) {
    const order = PegasosLive.order(n, T, seed);
    const kept = [];
    let w1 = 0, w2 = 0, sum1 = 0, sum2 = 0;
    for (let t = 1; t <= T; t++) {
      const i = order[t - 1];
      const x1 = x[2 * i], x2 = x[2 * i + 1];
      const eta = 1 / (lam * t);
      const shrink = 1 - eta * lam;
      const margin = y[i] * (x1 * w1 + x2 * w2); // with the old w
      sum1 += w1;
      sum2 += w2;
      w1 *= shrink;
      w2 *= shrink;
      if (margin < 1) {
        w1 += eta * y[i] * x1;
        w2 += eta * y[i] * x2;
      }
      if (t === steps[kept.length]) kept.push([w1, w2, sum1 / t, sum2 / t]);
    }
    return kept;
  }

  function objective(w1, w2, lam) {
    let loss = 0;
    for (let i = 0; i < n; i++) {
      const margin = y[i] * (x[2 * i] * w1 + x[2 * i + 1] * w2);
      if (margin < 1) loss += 1 - margin;
    }
    return 0.5 * lam * (w1 * w1 + w2 * w2) + loss / n;
  }

  function error(w1, w2) {
    let wrong = 0;
    for (let i = 0; i < n; i++) {
      if (y[i] * (x[2 * i] * w1 + x[2 * i + 1] * w2) <= 0) wrong++;
    }
    return wrong / n;
  }

  function linesOf(w) {
    const names = { 0: "decision line", 1: "margin", "-1": "margin" };
    const rows = [];
    for (const side of [0, 1, -1]) {
      const ends = PegasosLive.clipLine(w, side, box);
      if (!ends) continue;
      const [x, y, x2, y2] = ends;
      rows.push({ line: names[side], side, x, y, x2, y2 });
    }
    return rows;
  }

  return function draw({ lam, T, seed }) {
    const kept = solve(lam, T, seed);
    const last = [], average = [];
    kept.forEach(([w1, w2, a1, a2], k) => {
      const t = steps[k];
      last.push({ t, f: objective(w1, w2, lam), iterate: "last iterate" });
      average.push({ t, f: objective(a1, a2, lam),
        iterate: "average" });
    });
    const now = [last.at(-1), average.at(-1)];
    const [w1, w2] = kept.at(-1);
    const optimum = best[lams.indexOf(lam)];
    const readouts = {
      norm: Math.hypot(w1, w2),
      objective: now[0].f,
      gap: now[0].f - optimum,
      error: error(w1, w2),
    };
    const say = PegasosLive.format;
    return {
      rows: {
        lines: linesOf([w1, w2]),
        curve: last.concat(average),
        now,
        best: [{ f: optimum }],
      },
      readouts,
      summary: `λ = ${lam}, T = ${T.toLocaleString("en")}: the objective ` +
        `is ${say(readouts.objective)}, ${say(readouts.gap)} above the ` +
        `certified optimum; ${say(readouts.error, "percent")} of the ` +
        "points are on the wrong side.",
    };
  };
});
