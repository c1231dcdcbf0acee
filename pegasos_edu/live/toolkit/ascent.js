/* The optimum of a few points in the plane, with a certificate. */
(function () {
  "use strict";

  const GAP = 1e-10, MOST_EPOCHS = 20000;

  // Points x = [x11, x12, x21, …] with labels y: the optimum w, its dual
  // variables alpha, f(w), the relative gap, and marginOf(i).
  PegasosLive.ascent = function (x, y, lam) {
    function weights(alpha, scale) {
      let w1 = 0, w2 = 0;
      for (let i = 0; i < y.length; i++) {
        w1 += alpha[i] * y[i] * x[2 * i];
        w2 += alpha[i] * y[i] * x[2 * i + 1];
      }
      return [w1 / scale, w2 / scale];
    }

    // f(w) and D(α), which bounds f* from below whatever α is.
    function certify(w, alpha) {
      const n = y.length, own = weights(alpha, lam * n);
      let loss = 0, sum = 0;
      for (let i = 0; i < n; i++) {
        loss += Math.max(0, 1 - marginOf(w, i));
        sum += alpha[i];
      }
      const square = (v) => 0.5 * lam * (v[0] * v[0] + v[1] * v[1]);
      const primal = square(w) + loss / n, dual = sum / n - square(own);
      return { w, alpha, primal, gap: Math.max(0, (primal - dual) / primal) };
    }

    const marginOf = (w, i) => y[i] * (w[0] * x[2 * i] + w[1] * x[2 * i + 1]);

    // Dual coordinate ascent until the gap is closed.
    function solve() {
      const n = y.length, scale = lam * n;
      const alpha = new Float64Array(n);
      let best = null;
      for (let epoch = 1; epoch <= MOST_EPOCHS; epoch++) {
        let w = weights(alpha, scale); // drop the rounding so far
        for (let i = 0; i < n; i++) {
          const norm2 = x[2 * i] ** 2 + x[2 * i + 1] ** 2;
          if (norm2 === 0) {
            alpha[i] = 1;
            continue;
          }
          const full = alpha[i] + scale * (1 - marginOf(w, i)) / norm2;
          const next = Math.min(1, Math.max(0, full));
          const step = (next - alpha[i]) * y[i] / scale;
          w = [w[0] + step * x[2 * i], w[1] + step * x[2 * i + 1]];
          alpha[i] = next;
        }
        if (epoch % 10) continue;
        best = [certify(w, alpha.slice()), finish(alpha)]
          .reduce((a, b) => (b && b.gap < a.gap ? b : a));
        if (best.gap <= GAP) break;
      }
      return best;
    }

    // In the plane at most two points sit on their margins by need: solve for
    // w so that they do, then for their α.
    function finish(alpha) {
      const n = y.length, scale = lam * n;
      const free = [...alpha.keys()]
        .filter((i) => alpha[i] > 1e-7 && alpha[i] < 1 - 1e-7);
      if (free.length < 1 || free.length > 2) return null;
      const moved = alpha.map((a, i) => free.includes(i) ? 0 : Math.round(a));
      const rest = weights(moved, scale);
      const z = free.map((i) => [y[i] * x[2 * i], y[i] * x[2 * i + 1]]);
      const dot = (a, b) => (a[0] * b[0] + a[1] * b[1]) / scale;
      const lack = free.map((i) => 1 - marginOf(rest, i));
      let found;
      if (free.length === 1) {
        found = [lack[0] / dot(z[0], z[0])];
      } else {
        const [a, b, c] = [dot(z[0], z[0]), dot(z[0], z[1]), dot(z[1], z[1])];
        const det = a * c - b * b;
        found = [(c * lack[0] - b * lack[1]) / det,
          (a * lack[1] - b * lack[0]) / det];
      }
      if (!found.every((a) => a >= 0 && a <= 1)) return null;
      free.forEach((i, k) => { moved[i] = found[k]; });
      return certify(weights(moved, scale), moved);
    }

    const found = solve();
    return { ...found, marginOf: (i) => marginOf(found.w, i) };
  };
})();
