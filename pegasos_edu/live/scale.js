/* The scale trick in the browser: the twin of scale.py. */
PegasosLive.register("scale", function (data) {
  "use strict";

  const { rows, features, foldBelow } = data;
  const d = features.length;
  const byInteger = 0;
  const zeros = () => new Array(d).fill(0);

  // T steps on w itself, and the same on a, v, s and q, operation by
  // operation as in scale.py.
  function run(T, lam, rule) {
    const order = PegasosLive.order(rows.length, T, 0);
    let w = zeros(), total = zeros(), v = zeros(), q = zeros();
    let a = 1, s = 0;
    const scales = [];
    for (let t = 1; t <= T; t++) {
      const { cols, vals, y } = rows[order[t - 1]];
      const eta = 1 / (lam * t);
      total = total.map((sum, j) => sum + w[j]);
      s += a;
      let score = 0;
      cols.forEach((c, p) => { score += w[c] * vals[p]; });
      const margin = y * score;
      const shrink = rule === byInteger ? (t - 1) / t : 1 - eta * lam;
      w = w.map((w_j) => ((t - 1) / t) * w_j);
      a *= shrink;
      if (rule === byInteger && a < foldBelow) {
        q = q.map((q_j, j) => q_j - s * v[j]);
        v = v.map((v_j) => a * v_j);
        a = 1;
        s = 0;
      } else if (a === 0) {
        a = 1;
      }
      if (margin < 1) {
        cols.forEach((c, p) => {
          w[c] += eta * y * vals[p];
          v[c] += ((eta * y) / a) * vals[p];
          q[c] += s * ((eta * y) / a) * vals[p];
        });
      }
      scales.push(a);
    }
    return { w, v, a, s, q, total, scales };
  }

  // The largest difference over the largest entry; 0 if all are 0.
  function wrongBy(found, right) {
    const largest = Math.max(...right.map(Math.abs));
    const apart = found.map((value, j) => Math.abs(value - right[j]));
    return Math.max(...apart) / (largest || 1);
  }

  function pairsOf(w, v) {
    const pairs = [], links = [];
    for (const [what, values] of [["|w|", w], ["|v|", v]]) {
      values.forEach((value, j) => {
        const size = Math.abs(value);
        if (size > 0) pairs.push({ feature: features[j], size, what });
      });
    }
    features.forEach((feature, j) => {
      if (w[j] === 0 || v[j] === 0) return;
      links.push({ feature, w: Math.abs(w[j]), v: Math.abs(v[j]) });
    });
    return { pairs, links };
  }

  return function draw({ T, lam, rule }) {
    const { w, v, a, s, q, total, scales } = run(T, lam, rule);
    const readouts = {
      a,
      last: wrongBy(v.map((v_j) => a * v_j), w),
      average: wrongBy(v.map((v_j, j) => s * v_j - q[j]), total),
    };
    const say = PegasosLive.format;
    return {
      rows: {
        ...pairsOf(w, v),
        scales: scales.map((a_t, k) => ({ t: k + 1, a: a_t })),
        now: [{ t: T, a }],
      },
      readouts,
      summary: `After ${T} steps with λ = ${lam} the scale is ${say(a)}; ` +
        `a·v is off by ${say(readouts.last)}, the average by ` +
        `${say(readouts.average)}.`,
    };
  };
});
