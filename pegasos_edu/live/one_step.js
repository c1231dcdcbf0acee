/* One step of Pegasos: the twin of one_step.py, which holds its words, too. */
PegasosLive.register("one_step", function (data, tools) {
  "use strict";

  const { x, y, order, lams, best, words } = data;
  const { mix, say, sub, fill, ...walk } = PegasosLive.walk;
  const { px, py, at, arrow, freest, inside, lay, level, drags } =
    walk.plane(...data.size);
  const inPlane = PegasosLive.inPlane(x, y);
  const PERCEPTRON = 1, LOG = 2, ADD = 3, T = order.length;
  const PHASES = ["draw", "test", "shrink", "add"];
  // Each phase's part of the formula
  const PARTS = { test: "test", shrink: "shrunk", add: "push" };
  // By step: the reader's example, and where λw was put, in hundredths
  let chosen = new Map(), placed = new Map();
  let now = {}, steps = [], drawnFor = "", due = -1;
  let host, $, $$, set, put, glow, points, mark, line, player;
  let star, least, shown; // in the plane of the weights

  function step(w, i, t, { lam, rule }) {
    const plain = rule === PERCEPTRON;
    const eta = plain ? 1 : 1 / (lam * t), shrink = plain ? 1 : 1 - eta * lam;
    const v = [x[2 * i], x[2 * i + 1]], yx = v.map((a) => y[i] * a);
    const margin = yx[0] * w[0] + yx[1] * w[1];
    const pull = rule === LOG ? 0.5 * (1 - Math.tanh(0.5 * margin))
      : +(plain ? margin <= 0 : margin < 1);
    const shrunk = w.map((a) => shrink * a);
    const push = yx.map((a) => eta * pull * a);
    return { i, t, eta, shrink, margin, pull, w, shrunk, push, v, yx,
      after: shrunk.map((a, j) => a + push[j]) };
  }

  function run() {
    let w = [0, 0];
    return order.map((i, k) => {
      const put = placed.get(k + 1)?.map((a) => a / 100 / size());
      const made = step(put ?? w, chosen.get(k + 1) ?? i, k + 1, now);
      w = made.after;
      return made;
    });
  }

  // f at a point of the plane of the weights
  function value(a, b) {
    const { lam, rule } = now, c = scale();
    return inPlane.objective(a / c, b / c, lam,
      rule === LOG ? (m) => Math.log1p(Math.exp(-m)) : undefined);
  }

  // From w to the plane that shows λw
  const size = () => now.rule === PERCEPTRON ? data.scale : now.lam;
  const scale = () => data.zoom * size();
  const nameOfW = () => now.rule === PERCEPTRON ? "w" : "λw";
  const scaled = (w) => w.map((a) => a * scale());
  const fade = (name, value) => { $(name).style.opacity = value; };

  // What stands still until λ or the rule changes
  function setScene() {
    const target = best[now.rule][lams.indexOf(now.lam)];
    star = target ? scaled(target.slice(0, 2)) : [0, 0];
    set(".star", { transform: target ? `translate(${at(star)})` : "scale(0)" });
    least = target ? target[2] : NaN;
    $(".gap").hidden = !target;
    $(".rings").innerHTML = !target ? "" : data.levels.map((height) =>
      `<path d="${level(value, star, target[2] + height, 8)}"/>`).join("");
    $(".weights .one").textContent = `${nameOfW()}₁`;
    $(".weights .two").textContent = `${nameOfW()}₂`;
    $(".weights p span").textContent = words.planes[now.rule];
    $("linearGradient").innerHTML = data.stops[now.rule];
  }

  // How far the phase has come is q, from 0 to 1
  function paint(q) {
    const s = steps[now.t - 1], k = now.phase, e = q * q * (3 - 2 * q);
    const w = k < 2 ? s.w : k === 2 ? mix(s.w, s.shrunk, e)
      : mix(s.shrunk, s.after, Math.max(0, 2 * e - 1));
    const half = Math.min(999, data.size[2] / Math.hypot(...w));
    lay($(".now"), w);
    lay($(".was"), k < 2 ? [0, 0] : s.w);
    lay($(".street"), w);
    set(".street", { x: -half, width: 2 * half });
    set(".sides", { d: `M${-half} -600V600M${half} -600V600` });
    // The example drawn, and its margin
    set(".halo", { r: k ? 13 : 13 + 40 * (1 - e),
      transform: `translate(${at(s.v)})` });
    const long = Math.hypot(...s.w), rise = k > 1 ? 1 : k * e;
    const foot = s.v.map((a, j) =>
      long ? a - rise * s.margin * y[s.i] / long ** 2 * s.w[j] : a);
    set(".perp", { d: `M${at(s.v)}L${at(foot)}` });
    fade(".perp", k > 1 ? 0.35 : 1);
    fade(".value", k > 1 ? 0.5 : k * e);
    // The weights
    const old = scaled(s.w), mid = scaled(s.shrunk), tip = scaled(s.after);
    set(".w", { d: arrow([0, 0], scaled(w)) });
    shown = scaled(w);
    const [a, b] = shown.map((c) => say(c / data.zoom));
    set(".knob", { transform: `translate(${at(shown)})`,
      "aria-label": fill(words.knob, { name: nameOfW(), a, b }) });
    const gap = value(...shown) - least;
    put("gap", gap, PegasosLive.format(gap));
    set(".old", { d: k > 1 ? arrow([0, 0], old) : "" });
    set(".push", { d: k === ADD
      ? arrow(mid, mix(mid, tip, Math.min(1, 2 * e))) : "" });
    fade(".tint", k === 1 ? e : k ? 0.4 : 0);
    // What happens
    $(".word").textContent = k === ADD ? s.pull ? "+ ηyx" : ""
      : k === 2 && s.shrink < 1 ? `× ${say(s.shrink)}` : "";
    fade(".word", e);
  }

  const pixel = ([a, b]) => [px(a), py(b)];
  const along = (a, b) => [0, 0.25, 0.5, 0.75, 1].map((e) => mix(a, b, e));

  // The margin's value and the word of the phase stand where they are free.
  function setWords({ v, w, i, margin, shrunk, after }) {
    const long = Math.hypot(...w) ** 2;
    const foot = v.map((a, j) => long ? a - margin * y[i] / long * w[j] : a);
    $(".value").textContent = say(margin);
    set(".value", freest(pixel(v), [...y.keys()].map((k) =>
      [x[2 * k], x[2 * k + 1]]).concat(along(v, foot)).map(pixel)));
    const [old, mid, tip] = [w, shrunk, after].map(scaled);
    const [from, to] = now.phase === ADD ? [mid, tip] : [old, mid];
    const [a, b] = pixel(to), [c, d] = pixel(star);
    const ring = along([-16, -16], [16, 16]).map(([e]) => e);
    set(".word", freest(pixel(mix(from, to, 0.5)), [
      ...along([0, 0], old), ...along(from, to), ...along([0, 0], to)]
      .map(pixel).concat(ring.flatMap((e) => [[a + e, b], [a, b + e]]),
        [0, -14, -30].map((e) => [c + e, e ? d - 14 : d]))));
  }

  // The half-plane of the test
  function setSide({ yx }) {
    const { rule } = now, size = yx[0] ** 2 + yx[1] ** 2;
    const to = (m, along) => [scale() * m * yx[0] / size - along * yx[1],
      scale() * m * yx[1] / size + along * yx[0]];
    const middle = +!rule; // where the colour ends or is half
    const [a, b] = to(middle - 4, 0), [c, d] = to(middle + 4, 0);
    set("linearGradient", { x1: px(a), y1: py(b), x2: px(c), y2: py(d) });
    set(".brink", { d: rule === LOG ? ""
      : `M${at(to(middle, -9))}L${at(to(middle, 9))}` });
    // The two sides are named where w is not.
    const w = scaled(steps[now.t - 1].w), long = Math.sqrt(size);
    const away = (p) => Math.max(Math.abs(p[0]) / 2, Math.abs(p[1]) / 1.6) > 1
      ? 0 : Math.hypot(p[0] - w[0], p[1] - w[1]);
    const spot = [1.1, -1.1, 0.5, -0.5].map((one) => to(middle, one / long))
      .sort((p, r) => away(r) - away(p))[0];
    const far = (20 + 12 * Math.abs(yx[0]) / long) / long;
    [-far, far].forEach((far, way) => {
      const name = way ? ".over" : ".under";
      const [x, y] = inside(px(spot[0]) + far * yx[0],
        py(spot[1]) - far * yx[1]);
      set(name, { x, y: y + 4 });
      // The other side may not be in the plane.
      $(name).textContent = way && !away(spot) ? "" : words.sides[rule][way];
    });
  }

  // Where w would go if this example came next
  function hover(i) {
    const { w, after: next } = steps[now.t - 1], done = now.phase === ADD;
    const after = i < 0 ? [0, 0]
      : step(done ? next : w, i, now.t + done, now).after;
    lay($(".would"), after);
    set(".goal", { d: arrow([0, 0], scaled(after)) });
  }

  // The step that begins with the w on the screen
  const coming = () => Math.min(T, now.t + (now.phase === ADD));

  function use(i) {
    const t = coming();
    chosen.set(t, i);
    hover(-1);
    move(4 * (t - 1));
  }

  // w follows the hand, and the test of its step answers.
  function drag(to) {
    const t = coming();
    host.dataset.kept = ""; // the plane does not change under the finger
    place(t, to.map((a) => 100 * a / data.zoom));
    move(4 * t - 3, -1);
  }

  const place = (t, to) => placed.set(t, to.map((a, j) =>
    Math.round(Math.max(-data.reach[j], Math.min(data.reach[j], a)))));

  function sentence({ t, i, margin, pull, shrink }) {
    const { phase, rule } = now, which = phase === 2
      ? t === 1 && rule !== PERCEPTRON : phase && pull > 0;
    return fill(words.said[rule][phase][+which], { t, ...about(i, margin),
      pull: say(pull), shrink: say(shrink) });
  }

  const about = (i, margin) => ({
    row: i + 1, label: y[i] > 0 ? "+1" : "−1", margin: say(margin),
  });

  function write(s) {
    const { t, w } = s, { rule, phase } = now;
    ["margin", "shrink", "eta"].forEach((name) => put(name, s[name]));
    put("pull", s.pull, rule === LOG ? say(s.pull) : s.pull);
    ["w", "shrunk", "push", "after", "yx"].forEach((name) =>
      s[name].forEach((value, j) => put(`${name}${j + 1}`, value)));
    Object.entries(words.terms[rule]).forEach(([part, text]) => {
      $(`dt.${part}`).textContent =
        fill(text, { t, now: sub(t), next: sub(t + 1) });
    });
    $(".pegasos-say").textContent = sentence(s);
    host.dataset.phase = PHASES[phase];
    host.dataset.rule = rule;
    // One plane at a time: the one in which the phase happens
    if (!("kept" in host.dataset)) {
      host.dataset.shown = phase < 2 ? "examples" : "weights";
    }
    player.press();
    points.forEach((point, i) => {
      const [a, b] = phase === ADD ? s.after : w;
      point.classList.toggle("drawn", i === s.i);
      point.setAttribute("aria-label", fill(words.point,
        about(i, y[i] * (x[2 * i] * a + x[2 * i + 1] * b))));
    });
    $(".weights button").hidden = !tools.own.get();
    const trail = steps.slice(Math.max(0, t - data.trail), t)
      .map((one) => at(scaled(one.w)));
    $(".trail").innerHTML = trail.slice(1).map((end, k) =>
      `<path opacity="${k / trail.length}" d="M${trail[k]}L${end}"/>`).join("");
  }

  // Term, arrow and line of code light each other up
  function light(part = "", phase = PHASES[now.phase]) {
    const name = PHASES.find((one) => PARTS[one] === part) || phase;
    const added = part ? part === "push" : steps[now.t - 1].pull > 0;
    glow(part);
    mark(name === "add" && !part && !added ? "skip" : name);
    line(name === "draw" ? 0 : added ? 3 : 4);
  }

  // Whoever plays goes on from there if it was due.
  function move(to, then = to) {
    const slider = $("[data-key=t]");
    due = then;
    $("[data-key=phase]").selectedIndex = to % 4;
    slider.value = to >> 2;
    slider.dispatchEvent(new Event("input"));
  }

  function build() {
    ({ host, $, $$, set, put, glow } = walk.settle(tools, data, light));
    points = $$(".point");
    walk.picks(points, hover, use);
    drags($(".knob"), () => shown, drag);
    $(".weights button").addEventListener("click", () => {
      tools.own.set("");
      $(".knob").focus();
      tools.changed();
    });
    mark = walk.listings(data.lines, (phase) => light(PARTS[phase], phase));
    line = walk.box("#alg-pegasos ol ol > li", [, , , "push", "shrunk"],
      light);
    player = walk.player({ host, bar: $("[role=toolbar]"), end: 4 * T - 1,
      cycle: 4, here: () => 4 * (now.t - 1) + now.phase, show: move, paint });
  }

  tools.own = {
    key: "drawn",
    // 6_2 takes example 2 in step 6; 4_25_-150 puts λw to (0.25, -1.5) first.
    get: () => [...chosen, ...placed]
      .map((pair) => pair.flat().join("_")).join("."),
    set(text) {
      [chosen, placed] = [new Map(), new Map()];
      for (const [, t, a, b] of text.matchAll(/(\d+)_(-?\d+)(?:_(-?\d+))?/g)) {
        if (b) place(+t, [+a, +b]);
        else chosen.set(+t, Math.min(Math.abs(a), y.length - 1));
      }
    },
  };

  return function draw(state) {
    const first = !host, position = 4 * (state.t - 1) + state.phase;
    now = state;
    if (first) build();
    const lam = $("[data-key=lam]");
    lam.disabled = state.rule === PERCEPTRON;
    lam.title = lam.disabled ? words.unused : "";
    const scene = `${state.lam} ${state.rule}`;
    steps = run();
    if (drawnFor !== scene) {
      setScene();
      drawnFor = scene;
    }
    if (position !== due) player.stop();
    due = -1;
    const s = steps[state.t - 1];
    setSide(s);
    setWords(s);
    write(s);
    light();
    hover(-1);
    paint(player.far());
    if (first && data.compact && !location.hash) player.open(position + 3, 1400);
    return { rows: {}, readouts: {}, summary: sentence(s) };
  };
});
