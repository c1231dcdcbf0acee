/* Draggable points and the exact optimum: the twin of margins.py. */
PegasosLive.register("margins", function (data, tools) {
  "use strict";

  const { sets, box } = data;
  const PULLS = 1e-9;
  let shown = 0; // the arrangement on the screen
  let points = [], lit = -1; // what is drawn; the point pointed at
  let x = [], y = [], moved = new Map(), restored = false, handles = null;

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
      const [x0, y0] = PegasosLive.corner(view);
      const far = points.map(({ m, loss }) => Math.hypot(
        event.clientX - left - x0 - view.scale("x")(m),
        event.clientY - top - y0 - view.scale("y")(loss)));
      const least = Math.min(...far);
      light(least < 12 ? far.indexOf(least) : -1);
    });
    panel.addEventListener("pointerleave", () => light(-1));
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
    const { w, alpha, primal, gap, marginOf } =
      PegasosLive.ascent(x, y, lam);
    const say = PegasosLive.format, n = y.length;
    points = y.map((label, i) => {
      const m = marginOf(i), pulls = alpha[i] > PULLS;
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
      rows: { points, lines: PegasosLive.street(w, box), lit: rowsLit() },
      readouts,
      summary: `λ = ${lam}: the street is ${say(readouts.width)} wide, ` +
        `${readouts.pulling} support vectors hold it, the mean hinge loss ` +
        `is ${say(readouts.loss)}, mistakes: ${readouts.mistakes}.`,
    };
  };
});
