/* λ and T in the browser: the twin of choosing.py. */
PegasosLive.register("choosing", function (data) {
  "use strict";

  const { x, y, xOut, yOut, box, lams, best } = data;

  // Pegasos in the plane; the last iterate.
  function solve(lam, T, seed) {
    const order = PegasosLive.order(y.length, T, seed);
    let w1 = 0, w2 = 0;
    for (let t = 1; t <= T; t++) {
      const i = order[t - 1];
      const x1 = x[2 * i], x2 = x[2 * i + 1];
      const eta = 1 / (lam * t), shrink = 1 - eta * lam;
      const margin = y[i] * (x1 * w1 + x2 * w2); // with the old w
      w1 *= shrink;
      w2 *= shrink;
      if (margin < 1) {
        w1 += eta * y[i] * x1;
        w2 += eta * y[i] * x2;
      }
    }
    return [w1, w2];
  }

  // Mean hinge loss, share of margins below 1, share of errors.
  function judge([w1, w2], points, labels) {
    let loss = 0, violators = 0, wrong = 0;
    labels.forEach((label, i) => {
      const m = label * (points[2 * i] * w1 + points[2 * i + 1] * w2);
      if (m < 1) {
        loss += 1 - m;
        violators++;
      }
      if (m <= 0) wrong++;
    });
    return [loss, violators, wrong].map((sum) => sum / labels.length);
  }

  function linesOf(w, wBest) {
    const wanted = [["T steps", w, 0], ["margin", w, 1],
      ["margin", w, -1], ["optimum", wBest, 0]];
    return wanted.flatMap(([name, v, side]) => {
      const ends = PegasosLive.clipLine(v, side, box);
      if (!ends) return [];
      const [left, bottom, right, top] = ends;
      return [{ name, side, x: left, y: bottom, x2: right, y2: top }];
    });
  }

  return function draw({ lam, T, seed }) {
    const w = solve(lam, T, seed);
    const [fBest, ...wBest] = best[lams.indexOf(lam)];
    const [training, violators] = judge(w, x, y);
    const [held, , errors] = judge(w, xOut, yOut);
    const squared = w[0] * w[0] + w[1] * w[1];
    const readouts = {
      norm: Math.sqrt(squared),
      violators,
      gap: 0.5 * lam * squared + training - fBest,
      training,
      held_out: held,
      errors,
    };
    const say = PegasosLive.format;
    return {
      rows: {
        lines: linesOf(w, wBest),
        now: [
          { lam, loss: training, name: "training" },
          { lam, loss: held, name: "held out" },
        ],
        chosen: [{ lam }],
      },
      readouts,
      summary: `λ = ${lam}, T = ${T.toLocaleString("en")}: the loss is ` +
        `${say(training)} in training and ${say(held)} held out; f is ` +
        `${say(readouts.gap)} above the certified optimum.`,
    };
  };
});
