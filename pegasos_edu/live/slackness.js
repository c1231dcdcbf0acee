/* One point moves, at the optimum of all: the twin of slackness.py. */
PegasosLive.register("slackness", function (data, tools) {
  "use strict";

  const { box, tiny, cases } = data;
  let handle = null;

  function makeHandle() {
    const [panel] = tools.panels;
    return PegasosLive.handle(panel, tools.views[0], {
      moved(a, b) {
        PegasosLive.slide(panel, "across", data.across, a);
        PegasosLive.slide(panel, "up", data.up, b);
      },
    });
  }

  return function draw({ across, up, lam }) {
    handle = handle || makeHandle();
    handle.move(across, up);
    const x = [...data.x, across, up], y = [...data.y, 1];
    const { w, alpha, gap, marginOf } = PegasosLive.ascent(x, y, lam);
    const last = y.length - 1, m = marginOf(last), paid = alpha[last];
    const slack = m < 1 - tiny ? 1 - m : 0, far = slack / (w[0] ** 2 + w[1] ** 2);
    const said = cases[(paid > tiny) + (paid >= 1 - tiny)];
    const { format: say, plain } = PegasosLive;
    return {
      rows: {
        lines: PegasosLive.street(w, box),
        slack: [{ x: across, y: up, x2: across + far * w[0],
          y2: up + far * w[1] }],
        moved: [{ x: across, y: up, m, paid, case: said }],
        payments: y.map((label, i) => ({ m: marginOf(i), paid: alpha[i],
          class: label > 0 ? "+1" : "−1" })),
      },
      readouts: { margin: m, slack, paid, kept: 1 - paid, gap },
      summary: `The point at (${plain(across)}, ${plain(up)}), λ = ${lam}: ` +
        `margin ${say(m)}, slack ${say(slack)}, payment ${say(paid)}; ` +
        `it ${said}.`,
    };
  };
});
