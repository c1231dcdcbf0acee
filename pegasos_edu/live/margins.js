/* Draggable points and the exact optimum: the twin of margins.py. */
PegasosLive.register("margins", function (data, tools) {
  "use strict";

  const { sets, box } = data;
  const GAP = 1e-10, MOST_EPOCHS = 20000, PULLS = 1e-9;
  let shown = 0; // the arrangement on the screen
  let points = [], lit = -1; // what is drawn; the point pointed at
  let x = [], y = [], moved = new Map(), restored = false, handles = null;

  function weights(alpha, scale) {
    let w1 = 0, w2 = 0;
    for (let i = 0; i < y.length; i++) {
      w1 += alpha[i] * y[i] * x[2 * i];
      w2 += alpha[i] * y[i] * x[2 * i + 1];
    }
    return [w1 / scale, w2 / scale];
  }

  // f(w) and D(α), which bounds f* from below whatever α is.
  function certify(w, alpha, lam) {
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
  function solve(lam) {
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
      best = [certify(w, alpha.slice(), lam), finish(alpha, lam)]
        .reduce((a, b) => (b && b.gap < a.gap ? b : a));
      if (best.gap <= GAP) break;
    }
    return best;
  }

  // In the plane at most two points sit on their margins by need: solve for
  // w so that they do, then for their α.
  function finish(alpha, lam) {
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
    return certify(weights(moved, scale), moved, lam);
  }

  // The points: those of the arrangement, and where they were moved to

  function place() {
    x = sets[shown].x.slice();
    y = sets[shown].y;
    for (const [i, [a, b]] of moved) {
      if (i < y.length) [x[2 * i], x[2 * i + 1]] = [a, b];
    }
  }

  function drag(i, a, b) {
    const inside = (value, half) =>
      Math.round(100 * Math.min(half, Math.max(-half, value))) / 100;
    moved.set(i, [inside(a, box[0]), inside(b, box[1])]);
    tools.changed();
  }

  // In the URL: 3_25_-150.4_100_0 puts point 3 at (0.25, -1.5), 4 at (1, 0).
  tools.own = {
    key: "moved",
    get: () => [...moved].map(([i, [a, b]]) =>
      [i, Math.round(100 * a), Math.round(100 * b)].join("_")).join("."),
    set(text) {
      moved = new Map();
      for (const [, i, a, b] of text.matchAll(/(\d+)_(-?\d+)_(-?\d+)/g)) {
        moved.set(+i, [+a / 100, +b / 100]);
      }
      restored = true;
    },
  };

  function makeHandles() {
    const [panel] = tools.panels;
    const most = Math.max(...sets.map((set) => set.y.length));
    return Array.from({ length: most }, (_, i) =>
      PegasosLive.handle(panel, tools.views[0], {
        label: true, step: 0.1, moved: (a, b) => drag(i, a, b),
        lit: (on) => light(on ? i : -1),
      }));
  }

  // A point is large in both panels while the pointer is on either of it.
  const rowsLit = () => points.slice(lit, lit < 0 ? lit : lit + 1);

  function light(i) {
    if (i === lit) return;
    lit = i;
    tools.views.forEach((view) => view.data("lit", rowsLit()).runAsync());
  }

  function lightFromLoss() {
    const panel = tools.panels[1], view = tools.views[1];
    panel.addEventListener("pointermove", (event) => {
      const { left, top } = panel.getBoundingClientRect();
      const origin = view.origin(), { left: x0, top: y0 } = view.padding();
      const far = points.map(({ m, loss }) => Math.hypot(
        event.clientX - left - x0 - origin[0] - view.scale("x")(m),
        event.clientY - top - y0 - origin[1] - view.scale("y")(loss)));
      const least = Math.min(...far);
      light(least < 12 ? far.indexOf(least) : -1);
    });
    panel.addEventListener("pointerleave", () => light(-1));
  }

  function linesOf(w) {
    const names = { 0: "decision line", 1: "margin", "-1": "margin" };
    return [0, 1, -1].flatMap((side) => {
      const ends = PegasosLive.clipLine(w, side, box);
      if (!ends) return [];
      const [x, y, x2, y2] = ends;
      return [{ line: names[side], side, x, y, x2, y2 }];
    });
  }

  return function draw({ lam, set }) {
    if (set !== shown && !restored) moved.clear();
    restored = false;
    shown = set;
    place();
    if (!handles) {
      handles = makeHandles();
      lightFromLoss();
    }
    handles.forEach((handle, i) => handle.show(i < y.length));
    const { w, alpha, primal, gap } = solve(lam);
    const say = PegasosLive.format, n = y.length;
    points = y.map((label, i) => {
      const m = marginOf(w, i), pulls = alpha[i] > PULLS;
      handles[i].move(x[2 * i], x[2 * i + 1],
        `Point ${i + 1} of ${n}, class ${label > 0 ? "+1" : "−1"}, at ` +
        `${x[2 * i].toFixed(2)}, ${x[2 * i + 1].toFixed(2)}, margin ` +
        m.toFixed(2) + (pulls ? ", support vector" : ""));
      return { x: x[2 * i], y: x[2 * i + 1], m, loss: Math.max(0, 1 - m),
        class: label > 0 ? "+1" : "−1", pulls };
    });
    const readouts = {
      objective: primal,
      gap,
      width: 2 / Math.hypot(...w),
      loss: points.reduce((sum, p) => sum + p.loss, 0) / n,
      pulling: points.filter((p) => p.pulls).length,
      mistakes: points.filter((p) => p.m <= 0).length,
    };
    return {
      rows: { points, lines: linesOf(w), lit: rowsLit() },
      readouts,
      summary: `λ = ${lam}: the street is ${say(readouts.width)} wide, ` +
        `${readouts.pulling} support vectors hold it, the mean hinge loss ` +
        `is ${say(readouts.loss)}, mistakes: ${readouts.mistakes}.`,
    };
  };
});
