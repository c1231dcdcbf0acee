/* A threshold on scores in the browser: the twin of threshold.py. */
PegasosLive.register("threshold", function (data, tools) {
  "use strict";

  const { y, unit, lams, thresholds, low, bar } = data;
  const names = ["raw", "centred"];
  const falling = (a, b) => b - a;
  let handle = null;

  // For each λ and kind of pixels: the scores of both classes, highest first.
  const classes = data.scores.map((row) => row.map((scores) =>
    [1, -1].map((label) => scores.filter((_, i) => y[i] === label)
      .map((score) => score / unit).sort(falling))));

  // How many of falling scores are above a cut.
  const above = (scores, cut) => {
    const found = scores.findIndex((score) => !(score > cut));
    return found < 0 ? scores.length : found;
  };

  function barsOf(name, scores) {
    const counts = new Array(data.bars).fill(0);
    for (const score of scores) counts[Math.floor((score - low) / bar)]++;
    const sign = name === "+1" ? 1 : -1;
    return counts.flatMap((count, k) => count ? [{
      left: low + k * bar,
      right: low + (k + 1) * bar,
      share: sign * count / scores.length,
      class: name,
    }] : []);
  }

  // Both rates, and the area below them: a pair in the right order counts
  // 1, a tie ½.
  function rocOf([others, zeros]) {
    const cuts = [...new Set([...others, ...zeros])].sort(falling);
    const curve = [{ wrongly: 0, rightly: 0 }];
    let a = 0, b = 0, pairs = 0;
    for (const cut of cuts) {
      const before = [a, b];
      while (zeros[a] >= cut) a++;
      while (others[b] >= cut) b++;
      pairs += (a - before[0]) * (before[1] + b) / 2;
      curve.push({ wrongly: a / zeros.length, rightly: b / others.length });
    }
    return { curve, auc: pairs / zeros.length / others.length };
  }

  function makeHandle() {
    return PegasosLive.handle(tools.panels[0], tools.views[0], {
      moved: (s) =>
        PegasosLive.slide(tools.panels[0], "threshold", thresholds, s),
    });
  }

  return function draw({ lam, pixels, threshold }) {
    handle = handle || makeHandle();
    handle.move(threshold, 0);
    const both = classes[lams.indexOf(lam)][pixels];
    const [others, zeros] = both;
    const [right, wrong] = both.map((scores) => above(scores, threshold));
    const { curve, auc } = rocOf(both);
    const rightly = right / others.length, wrongly = wrong / zeros.length;
    const readouts = {
      true_positive: rightly,
      false_positive: wrongly,
      accuracy: (right + zeros.length - wrong) / y.length,
      balanced: (rightly + 1 - wrongly) / 2,
      auc,
    };
    const { format: say, plain } = PegasosLive;
    return {
      rows: {
        bars: [...barsOf("+1", others), ...barsOf("−1", zeros)],
        threshold: [{ score: threshold }],
        roc: curve,
        point: [{ wrongly, rightly }],
      },
      readouts,
      summary: `λ = ${plain(lam)}, ${names[pixels]} pixels, threshold ` +
        `${plain(threshold)}: ${say(rightly, "percent")} of the others and ` +
        `${say(wrongly, "percent")} of the zeros are called +1; balanced ` +
        `accuracy ${say(readouts.balanced)}, AUC ${say(auc)}.`,
    };
  };
});
