/* The Pegasos explorer in the browser: the twin of pegasos.py. */
PegasosLive.register("pegasos", function (data) {
  "use strict";

  const { x, y, box, steps, lams, best, few } = data;
  const plane = PegasosLive.inPlane(x, y);

  return function draw({ lam, T, seed }) {
    const order = PegasosLive.order(y.length, T, seed);
    const kept = plane.run(order, lam, (t) => 1 / (lam * t), steps);
    const last = [], average = [];
    kept.forEach(([w1, w2, a1, a2], k) => {
      const t = steps[k];
      last.push({ t, f: plane.objective(w1, w2, lam),
        iterate: "last iterate" });
      average.push({ t, f: plane.objective(a1, a2, lam),
        iterate: "average" });
    });
    const [w1, w2] = kept.at(-1);
    const optimum = best[lams.indexOf(lam)];
    const readouts = {
      norm: Math.hypot(w1, w2),
      objective: last.at(-1).f,
      gap: last.at(-1).f - optimum,
      error: plane.error(w1, w2),
    };
    const say = PegasosLive.format;
    return {
      rows: {
        lines: PegasosLive.street([w1, w2], box),
        curve: last.concat(average),
        best: [{ f: optimum, early: T <= few }],
      },
      readouts,
      summary: `λ = ${lam}, T = ${T.toLocaleString("en")}: the objective ` +
        `is ${say(readouts.objective)}, ${say(readouts.gap)} above the ` +
        `certified optimum; ${say(readouts.error, "percent")} of the ` +
        "points are on the wrong side.",
    };
  };
});
