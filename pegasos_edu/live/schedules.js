/* Step-size rules in the browser: the twin of schedules.py. */
PegasosLive.register("schedules", function (data) {
  "use strict";

  const { x, y, times, least, rules, lams, best } = data;
  const plane = PegasosLive.inPlane(x, y), T = times.at(-1);
  const orders = data.seeds.map(
    (seed) => PegasosLive.order(y.length, T, seed));
  const even = times.filter((t) => t % 2 === 0);
  const halves = even.map((t) => [times.indexOf(t), times.indexOf(t / 2)]);

  function stepOf(rule, scale, lam) {
    const own = lam / scale;
    return [
      (t) => 1 / (own * t),
      (t) => scale / Math.sqrt(t),
      () => scale,
    ][rule];
  }

  // Least squares of log gap against log t, from data.from on.
  function slope(curve) {
    const late = curve.filter(([t]) => t >= data.from);
    const u = late.map(([t]) => Math.log(t));
    const v = late.map(([, gap]) => Math.log(Math.max(gap, least)));
    const middle = u.reduce((a, b) => a + b) / u.length;
    let uv = 0, uu = 0;
    u.forEach((value, k) => {
      uv += (value - middle) * v[k];
      uu += (value - middle) ** 2;
    });
    return uv / uu;
  }

  const median = (values) =>
    Float64Array.from(values).sort()[(values.length - 1) / 2];

  // The median gaps over the seeds, as pairs [t, gap]: of the last
  // iterate, of the average, and of the average of the last half.
  function medianGaps(lam, step) {
    const optimum = best[lams.indexOf(lam)];
    // Each step size is that of 31 runs.
    const etas = Float64Array.from({ length: T + 1 }, (_, t) => step(t));
    const gap = (w1, w2) => plane.objective(w1, w2, lam) - optimum;
    const curves = orders.map((order) => {
      const kept = plane.run(order, lam, (t) => etas[t], times);
      return [
        kept.map(([w1, w2]) => gap(w1, w2)),
        kept.map(([, , a1, a2]) => gap(a1, a2)),
        halves.map(([now, before]) => {
          const [, , a1, a2] = kept[now], [, , b1, b2] = kept[before];
          return gap(2 * a1 - b1, 2 * a2 - b2);
        }),
      ];
    });
    return [times, times, even].map((ts, j) =>
      ts.map((t, k) => [t, median(curves.map((curve) => curve[j][k]))]));
  }

  // The curve beside which all others stand; only λ moves it.
  const beside = new Map();
  function rightGaps(lam) {
    if (!beside.has(lam)) {
      beside.set(lam, medianGaps(lam, stepOf(0, 1, lam))[0]);
    }
    return beside.get(lam);
  }

  return function draw({ rule, scale, lam }) {
    const step = stepOf(rule, scale, lam), right = stepOf(0, 1, lam);
    const [last, average, half] = medianGaps(lam, step);
    const curves = [last, average, half, rightGaps(lam)];
    const names = [data.chosen[rule], "average", "last half",
      data.right];
    const readouts = {
      last: last.at(-1)[1],
      average: average.at(-1)[1],
      half: half.at(-1)[1],
      slope: slope(last),
    };
    const say = PegasosLive.format;
    return {
      rows: {
        gaps: curves.flatMap((curve, k) => curve.map(([t, g]) =>
          ({ t, gap: Math.max(g, least), name: names[k] }))),
        steps: [[data.short[rule], step], ["1/(λt)", right]]
          .flatMap(([name, eta]) =>
            times.map((t) => ({ t, eta: eta(t), name }))),
      },
      readouts,
      summary: `Step ${rules[rule]} with c = ${scale}, λ = ${lam}: after ` +
        `${T.toLocaleString("en")} steps, in the median, the last iterate ` +
        `is ${say(readouts.last)} above the optimum, the average of the ` +
        `last half ${say(readouts.half)}; the slope is ` +
        `${say(readouts.slope)}.`,
    };
  };
});
