/* Hinge against log loss in the browser: the twin of two_losses.py. */
PegasosLive.register("two_losses", function (data, tools) {
  "use strict";

  const { height, steps, box, places } = data;
  let handle = null;
  const losses = {
    hinge: {
      value: (m) => Math.max(0, 1 - m),
      slope: (m) => (m < 1 ? -1 : 0),
    },
    log: {
      value: (m) => Math.max(0, -m) + Math.log1p(Math.exp(-Math.abs(m))),
      slope: (m) => -0.5 * (1 - Math.tanh(0.5 * m)),
    },
  };

  // Pegasos in the plane with all examples in every step; the average of
  // the last half of the iterates.
  function solve(x, y, lam, slope) {
    const n = y.length;
    let w1 = 0, w2 = 0, sum1 = 0, sum2 = 0, count = 0;
    for (let t = 1; t <= steps; t++) {
      if (t > Math.floor(steps / 2)) {
        sum1 += w1;
        sum2 += w2;
        count++;
      }
      const eta = 1 / (lam * t), shrink = 1 - eta * lam;
      let v1 = 0, v2 = 0;
      for (let i = 0; i < n; i++) {
        const x1 = x[2 * i], x2 = x[2 * i + 1];
        const c = -slope(y[i] * (x1 * w1 + x2 * w2)) * y[i];
        v1 += c * x1;
        v2 += c * x2;
      }
      w1 = shrink * w1 + (eta * v1) / n;
      w2 = shrink * w2 + (eta * v2) / n;
    }
    return [sum1 / count, sum2 / count];
  }

  // Dragging the ringed example moves its slider to the nearest position.
  function makeHandle() {
    const panel = tools.panels[1];
    return PegasosLive.handle(panel, tools.views[1], {
      moved: (s) => PegasosLive.slide(panel, "place", places, s),
    });
  }

  return function draw({ place, lam }) {
    handle = handle || makeHandle();
    handle.move(place, height);
    const x = [...data.x, place, height], y = [...data.y, 1];
    const readouts = {}, dots = [], tangents = [], lines = [];
    for (const name of ["hinge", "log"]) {
      const { value, slope } = losses[name];
      const w = solve(x, y, lam, slope);
      const m = place * w[0] + height * w[1];
      readouts[`${name}_margin`] = m;
      readouts[`${name}_slope`] = slope(m);
      dots.push({ m, loss: value(m), name });
      for (const s of [-1, 1]) {
        tangents.push({ m: m + s, loss: value(m) + s * slope(m), name });
      }
      const ends = PegasosLive.clipLine(w, 0, box);
      if (!ends) continue;
      const [left, bottom, right, top] = ends;
      lines.push({ x: left, y: bottom, x2: right, y2: top, name });
    }
    // At margin m of a positive example, p = 1 + l'(m).
    readouts.probability = 1 + readouts.log_slope;
    const { format: say, plain } = PegasosLive;
    return {
      rows: { dots, tangents, lines, moved: [{ x: place, y: height }] },
      readouts,
      summary: `The example at (${plain(place)}, ${plain(height)}), λ = ${lam}: slope ` +
        `${say(readouts.hinge_slope)} for the hinge, ` +
        `${say(readouts.log_slope)} for the log loss; its probability of ` +
        `being +1 is ${say(readouts.probability, "percent")}.`,
    };
  };
});
