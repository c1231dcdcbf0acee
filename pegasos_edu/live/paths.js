/* Six first-order methods in the plane: the twin of paths.py. */
PegasosLive.register("paths", function (data) {
  "use strict";

  const { x, y, lam, methods, sets, best, targets, edges, floor } = data;
  const n = y.length;
  const [SGD, PEGASOS, LAZY, EG, ADAGRAD, GD] = methods.keys();
  const [L1, L2, SIMPLEX] = sets.keys();
  const all = Array.from(y.keys());
  const drawn = new Set(data.steps); // where the gap is drawn

  // Projections of w on the sets of radius 1, nearest in the norm of h.

  function onSimplex(v, h) {
    const first = h[0] * v[0] >= h[1] * v[1] ? 0 : 1, second = 1 - first;
    let theta = (v[0] + v[1] - 1) / (1 / h[0] + 1 / h[1]);
    if (h[second] * v[second] <= theta) theta = (v[first] - 1) * h[first];
    return v.map((value, i) => Math.max(value - theta / h[i], 0));
  }

  function onL2(w, h) {
    const norm = Math.hypot(w[0], w[1]);
    if (norm <= 1) return w;
    if (h[0] === h[1]) return [w[0] / norm, w[1] / norm];
    const pull = [h[0] * w[0], h[1] * w[1]];
    const at = (mu) => pull.map((p, i) => p / (h[i] + mu));
    let low = 0, high = Math.hypot(pull[0], pull[1]);
    for (let k = 0; k < 200; k++) { // bisect the multiplier of the ball
      const middle = (low + high) / 2, [a, b] = at(middle);
      if (Math.hypot(a, b) > 1) low = middle;
      else high = middle;
    }
    return at(high);
  }

  function project(set, w, h = [1, 1]) {
    if (set === SIMPLEX) return onSimplex(w, h);
    if (set === L2) return onL2(w, h);
    if (Math.abs(w[0]) + Math.abs(w[1]) <= 1) return w;
    const [a, b] = onSimplex(w.map(Math.abs), h);
    return [w[0] < 0 ? -a : a, w[1] < 0 ? -b : b];
  }

  // Multiplicative weights: e^θ, scaled to the sum 1.
  function softmax(theta) {
    const most = Math.max(...theta);
    const grown = theta.map((value) => Math.exp(value - most));
    const sum = grown.reduce((a, b) => a + b);
    return grown.map((value) => value / sum);
  }

  function subgradient(w, rows) {
    let g1 = 0, g2 = 0;
    for (const i of rows) {
      const x1 = x[2 * i], x2 = x[2 * i + 1];
      if (y[i] * (x1 * w[0] + x2 * w[1]) < 1) {
        g1 -= y[i] * x1;
        g2 -= y[i] * x2;
      }
    }
    return [lam * w[0] + g1 / rows.length, lam * w[1] + g2 / rows.length];
  }

  // The update of each method: a function (t, w, g) -> w_{t+1}.
  function updateOf(method, set, scale) {
    const eta = (t) => scale / Math.sqrt(t);
    if (method === EG) {
      const theta = set === SIMPLEX ? [0, 0] : [0, 0, 0, 0];
      return (t, w, g) => {
        const signed = [g[0], g[1], -g[0], -g[1]];
        theta.forEach((_, i) => { theta[i] -= eta(t) * signed[i]; });
        const u = softmax(theta);
        return set === SIMPLEX ? u : [u[0] - u[2], u[1] - u[3]];
      };
    }
    if (method === LAZY) {
      const theta = project(set, [0, 0]).slice();
      return (t, w, g) => {
        theta[0] -= eta(t) * g[0];
        theta[1] -= eta(t) * g[1];
        return project(set, theta.slice());
      };
    }
    if (method === ADAGRAD) {
      const squares = [0, 0];
      return (t, w, g) => {
        g.forEach((value, i) => { squares[i] += value * value; });
        const h = squares.map((s) => 1e-8 + Math.sqrt(s));
        return project(set, w.map((v, i) => v - (scale * g[i]) / h[i]), h);
      };
    }
    const step = method === PEGASOS ? (t) => scale / (lam * t) : eta;
    return (t, w, g) =>
      project(set, [w[0] - step(t) * g[0], w[1] - step(t) * g[1]]);
  }

  function objective([w1, w2]) {
    let loss = 0;
    for (let i = 0; i < n; i++) {
      const margin = y[i] * (x[2 * i] * w1 + x[2 * i + 1] * w2);
      if (margin < 1) loss += 1 - margin;
    }
    return 0.5 * lam * (w1 * w1 + w2 * w2) + loss / n;
  }

  const isOnEdge = (set, [a, b]) =>
    (set === L2 ? Math.hypot(a, b) : Math.abs(a) + Math.abs(b)) >= 1 - 1e-9;

  return function draw({ method, set, scale, T, seed }) {
    if (method === EG && set === L2) set = L1; // the only ball EG± knows
    const order = PegasosLive.order(n, T, seed);
    const update = updateOf(method, set, scale);
    let w = project(set, [0, 0]), sum = [0, 0], edge = 0;
    const path = [{ t: 0, x: w[0], y: w[1] }];
    const curve = [];
    const readouts = {};
    for (let t = 1; t <= T; t++) {
      sum = [sum[0] + w[0], sum[1] + w[1]];
      const rows = method === GD ? all : [order[t - 1]];
      w = update(t, w, subgradient(w, rows));
      path.push({ t, x: w[0], y: w[1] });
      if (isOnEdge(set, w)) edge++;
      if (t !== T && !drawn.has(t)) continue;
      readouts.gap = objective(w) - best[set];
      readouts.average_gap = objective([sum[0] / t, sum[1] / t]) - best[set];
      if (!drawn.has(t)) continue;
      curve.push({ t, gap: Math.max(readouts.gap, floor),
        iterate: "last iterate" });
      curve.push({ t, gap: Math.max(readouts.average_gap, floor),
        iterate: "average" });
    }
    readouts.edge = edge / T;
    const [a, b] = targets[set];
    const say = PegasosLive.format;
    return {
      rows: { edge: edges[set], path, curve,
        stops: path.filter(({ t }) => t === 0 || drawn.has(t)),
        now: [{ x: w[0], y: w[1] }], target: [{ x: a, y: b }] },
      readouts,
      summary: `${methods[method]} on the ${sets[set]}, ` +
        `${T.toLocaleString("en")} steps: the last iterate is ` +
        `${say(readouts.gap)} above the optimum on the set, the average ` +
        `${say(readouts.average_gap)}; ${say(readouts.edge, "percent")} of ` +
        "the steps ended on the edge.",
    };
  };
});
