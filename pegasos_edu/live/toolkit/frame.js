/* The frame round every live figure: its number and title, a row of buttons,
and the states worth a try.

PegasosLive.frame is called by the toolkit for each figure that starts.
`link()` is the address of the figure as it stands, and `choose(state)` moves
its controls. A figure that walks (walk.js) has its own Reset and Play.

The number stands in the figure's data-number, if whoever made the page wrote
one there. A page that has a lecture view offers PegasosPage.lecture(host). */
(function () {
  "use strict";

  const { element } = window.PegasosLive; // see toolkit.js
  const REACH = 24, THUMB = 16; // px: of a finger, of the thumb of a slider
  const PACE = 250, LONGEST = 8000, MOMENT = 1500; // ms
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  function button(text, name, onclick) {
    const made = element("button", {
      type: "button", textContent: text, onclick,
    });
    made.dataset.do = name;
    return made;
  }

  // A finger on the track of a slider may be on its way down the page: only
  // what starts at the thumb moves it.
  function onlyByThumb(input) {
    let kept = null;
    input.addEventListener("pointerdown", ({ pointerType, clientX }) => {
      const { left, width } = input.getBoundingClientRect();
      const share = input.value / input.max;
      const thumb = left + THUMB / 2 + share * (width - THUMB);
      const isFar = Math.abs(clientX - thumb) > REACH;
      kept = pointerType === "touch" && isFar ? input.value : null;
    });
    input.addEventListener("input", (event) => {
      if (kept === null || !event.isTrusted) return;
      event.stopImmediatePropagation();
      input.value = kept;
    }, { capture: true });
    // A tap has ended, or a key goes on.
    for (const type of ["click", "keydown"]) {
      input.addEventListener(type, () => { kept = null; });
    }
  }

  // One stop of the tab key for all items; arrow keys go on from there.
  function rove(items, then = () => {}) {
    const ways = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    items.forEach((item, k) => {
      item.tabIndex = k ? -1 : 0;
      item.addEventListener("keydown", (event) => {
        const { key } = event, way = ways[key];
        const ends = { Home: items[0], End: items.at(-1) };
        const next = way ? items.at((k + way) % items.length) : ends[key];
        if (!next) return;
        event.preventDefault();
        next.focus();
        then(next);
      });
      item.addEventListener("focus", () => items.forEach((one) => {
        one.tabIndex = one === item ? 0 : -1;
      }));
    });
  }

  function toolbar(className, name, items) {
    const made = element("div", { className }, ...items);
    made.setAttribute("role", "toolbar");
    made.setAttribute("aria-label", name);
    rove(items);
    return made;
  }

  // Play: the positions of a slider one after the other, to the end.
  function player(host, { key, label, values }) {
    const input = host.querySelector(`input[data-key="${key}"]`);
    const last = values.length - 1, pace = Math.min(PACE, LONGEST / last);
    const made = button("Play", "play", press);
    let timer = 0, isOwn = false;

    function tell() {
      made.textContent = timer ? "Pause" : calm.matches ? "Step" : "Play";
      made.setAttribute("aria-label", `${made.textContent}: ${label}`);
    }

    function stop() {
      clearInterval(timer);
      timer = 0;
      tell();
    }

    function go(position) {
      isOwn = true;
      input.value = position;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      isOwn = false;
    }

    // A step waits until the one before is drawn.
    function step() {
      if (host.dataset.state === "drawing") return;
      go(+input.value + 1);
      if (+input.value === last) stop();
    }

    function press() {
      if (timer) return stop();
      const wasOver = +input.value === last;
      if (wasOver) go(0);
      if (!calm.matches) {
        timer = setInterval(step, pace);
        tell();
      } else if (!wasOver) step();
    }

    for (const type of ["input", "pointerdown", "keydown"]) {
      host.addEventListener(type, ({ target }) => {
        if (timer && !isOwn && target !== made) stop();
      });
    }
    window.addEventListener("hashchange", stop);
    calm.addEventListener("change", stop);
    new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) stop();
    }).observe(host);
    tell();
    return made;
  }

  // Where nothing may be put on the clipboard, the address is shown to be
  // copied by hand.
  function copier(head, link) {
    const made = button("Copy link", "copy", async () => {
      try {
        await navigator.clipboard.writeText(link());
        say("Copied", "Link copied.");
        setTimeout(() => say("Copy link", ""), MOMENT);
      } catch (refused) {
        show();
      }
    });
    function show() {
      const field = element("input", { value: link(), readOnly: true,
        className: "pegasos-address", onblur: () => field.remove() });
      field.setAttribute("aria-label", "Address of this figure, to copy");
      head.append(field);
      field.select();
    }
    const spoken = element("span", { className: "pegasos-spoken" });
    spoken.setAttribute("role", "status");
    head.append(spoken);
    function say(text, aloud) {
      made.textContent = text;
      spoken.textContent = aloud;
    }
    return made;
  }

  function screener(host) {
    const made = button("Full screen", "screen", () =>
      document.fullscreenElement ? document.exitFullscreen()
        : host.requestFullscreen());
    let isOn = false;
    document.addEventListener("fullscreenchange", () => {
      if (isOn === (document.fullscreenElement === host)) return;
      isOn = !isOn;
      host.classList.toggle("pegasos-large", isOn);
      made.textContent = isOn ? "Leave" : "Full screen";
    });
    return made;
  }

  function triesOf(host, presets, choose) {
    const made = presets.map(({ label, state }) =>
      button(label, "try", () => choose(state)));
    document.addEventListener("keydown", ({ key }) => {
      const chosen = made[key - 1];
      if (chosen && document.fullscreenElement === host) chosen.click();
    });
    return made;
  }

  function frame({ host, config, link, choose }) {
    const { title, controls, presets = [], needs = [] } = config;
    host.querySelectorAll("input[type=range]").forEach(onlyByThumb);
    const number = element("span", {
      className: "pegasos-number",
      textContent: `Live figure ${host.dataset.number || ""}`.trim(),
    });
    const head = element("div", { className: "pegasos-head" },
      element("p", { className: "pegasos-title" }, number, ` ${title}`));
    const walks = needs.includes("walk");
    const buttons = walks ? [] : [
      ...controls.filter((one) => one.plays).map((one) => player(host, one)),
      host.querySelector(".pegasos-reset"),
    ];
    buttons.push(copier(head, link));
    if (document.fullscreenEnabled) buttons.push(screener(host));
    const page = window.PegasosPage;
    if (page) {
      buttons.push(button("Lecture view", "lecture", () =>
        page.lecture(host)));
    }
    head.append(toolbar("pegasos-buttons", `Figure: ${title}`, buttons));
    host.prepend(head);
    if (!presets.length) return;
    const tries = toolbar("pegasos-tries", "Try",
      triesOf(host, presets, choose));
    tries.prepend("Try:");
    host.append(tries);
  }

  Object.assign(window.PegasosLive, { frame, rove });
})();
