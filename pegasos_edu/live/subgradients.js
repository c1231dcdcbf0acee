/* The fan of supporting lines in the browser: the twin of subgradients.py. */
PegasosLive.register("subgradients", function (data, tools) {
  "use strict";

  const { z, points, range, fan } = data;
  const n = z.length;
  let handle = null;

  const value = (w) =>
    z.reduce((sum, zi) => sum + Math.max(0, 1 - zi * w), 0) / n;

  function slopesAt(w) {
    let sure = 0, low = 0, high = 0;
    for (const zi of z) {
      if (zi * w < 1) sure -= zi;
      if (zi * w === 1) {
        low += Math.min(-zi, 0);
        high += Math.max(-zi, 0);
      }
    }
    return [(sure + low) / n, (sure + high) / n];
  }

  function lineOf(w, f, slope) {
    const at = (u) => f + slope * (u - w);
    return { x: range[0], y: at(range[0]), x2: range[1], y2: at(range[1]) };
  }

  // Dragging the point moves its slider to the nearest position.
  function makeHandle() {
    const [panel] = tools.panels;
    return PegasosLive.handle(panel, tools.views[0], {
      moved: (u) => PegasosLive.slide(panel, "w", points, u),
    });
  }

  return function draw({ w, share }) {
    handle = handle || makeHandle();
    const f = value(w), [low, high] = slopesAt(w);
    const slope = low + share * (high - low);
    handle.move(w, f);
    const lines = low < high
      ? Array.from({ length: fan }, (_, k) =>
          lineOf(w, f, low + k / (fan - 1) * (high - low)))
      : [];
    const { format: say, plain } = PegasosLive;
    const zero = low <= 0 && high >= 0 ? "zero is" : "zero is not";
    return {
      rows: {
        fan: lines,
        line: [lineOf(w, f, slope)],
        point: [{ x: w, y: f }],
        piece: [{ x: w, y: low, y2: high }],
        slope: [{ x: w, y: slope }],
      },
      readouts: { f, low, high, slope },
      summary: low === high
        ? `At w = ${plain(w)} the only subgradient is ${say(low)}.`
        : `At w = ${plain(w)} there is a corner: the subgradients run from ` +
          `${say(low)} to ${say(high)}, ${zero} among them; the slope ` +
          `chosen is ${say(slope)}.`,
    };
  };
});
