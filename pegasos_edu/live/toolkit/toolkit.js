/* The toolkit of the live figures: controls, readouts, URL, redrawing.

A figure NAME is two files. NAME.py holds its charts, controls and readouts
(see figure.py); NAME.js registers what they show for one state:

    PegasosLive.register("NAME", function (data, tools) {
      // data: what NAME.py's `data` returned. Prepare once, here.
      return function draw(state) {
        // state: one value for each control, {lam: 0.01, T: 1000, seed: 0}.
        return {
          rows: {curve: [{t: 1, f: 2.5}]},  // new rows, by data set
          readouts: {norm: 2.2},            // full numbers, by readout
          summary: "One sentence for those who do not see the figure.",
        };
      };
    });

A data set that is missing from `rows` keeps its rows. What a chart library
cannot do is drawn by hand: say `by_hand` of that panel in NAME.py, and find
its empty box in `tools.panels[i]`; call `tools.redraw()` when what it shows
has changed. What a reader drags is laid over a chart:
`tools.views[i]` is, once drawn, the chart's Vega view, whose scales turn
numbers into pixels, and `PegasosLive.handle` of handle.js makes something
to drag: NAME.py then has needs = ("handle",). Numbers are written by `PegasosLive.format` of numbers.js; what a
pointer reads from a panel is `reading` in NAME.py, and in reading.js.

A figure may have state beside its controls (where a point was dragged to,
say). Call `tools.changed()` when that has changed. To keep it in the URL set
`tools.own = {key, get, set}`: `get()` is that state as a text, "" at the
start, and `set(text)` restores it.

To share with Python: PegasosLive.order(n, T, seed) is order.py's live_order,
number by number; PegasosLive.clipLine(w, side, box) is clip_line, and
PegasosLive.street(w, box) is lines_of;
PegasosLive.inPlane(x, y) runs Pegasos on two features.

`host.pegasos.become(draw)` draws by another function, which may be
asynchronous, until it is called with null.

The toolkit does the rest. State stands in the URL hash: #lam=0.01&T=1000 is
the first figure of the page, #pegasos-2.lam=0.01 the second that is called
pegasos. A menu of plain words stands there by name: #phase=test. When a figure has been drawn its element gets the event
"pegasos:drawn". Its data-state says "drawing", then "drawn", then "settled":
the URL and what is spoken have followed; or it says "failed". Full numbers are in the readouts'
data-value. */
(function () {
  "use strict";

  const makers = {};
  const LONG = 20; // letters: such a menu takes the room of two
  const LATER = 400; // ms without a change before the URL and speech follow

  function element(tag, properties, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  // Numbers

  function order(n, T, seed) {
    const rows = new Int32Array(T);
    let state = seed | 0;
    for (let t = 0; t < T; t++) {
      state = (state + 0x6d2b79f5) | 0;
      let a = Math.imul(state ^ (state >>> 15), state | 1);
      a ^= a + Math.imul(a ^ (a >>> 7), a | 61);
      rows[t] = (((a ^ (a >>> 14)) >>> 0) / 4294967296) * n;
    }
    return rows;
  }

  // The line <w, x> = side inside |x1| <= box[0], |x2| <= box[1], or null.
  function clipLine(w, side, box) {
    const norm = Math.hypot(w[0], w[1]);
    if (norm === 0 || !Number.isFinite(side / norm)) return null;
    const a = w[0] / norm, b = w[1] / norm;
    const centre = [(a * side) / norm, (b * side) / norm], along = [-b, a];
    let low = -Infinity, high = Infinity;
    for (let i = 0; i < 2; i++) {
      if (along[i] === 0) {
        if (Math.abs(centre[i]) > box[i]) return null;
        continue;
      }
      const first = (-box[i] - centre[i]) / along[i];
      const second = (box[i] - centre[i]) / along[i];
      low = Math.max(low, Math.min(first, second));
      high = Math.min(high, Math.max(first, second));
    }
    if (low >= high) return null;
    const at = (s) => centre.map((c, i) => c + s * along[i]);
    return [...at(low), ...at(high)];
  }

  // The decision line of w and both margins inside the box.
  function street(w, box) {
    const names = { 0: "decision line", 1: "margin", "-1": "margin" };
    return [0, 1, -1].flatMap((side) => {
      const ends = clipLine(w, side, box);
      if (!ends) return [];
      const [x, y, x2, y2] = ends;
      return [{ line: names[side], side, x, y, x2, y2 }];
    });
  }

  // Pegasos on two features, operation by operation as in dense.py. The
  // examples are x = [x11, x12, x21, …] with the labels y.
  function inPlane(x, y) {
    const n = y.length;
    // y x: whether y or w is multiplied first, no bit of a margin changes.
    const z = Float64Array.from(x, (value, j) => y[j >> 1] * value);
    const marginOf = (i, w1, w2) => z[2 * i] * w1 + z[2 * i + 1] * w2;
    return {
      // [w1, w2, a1, a2] at each of `times`: w_{t+1} and the average of
      // w_1, …, w_t. `step(t)` is η_t.
      run(order, lam, step, times) {
        const kept = [];
        let w1 = 0, w2 = 0, sum1 = 0, sum2 = 0, next = times[0];
        for (let t = 1; t <= order.length; t++) {
          const i = order[t - 1];
          const eta = step(t), shrink = 1 - eta * lam;
          const margin = marginOf(i, w1, w2); // with the old w
          sum1 += w1;
          sum2 += w2;
          w1 *= shrink;
          w2 *= shrink;
          if (margin < 1) {
            w1 += eta * z[2 * i];
            w2 += eta * z[2 * i + 1];
          }
          if (t === next) {
            kept.push([w1, w2, sum1 / t, sum2 / t]);
            next = times[kept.length];
          }
        }
        return kept;
      },
      // With the hinge loss, or with `value` of a margin. The hinge is asked
      // for a hundred thousand times a move, so it is no call.
      objective(w1, w2, lam, value = null) {
        let loss = 0;
        for (let i = 0; i < n; i++) {
          const margin = marginOf(i, w1, w2);
          if (value) loss += value(margin);
          else if (margin < 1) loss += 1 - margin;
        }
        return 0.5 * lam * (w1 * w1 + w2 * w2) + loss / n;
      },
      error(w1, w2) {
        let wrong = 0;
        for (let i = 0; i < n; i++) {
          if (marginOf(i, w1, w2) <= 0) wrong++;
        }
        return wrong / n;
      },
    };
  }

  // Controls

  // The position of the value nearest to `wanted`. What is beyond an end
  // is moved there first, as to a huge number all values are equally near.
  function nearest(values, wanted) {
    const low = Math.min(...values), high = Math.max(...values);
    const inside = Math.min(Math.max(wanted, low), high);
    let best = 0;
    values.forEach((value, i) => {
      if (Math.abs(value - inside) < Math.abs(values[best] - inside)) best = i;
    });
    return best;
  }

  // A native slider over the positions of `values`, or a native menu.
  function makeControl(control, id, changed) {
    const { values, names, label } = control;
    const text = (i) => names[i] || PegasosLive.plain(values[i]);
    const caption = element("label", { htmlFor: id, textContent: label });
    const shown = element("span", { className: "pegasos-value" });
    const input = names.length
      ? element("select", { id }, ...names.map((n) => new Option(n)))
      : element("input", {
          id, type: "range", min: 0, max: values.length - 1, step: 1,
        });
    const index = () => names.length ? input.selectedIndex : +input.value;
    function tell() {
      if (names.length) return;
      shown.textContent = text(index());
      input.setAttribute("aria-valuetext", shown.textContent);
    }
    // As much room as the longest of its texts needs.
    const longest = Math.max(...values.map((_, i) => text(i).length));
    shown.style.minWidth = names.length ? "" : `${longest}ch`;
    input.dataset.key = control.key;
    if (control.spoken) input.setAttribute("aria-label", control.spoken);
    input.addEventListener("input", () => {
      tell();
      changed();
    });
    const isPlain = names.length && names.every((n) => /^[a-z]+$/.test(n));
    const box = element("div", { className: "pegasos-control" },
      caption, shown, input);
    box.classList.toggle("pegasos-long", names.some((n) => n.length > LONG));
    return {
      box,
      get: () => values[index()],
      written: () => isPlain ? names[index()] : values[index()],
      // The value of a text in the URL; NaN for none.
      read: (text) => isPlain && names.includes(text)
        ? values[names.indexOf(text)] : text === "" ? NaN : Number(text),
      set(value) {
        const i = nearest(values, value);
        if (names.length) input.selectedIndex = i;
        else input.value = i;
        tell();
      },
    };
  }

  // The URL hash

  function hashParameters() {
    const hash = location.hash.slice(1);
    return new URLSearchParams(hash.includes("=") ? hash : "");
  }

  function writeHash(parameters) {
    const hash = parameters.toString();
    const plain = location.pathname + location.search;
    try {
      history.replaceState(history.state, "", hash ? "#" + hash : plain);
    } catch (refused) {
      // Some browsers limit how often, or forbid it for files: the figure
      // works all the same, only the address stays behind.
    }
  }

  // Panels

  function makePanel(panel) {
    const box = element("div", { className: "pegasos-panel" });
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", panel.label);
    return box;
  }

  // Where the upper left corner of a view's axes is in its panel.
  function corner(view) {
    const [left, top] = view.origin(), padding = view.padding();
    return [left + padding.left, top + padding.top];
  }

  async function makeView(panel, box) {
    await window.PegasosLive.vega();
    // Vega takes the role and the label of the element it draws into.
    const chart = element("div", { className: "pegasos-chart" });
    box.append(chart);
    // In the font of the page, so that Vega measures what is shown.
    const font = getComputedStyle(box).fontFamily;
    const { view } = await window.PegasosVega.vegaEmbed(chart, panel.spec, {
      actions: false, config: { font }, defaultStyle: false, hover: false,
      renderer: "svg", tooltip: false,
    });
    // The panel's label speaks for the chart; its marks have no names.
    chart.setAttribute("aria-hidden", "true");
    // Vega keeps the size without the axes in the same signals, and would
    // hear nothing where the new size with them is just that.
    const size = (...both) => {
      ["width", "height"].forEach((name, j) => view.signal(name,
        both[j] === view.signal(name) ? both[j] + 0.1 : both[j]));
      return view.resize().runAsync();
    };
    const room = view.padding();
    // What the axes leave is cut to the shape of the plane that is drawn,
    // which stands in the middle.
    const makeEqual = (width, height) => {
      const inner = [view.width(), view.height()];
      const spans = ["x", "y"].map((axis) => {
        const [low, high] = view.scale(axis).domain();
        return high - low;
      });
      const unit = Math.min(...inner.map((free, j) => free / spans[j]));
      // Whole pixels, or a later layout would round them otherwise.
      const [wide, high] = inner.map(
        (free, j) => Math.round((free - unit * spans[j]) / 2));
      view.padding({ ...room, left: room.left + wide,
        right: room.right + wide });
      return size(width, height - 2 * high);
    };
    // Vega itself would follow the window only, not a sidebar that opens.
    new ResizeObserver(async () => {
      const { clientWidth: width, clientHeight: height } = box;
      if (!width || !height) return;
      const scale = getComputedStyle(box)
        .getPropertyValue("--pegasos-text-scale");
      view.signal("textScale", Number(scale) || 1).padding(room);
      await size(width, height);
      if (panel.equal) await makeEqual(width, height);
      box.dataset.fits = `${width}×${height}`;
    }).observe(box);
    const names = new Set();
    JSON.stringify(panel.spec, (key, value) => {
      if (value && value.name && value.values) names.add(value.name);
      return value;
    });
    return { view, names };
  }

  // One figure

  async function hydrate(host, id, isFirst) {
    const config = JSON.parse(host.dataset.pegasos);
    const controls = {}, numbers = {};
    let views = [], busy = false, stale = false, timer = 0;

    const panels = config.panels.map(makePanel);
    const summary = element("p", { className: "pegasos-summary" });
    summary.setAttribute("aria-live", "polite");
    const tools = { panels, redraw, changed, views: [], own: null };
    if (!Object.hasOwn(makers, config.name)) {
      throw new Error(`No script registered the figure "${config.name}".`);
    }
    const ours = makers[config.name](config.data, tools);
    let draw = ours;
    host.pegasos = {
      become(other) {
        draw = other || ours;
        return redraw();
      },
    };

    function state() {
      return Object.fromEntries(
        Object.entries(controls).map(([key, c]) => [key, c.get()]));
    }

    function show(result) {
      for (const { view, names } of views) {
        for (const name of names) {
          if (result.rows[name]) view.data(name, result.rows[name]);
        }
      }
      for (const { key, kind } of config.readouts) {
        const value = result.readouts[key];
        numbers[key].textContent = PegasosLive.format(value, kind);
        numbers[key].dataset.value = value;
      }
    }

    // A change while drawing is taken up as soon as drawing has ended; what
    // came between is skipped, so the figure never lags behind the hand.
    async function redraw() {
      stale = true;
      host.dataset.state = "drawing";
      if (busy) return;
      busy = true;
      try {
        while (stale) {
          stale = false;
          const result = await draw(state());
          show(result);
          await Promise.all(views.map(({ view }) => view.runAsync()));
          later(result.summary);
        }
      } finally {
        busy = false;
      }
      host.dataset.state = "drawn";
      host.dispatchEvent(new CustomEvent("pegasos:drawn"));
    }

    let moved = false;
    function later(text) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        summary.textContent = text;
        if (moved) remember(state());
        moved = false;
        if (!busy) host.dataset.state = "settled";
      }, LATER);
    }

    function changed() {
      moved = moved || !("unasked" in host.dataset); // see walk.js
      redraw();
    }

    const names = (key) => isFirst ? [key, `${id}.${key}`] : [`${id}.${key}`];

    function remember(values) {
      const parameters = hashParameters();
      write(parameters, values);
      writeHash(parameters);
    }

    // The address of this figure alone, with all of its state.
    function link() {
      const parameters = new URLSearchParams();
      write(parameters, true);
      return `${location.href.split("#")[0]}#${parameters}`;
    }

    function write(parameters, values) {
      for (const { key } of config.controls) {
        names(key).forEach((name) => parameters.delete(name));
        if (values) parameters.set(names(key)[0], controls[key].written());
      }
      if (tools.own) {
        const [name, text] = [names(tools.own.key)[0], tools.own.get()];
        parameters.delete(name);
        if (values && text) parameters.set(name, text);
      }
    }

    function recall() {
      const parameters = hashParameters();
      let found = false;
      for (const { key } of config.controls) {
        for (const name of names(key)) {
          const text = (parameters.get(name) || "").trim();
          const value = controls[key].read(text);
          if (!Number.isFinite(value)) continue;
          controls[key].set(value);
          found = true;
        }
      }
      for (const name of tools.own ? names(tools.own.key) : []) {
        if (parameters.has(name)) tools.own.set(parameters.get(name));
      }
      return found;
    }

    function restart() {
      config.controls.forEach(({ key, start }) => controls[key].set(start));
      if (tools.own) tools.own.set("");
    }

    function reset() {
      restart();
      moved = false;
      remember(null);
      redraw();
    }

    // The state of a preset. What was dragged goes back: it would show
    // something else.
    function choose(wanted) {
      Object.entries(wanted).forEach(([key, v]) => controls[key].set(v));
      if (tools.own) tools.own.set("");
      changed();
    }

    const bar = element("div", { className: "pegasos-controls" });
    for (const control of config.controls) {
      const made = makeControl(control, `${id}-${control.key}`, changed);
      controls[control.key] = made;
      bar.append(made.box);
    }
    bar.append(element("button", {
      type: "button", className: "pegasos-reset", textContent: "Reset",
      onclick: reset,
    }));
    const list = element("dl", { className: "pegasos-readouts" });
    for (const { key, label } of config.readouts) {
      numbers[key] = element("dd", { textContent: "–" });
      numbers[key].dataset.key = key;
      list.append(element("div", {},
        element("dt", { textContent: label }), numbers[key]));
    }
    const body = element("div", { className: "pegasos-body" },
      bar, list, element("div", { className: "pegasos-panels" }, ...panels),
      summary);
    body.setAttribute("role", "group");
    body.setAttribute("aria-label", config.title);
    host.append(body);
    host.classList.add("pegasos-on");
    const { frame } = window.PegasosLive;
    if (frame) frame({ host, config, link, choose });

    restart();
    const address = location.hash, linked = recall();
    const made = await Promise.all(config.panels
      .map((panel, i) => panel.spec && makeView(panel, panels[i])));
    tools.views = made.map((one) => one && one.view);
    views = made.filter(Boolean);
    config.panels.forEach(({ reading }, i) => {
      if (reading) PegasosLive.reading(panels[i], tools.views[i], reading);
    });
    // It may have changed while the charts were on their way.
    if (location.hash !== address) recall();
    window.addEventListener("hashchange", () => {
      if (!recall()) return;
      redraw();
      host.scrollIntoView({ block: "nearest" });
    });
    await redraw();
    if (linked) host.scrollIntoView();
  }

  function start() {
    const used = {};
    let count = 0;
    for (const host of document.querySelectorAll("[data-pegasos]")) {
      const { name } = JSON.parse(host.dataset.pegasos);
      used[name] = (used[name] || 0) + 1;
      const id = used[name] === 1 ? name : `${name}-${used[name]}`;
      const isFirst = count++ === 0;
      const begin = () => hydrate(host, id, isFirst).catch((error) => {
        // The picture comes back; the other figures still start.
        host.classList.remove("pegasos-on");
        host.dataset.state = "failed";
        console.error(error);
      });
      window.PegasosLive.wait({ host, id, isFirst, hashParameters, begin });
    }
  }

  window.PegasosLive = {
    register(name, maker) {
      makers[name] = maker;
    },
    order, clipLine, street, inPlane, element, corner,
  };

  if (document.readyState === "complete") setTimeout(start);
  else document.addEventListener("DOMContentLoaded", start);
})();
