/* The online game in the browser: the twin of regret.py. */
PegasosLive.register("regret", function (data) {
  "use strict";

  const { steps, opponents } = data;

  function label(opponent, t, w, coin) {
    if (opponent === 0) return t % 2 === 1 ? 1 : -1;
    if (opponent === 1) return w > 0 ? -1 : 1;
    if (opponent === 2) return 1;
    if (opponent === 3) return (32 - Math.clz32(t)) % 2 === 1 ? 1 : -1;
    return coin[t - 1] === 0 ? 1 : -1;
  }

  const clip = (w, most) => Math.min(Math.max(w, -most), most);

  // Operation by operation as play_line in regret.py.
  function play(lam, T, opponent, ball) {
    const radius = ball ? 1 / Math.sqrt(lam) : Infinity;
    const root = Math.sqrt(lam) + 1;
    const c = ball ? root * root : 4;
    const coin = PegasosLive.order(2, T, 0);
    const kept = [];
    let w = 0, paid = 0, plus = 0, harmonic = 0;
    for (let t = 1; t <= T; t++) {
      const y = label(opponent, t, w, coin);
      const played = w, margin = y * w;
      paid += 0.5 * lam * w * w + Math.max(0, 1 - margin);
      if (y > 0) plus++;
      w = (1 - 1 / t) * w + (margin < 1 ? y : 0) / (lam * t);
      w = clip(w, radius);
      if (t === steps[kept.length]) {
        const minus = t - plus;
        const u = clip((plus - minus) / (lam * t), 1);
        let best = 0.5 * lam * t * u * u;
        best += plus * (1 - u) + minus * (1 + u);
        kept.push({
          t, w: played, u, regret: paid - best,
          bound: (c * (1 + Math.log(t))) / (2 * lam),
          sharp: ball ? null : (2 + harmonic) / (2 * lam),
        });
      }
      harmonic += 1 / t;
    }
    return kept;
  }

  function rowsOf(kept, lam, names) {
    return Object.entries(names).flatMap(([key, line]) => kept
      .filter((round) => round[key] !== null)
      .map((round) => ({ t: round.t, value: lam * round[key], line })));
  }

  return function draw({ lam, T, opponent, ball }) {
    const kept = play(lam, T, opponent, ball);
    const { regret, bound } = kept.at(-1);
    const say = PegasosLive.format;
    return {
      rows: {
        curves: rowsOf(kept, lam,
          { regret: "regret", bound: "bound", sharp: "sharper bound" }),
        iterates: rowsOf(kept, lam,
          { w: "played wₜ", u: "best fixed u so far" }),
      },
      readouts: { regret, bound, share: regret / bound, average: regret / T },
      summary: `λ = ${lam}, T = ${T.toLocaleString("en")}, the opponent ` +
        `${opponents[opponent]}: the regret is ${say(regret)}, its bound ` +
        `${say(bound)}.`,
    };
  };
});
