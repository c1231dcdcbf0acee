/* For figures that walk through a method, phase by phase, drawn by hand.

PegasosLive.walk holds what they share: `settle` puts a skeleton in place of
the toolkit's panels, `plane` turns points into pixels of an SVG, `player`
moves and plays, `picks` asks of a mark what it would do, `listings` finds
the lines of code on the page that do the work of each phase. */
(function () {
  "use strict";

  const { rove } = window.PegasosLive; // see frame.js
  const PACE = 900, SPEEDS = [1, 4, 20]; // ms a phase; steps a second
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  // From a mark to the middle of its text, in pixels, the nearer first
  const AROUND = [1, 1.4, 2].flatMap((far) => [[36, -16], [-36, -16],
    [36, 16], [-36, 16], [0, -27], [0, 27]].map(([a, b]) =>
    [far * a, far * b]));

  const mix = (a, b, e) => a.map((c, j) => c + e * (b[j] - c));
  // Two digits after the point, with a true minus; more where they would say
  // 1 of what is beside 1, as a margin of 0.997 is a violator's. An index.
  function say(v) {
    let digits = 2;
    while (digits < 9 && v !== 1 && +v.toFixed(digits) === 1) digits += 1;
    return v.toFixed(digits).replace("-", "−").replace("−0.00", "0.00");
  }
  const sub = (n) => String(n).replace(/\d/g, (d) => "₀₁₂₃₄₅₆₇₈₉"[d]);

  const fill = (text, values) =>
    text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  // A skeleton in HTML takes the place of the toolkit's panels. The controls
  // go to its elements data-slot="control0", …, Reset to the last of them.
  // Of an SVG's gradients the names are made unique. What has a data-part is
  // a part of the formula: `light(part)` is called as the pointer enters it.
  function settle(tools, { skeleton, looks }, light) {
    const body = tools.panels[0].closest(".pegasos-body");
    const host = body.parentElement, old = [...body.children];
    const $ = (name) => body.querySelector(name);
    host.classList.add("pegasos-walk");
    body.insertAdjacentHTML("beforeend", skeleton);
    [...old[0].children].forEach((box, k) =>
      $(`[data-slot=control${k}]`).append(box));
    body.append(old.pop());
    old.forEach((element) => element.remove());
    for (const [part, name] of Object.entries(looks)) {
      body.style.setProperty(`--${part}`, `var(--pegasos-${name})`);
    }
    const id = `tint${document.querySelectorAll(".pegasos-walk").length}`;
    $("linearGradient").id = id;
    $(".tint").setAttribute("fill", `url(#${id})`);
    body.querySelectorAll("[data-show]").forEach((button) =>
      button.addEventListener("click", () => {
        host.dataset.shown = button.dataset.show;
        host.dataset.kept = ""; // by the reader, whatever the phase
      }));
    body.querySelectorAll(".axes").forEach(nameAtEdges);
    host.addEventListener("pointerover", ({ target }) =>
      light((target.closest("[data-part]") || host).dataset.part));
    host.addEventListener("pointerleave", () => light());
    return {
      host, $, $$: (name) => [...body.querySelectorAll(name)],
      put(name, value, text = say(value)) {
        $(`[data-key=${name}]`).textContent = text;
        $(`[data-key=${name}]`).dataset.value = value;
      },
      glow: (part) => body.querySelectorAll("[data-part]").forEach((one) =>
        one.classList.toggle("lit", one.dataset.part === part)),
      set: (name, attributes) => Object.entries(attributes)
        .forEach(([key, value]) => $(name).setAttribute(key, value)),
    };
  }

  // A plane whose box has another shape shows more than its view box: the
  // names of its axes go to the edges that are seen.
  function nameAtEdges(axes) {
    const svg = axes.ownerSVGElement, { width, height } = svg.viewBox.baseVal;
    const put = (name, key, value) =>
      axes.querySelector(name).setAttribute(key, value);
    new ResizeObserver(([{ contentRect: box }]) => {
      const scale = Math.min(box.width / width, box.height / height);
      if (!scale) return;
      put(".one", "x", (width + box.width / scale) / 2 - 4);
      put(".two", "y", (height - box.height / scale) / 2 + 14);
    }).observe(svg);
  }

  // Marks of which one asks what they would do (`hover`, −1 for none): by
  // mouse, by key, or with a first tap. A click or a second tap does it.
  function picks(marks, hover, use) {
    let asked = -1, ready = true;
    const ask = (i) => hover(asked = i);
    rove(marks);
    marks.forEach((mark, i) => Object.entries({
      pointerenter: ({ pointerType }) => pointerType === "mouse" && ask(i),
      pointerleave: ({ pointerType }) => pointerType === "mouse" && ask(-1),
      pointerdown({ pointerType }) {
        ready = pointerType === "mouse" || asked === i;
      },
      click: () => ready ? use(i) : ask(i),
      focus: () => mark.matches(":focus-visible") && ask(i),
      blur: () => ask(-1),
      keydown(event) {
        if (!/^( |Enter)$/.test(event.key)) return;
        event.preventDefault();
        use(i);
      },
    }).forEach(([type, act]) => mark.addEventListener(type, act)));
  }

  function plane(wide, high, unit) {
    const px = (a) => wide / 2 + unit * a, py = (b) => high / 2 - unit * b;
    const at = ([a, b]) => `${px(a).toFixed(1)} ${py(b).toFixed(1)}`;
    const within = (v, size, edge) =>
      Math.max(edge, Math.min(size - edge, v));
    // The place in the plane for the middle of a short text.
    const inside = (a, b) => [within(a, wide, 24), within(b, high, 16)];
    // From the box of a short text to the nearest of these pixels; farther
    // than 14 is as good as 14.
    const room = ([a, b], taken) => taken.reduce((least, [c, d]) =>
      Math.min(least, Math.hypot(Math.max(0, Math.abs(c - a) - 20),
        Math.max(0, Math.abs(d - b) - 8))), 14);
    return {
      px, py, at, inside,
      // Where a short text stands beside a pixel: the freest of the places
      // around it, the nearer of two that are as free.
      freest([a, b], taken) {
        const [[x, y]] = AROUND.map(([c, d]) => inside(a + c, b + d))
          .map((place) => [place, room(place, taken)])
          .sort((one, other) => other[1] - one[1])[0];
        return { x, y: y + 5 };
      },
      // The d of an arrow; "" if it is too short to be seen.
      arrow(from, to) {
        const a = [px(from[0]), py(from[1])], b = [px(to[0]), py(to[1])];
        const long = Math.hypot(b[0] - a[0], b[1] - a[1]);
        if (long < 1) return "";
        const [c, s] = [0, 1].map((j) =>
          (b[j] - a[j]) / long * Math.min(10, long / 2));
        return `M${a}L${b}L${b[0] - c - 0.5 * s} ${b[1] - s + 0.5 * c}` +
          `M${b}L${b[0] - c + 0.5 * s} ${b[1] - s - 0.5 * c}`;
      },
      // An upright line through the middle is turned to be <w, x> = 0.
      lay(element, w) {
        const turn = -Math.atan2(w[1], w[0]) * 180 / Math.PI;
        element.setAttribute("transform",
          `translate(${wide / 2} ${high / 2}) rotate(${turn})`);
        element.style.opacity = +(Math.hypot(...w) > 1e-9);
      },
      // A mark to be dragged, by pointer or by arrow keys, with Shift in
      // small steps. It is `here()`, and `moved` is told where it goes.
      drags(mark, here, moved) {
        const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0],
          ArrowUp: [0, 1], ArrowDown: [0, -1] };
        // Browsers do not ask a part of a drawing for its touch-action: a
        // finger would drag the page.
        mark.addEventListener("touchstart", (event) => event.preventDefault(),
          { passive: false });
        mark.addEventListener("pointerdown", ({ pointerId }) =>
          mark.setPointerCapture(pointerId));
        mark.addEventListener("pointermove", (event) => {
          if (!mark.hasPointerCapture(event.pointerId)) return;
          const { x, y } = new DOMPoint(event.clientX, event.clientY)
            .matrixTransform(mark.getScreenCTM().inverse());
          moved(here().map((a, j) => a + [x, -y][j] / unit));
        });
        mark.addEventListener("keydown", (event) => {
          const way = ways[event.key], step = event.shiftKey ? 0.02 : 0.1;
          if (!way) return;
          event.preventDefault();
          moved(here().map((a, j) => a + step * way[j]));
        });
      },
      // The closed line around a minimum on which a convex f has a value:
      // f rises along every ray, so that bisection finds the place.
      level(f, [a, b], value, far, rays = 72) {
        return "M" + Array.from({ length: rays }, (_, k) => {
          const turn = 2 * Math.PI * k / rays;
          const on = (r) => [a + r * Math.cos(turn), b + r * Math.sin(turn)];
          let low = 0, high = far;
          for (let j = 0; j < 22; j++) {
            const r = (low + high) / 2;
            if (f(...on(r)) < value) low = r;
            else high = r;
          }
          return at(on(low));
        }).join(" ") + "Z";
      },
    };
  }

  /* Positions 0, 1, …, `end` are phases, `cycle` of them a step. `here()` is
     the position now, `show(p)` goes to another, and `paint(q)` draws how
     far the way to it has been gone, from 0 to 1. The buttons of `bar` say
     by data-go what they do, those with a data-phase go there; the keys work
     in all of `host`. */
  function player({ host, bar, end, cycle, here, show, paint }) {
    const [play, pick] = ["play", "speed"].map((name) =>
      bar.querySelector(`[data-go=${name}]`));
    let q = 1, goal = here(), pace = PACE, frame = 0, last = 0, speed = 0;
    let playing = false;

    function say(on) {
      playing = on;
      play.setAttribute("aria-pressed", on);
      play.textContent = on ? "Pause" : "Play";
    }

    function go(to, ms = PACE) {
      goal = Math.max(0, Math.min(end, to));
      pace = ms;
      last = 0;
      say(false);
      if (goal < here()) {
        q = 1;
        show(goal);
      } else if (!frame) frame = requestAnimationFrame(tick);
    }

    function tick(time) {
      const start = here();
      let p = start;
      if (q === 1 && p < goal) [p, q] = [p + 1, 0];
      else if (last) q += (time - last) / pace;
      last = time;
      const leap = isFast() ? cycle : 1;
      for (; q >= leap && p < goal; q -= leap) {
        p = Math.min(goal, p + leap - (p + 1) % leap);
      }
      if (p === goal) q = Math.min(1, q);
      frame = q < 1 || p < goal ? requestAnimationFrame(tick) : 0;
      if (!frame) say(false);
      if (p !== start) show(p);
      else paint(far());
      if (!frame) delete host.dataset.unasked;
    }

    // Too fast for phases: whole steps
    const isFast = () => pace < 40;
    const far = () => calm.matches || isFast() ? 1 : q;

    // At the end it starts again.
    const start = () => {
      if (here() === end) show(0);
      go(end, 1000 / cycle / SPEEDS[speed]);
      say(true);
    };
    const actions = {
      reset: () => host.querySelector(".pegasos-reset").click(),
      back: () => go(here() - 1),
      next: () => go(here() + 1),
      step: () => go(here() + cycle - (here() + 1) % cycle, PACE / 2),
      play: () => playing ? go(here()) : start(),
      speed() {
        speed = (speed + 1) % SPEEDS.length;
        pick.textContent = `${SPEEDS[speed]} / s`;
        if (playing) start();
      },
    };
    const keys = { n: "next", b: "back", s: "step", p: "play", r: "reset" };
    bar.addEventListener("click", ({ target }) => {
      const { go } = (target.closest("[data-go]") || bar).dataset;
      if (go) actions[go]();
    });
    host.addEventListener("keydown", (event) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (!keys[key] || ctrlKey || metaKey || altKey) return;
      if (target.matches("select")) return; // there a letter is a choice's
      event.stopPropagation();
      actions[keys[key]]();
    });
    rove([...bar.querySelectorAll("button")]);
    const phases = [...host.querySelectorAll("button[data-phase]")];
    rove(phases, (button) => button.click());
    phases.forEach((button, k) => button.addEventListener("click", () =>
      go(here() - here() % cycle + k)));
    return {
      go, far,
      // Unless motion is unwanted, it runs before anybody has asked for it:
      // the address is written after a reader's act alone.
      open(to, ms) {
        if (calm.matches) return;
        const asked = () => delete host.dataset.unasked;
        host.dataset.unasked = "";
        ["pointerdown", "keydown"].forEach((act) =>
          host.addEventListener(act, asked, { capture: true, once: true }));
        go(to, ms);
      },
      press: () => phases.forEach((button, k) =>
        button.setAttribute("aria-pressed", k === here() % cycle)),
      stop() { // somebody else went to a position
        [q, goal] = [1, here()];
        say(false);
      },
    };
  }

  // `patterns` are regular expressions by phase; a listing counts if it has
  // a line for each. `enter(phase)` is called as the pointer passes a line.
  function listings(patterns, enter) {
    const names = Object.keys(patterns), found = [];
    for (const pre of document.querySelectorAll("pre")) {
      const text = pre.textContent.trimEnd().split("\n");
      const row = (name) =>
        text.findIndex((line) => RegExp(patterns[name]).test(line));
      if (names.some((name) => row(name) < 0)) continue;
      const measure = () => {
        const css = getComputedStyle(pre), top = parseFloat(css.paddingTop);
        const high = pre.scrollHeight - top - parseFloat(css.paddingBottom);
        return [top, high / text.length];
      };
      pre.addEventListener("pointermove", ({ clientY }) => {
        const [top, high] = measure();
        const y = clientY - pre.getBoundingClientRect().top - top;
        enter(names.find((name) => row(name) === Math.floor(y / high)));
      });
      pre.addEventListener("pointerleave", () => enter());
      found.push((name) => {
        const [top, high] = measure();
        pre.classList.add("pegasos-runs");
        pre.style.setProperty("--pegasos-row", `${top + row(name) * high}px`);
        pre.style.setProperty("--pegasos-high", `${high}px`);
      });
    }
    return (name) => found.forEach((mark) => mark(name));
  }

  // The lines of a box with an algorithm. `parts` says which part of the
  // formula each is about.
  function box(selector, parts, light) {
    const items = [...document.querySelectorAll(selector)];
    items.forEach((item, k) => {
      item.addEventListener("pointerenter", () => light(parts[k]));
      item.addEventListener("pointerleave", () => light());
    });
    return (line) => items.forEach((item, k) =>
      item.classList.toggle("pegasos-runs", k === line));
  }

  window.PegasosLive.walk = {
    mix, say, sub, fill, settle, plane, picks, player, listings, box,
  };
})();
