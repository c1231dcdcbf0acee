/* Pegasos on many machines, in rounds: the twin of machines.py. */
PegasosLive.register("machines", function (data) {
  "use strict";

  const { z, rows, shards: kinds, lams, best, least, T, seed } = data;
  const { steps, floor } = data;
  const n = z.length / 2, drawn = new Set(steps);
  const plane = PegasosLive.inPlane(z, Array(n).fill(1));
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  const middle = (places) => [0, 1].map((j) => mean(places.map((w) => w[j])));

  // One step of a machine at w with the point of this row.
  function moved([w1, w2], row, shrink, eta) {
    const z1 = z[2 * row], z2 = z[2 * row + 1];
    const step = z1 * w1 + z2 * w2 < 1 ? eta : 0;
    return [shrink * w1 + step * z1, shrink * w2 + step * z2];
  }

  // For each of the steps where the machines are, before they are averaged.
  function run(m, rounds, lam, kind) {
    const size = n / m, kept = new Map(), stops = new Set();
    for (let r = 1; r <= rounds; r++) stops.add(Math.floor(T * r / rounds));
    const orders = Array.from({ length: m },
      (_, j) => PegasosLive.order(size, T, seed * n + j));
    let places = orders.map(() => [0, 0]);
    for (let t = 1; t <= T; t++) {
      places = places.map((w, j) => moved(w,
        rows[kind][j * size + orders[j][t - 1]], 1 - 1 / t, 1 / (lam * t)));
      if (drawn.has(t)) kept.set(t, places);
      if (stops.has(t)) places = Array(m).fill(middle(places));
    }
    return kept;
  }

  return function draw({ m, rounds, lam, shards }) {
    const k = lams.indexOf(lam), curve = [], readouts = {};
    const gapOf = (w) => plane.objective(...w, lam) - least[k];
    let places, average;
    for (const [t, all] of run(m, rounds, lam, shards)) {
      places = all;
      average = middle(all);
      readouts.gap = gapOf(average);
      readouts.single = mean(all.map(gapOf));
      curve.push(
        { t, gap: Math.max(floor, readouts.single), name: "one machine" },
        { t, gap: Math.max(floor, readouts.gap),
          name: "their average" });
    }
    const away = ([a, b], [c, d]) => Math.hypot(a - c, b - d);
    readouts.distance = away(average, best[k]);
    readouts.spread = Math.sqrt(
      mean(places.map((w) => away(w, average) ** 2)));
    readouts.sent = 2 * m * rounds;
    const point = ([x, y]) => ({ x, y }), say = PegasosLive.format;
    return {
      rows: {
        places: places.map(point),
        average: [point(average)],
        best: [point(best[k])],
        curve,
      },
      readouts,
      summary: `m = ${m}, rounds: ${rounds.toLocaleString("en")}, ` +
        `λ = ${lam}, shards ${kinds[shards]}: the average of the machines ` +
        `is ${say(readouts.gap)} above the optimum and ` +
        `${say(readouts.distance)} away from it; the machines are ` +
        `${say(readouts.spread)} from their average.`,
    };
  };
});
