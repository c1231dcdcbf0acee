/* Steps from a kink, uphill and nearer: the twin of uphill.py. */
PegasosLive.register("uphill", function (data) {
  "use strict";

  const { z, lam, start, best, circle, lower, nearer, names } = data;

  const value = (w) => lam / 2 * (w[0] * w[0] + w[1] * w[1]) +
    Math.max(0, 1 - (z[0] * w[0] + z[1] * w[1]));

  function subgradient(w) {
    const share = z[0] * w[0] + z[1] * w[1] < 1 ? 1 : 0;
    return [lam * w[0] - share * z[0], lam * w[1] - share * z[1]];
  }

  const distance = (w) => Math.hypot(w[0] - best[0], w[1] - best[1]);

  const place = (angle, far) => ({ x: best[0] + far * Math.cos(angle),
    y: best[1] + far * Math.sin(angle) });

  function wayOut(start, a, b, square) {
    const along = start[0] * a + start[1] * b;
    const inside = square - (start[0] * start[0] + start[1] * start[1]);
    return Math.sqrt(along * along + Math.max(0, inside)) - along;
  }

  // How far it is to where the objective is f.
  function wayTo(f, angle) {
    const a = Math.cos(angle), b = Math.sin(angle);
    const long2 = z[0] * z[0] + z[1] * z[1];
    const fromZ = [best[0] - z[0] / lam, best[1] - z[1] / lam];
    return Math.min(wayOut(best, a, b, 2 * f / lam),
      wayOut(fromZ, a, b, 2 * (f - 1) / lam + long2 / (lam * lam)));
  }

  // The circle about the minimum through w, and where f is as at w.
  function around(w) {
    const reach = distance(w), f = value(w), kink = Math.atan2(z[0], -z[1]);
    const rows = { reach: [], lower: [] };
    for (let k = 0; k <= circle; k++) {
      const angle = 2 * Math.PI * k / circle + kink;
      rows.reach.push({ k, ...place(angle, reach) });
      rows.lower.push({ k, ...place(angle, wayTo(f, angle)) });
    }
    rows.words = [
      { word: "lower", ...place(lower, wayTo(f, lower) / 2) },
      { word: "nearer", ...place(nearer, 0.6 * reach) },
    ];
    return rows;
  }

  return function draw({ eta, T }) {
    const path = [start];
    for (let k = 0; k < T; k++) {
      const w = path[k], g = subgradient(w);
      path.push([w[0] - eta * g[0], w[1] - eta * g[1]]);
    }
    const f = path.map(value), far = path.map(distance);
    const last = path[Math.max(0, T - 1)], g = subgradient(last);
    const grown = (each) => T ? each[T] - each[T - 1] : 0;
    const count = (each) =>
      each.filter((now, k) => k > 0 && now > each[k - 1]).length;
    const low = value(best);
    const rows = {
      path: path.map(([x, y], k) => ({ t: k, x, y })),
      step: [last, path[T]].map(([x, y], k) => ({ x, y, k })),
      ...around(last),
      course: [
        ...f.map((now, k) => ({ t: k, name: names[0],
          left: (now - low) / (value(start) - low) })),
        ...far.map((now, k) => ({ t: k, name: names[1],
          left: now / distance(start) })),
      ],
    };
    const readouts = {
      rise: grown(f),
      nearer: grown(far),
      limit: 2 * (value(last) - low) / (g[0] * g[0] + g[1] * g[1]),
      uphill: count(f),
      away: count(far),
    };
    const { format: say, plain } = PegasosLive;
    const { rise, uphill, away } = readouts;
    return {
      rows,
      readouts,
      summary: T === 0
        ? `η = ${plain(eta)}: before the first step.`
        : `η = ${plain(eta)}, step ${T}: f goes ${rise > 0 ? "up" : "down"} ` +
          `by ${say(Math.abs(rise))}, and the minimum is ` +
          `${readouts.nearer > 0 ? "farther away" : "nearer"} by ` +
          `${say(Math.abs(readouts.nearer))}. So far ${uphill} of ${T} steps went ` +
          `uphill, ${away} away from the minimum.`,
    };
  };
});
