/* The lecture view: one figure of the page at a time, as large as the window.

pegasos.js loads this when it is first wanted, and hands on the keys. */
(function () {
  "use strict";

  const root = document.documentElement;
  const PLACES = "[data-pegasos], article img.in-light";
  const CONTROLS = "a, button, input, select, textarea, [tabindex]";
  const TYPED = "input:not([type=range]), select, textarea";
  let shown = null, before = null, bar = null, count = null;

  const places = () => [...document.querySelectorAll(PLACES)]
    .filter((one) => shown || one.getClientRects().length
      || one.nextElementSibling?.getClientRects().length);

  // A picture has a twin for the other theme beside it.
  const parts = (one) => one.matches("img")
    ? [one, one.nextElementSibling] : [one];

  function hide() {
    if (!shown) return;
    parts(shown).forEach((part) =>
      part.classList.remove("pegasos-shown", "pegasos-large"));
  }

  function show(place) {
    hide();
    shown = place;
    parts(place).forEach((part) => part.classList.add("pegasos-shown"));
    if (place.matches("[data-pegasos]")) place.classList.add("pegasos-large");
    if (document.activeElement) document.activeElement.blur();
    const all = places();
    count.textContent = `${all.indexOf(place) + 1} / ${all.length}`;
  }

  // The figure in the middle of the window, or the one nearest to it.
  function nearest() {
    const far = (one) => {
      const [box] = parts(one).flatMap((part) => [...part.getClientRects()]);
      return Math.max(box.top - innerHeight / 2, innerHeight / 2 - box.bottom);
    };
    return places().reduce((a, b) => (far(b) < far(a) ? b : a));
  }

  function button(text, onclick) {
    return Object.assign(document.createElement("button"),
      { type: "button", textContent: text, onclick });
  }

  function makeBar() {
    bar = document.createElement("div");
    bar.className = "pegasos-bar";
    count = document.createElement("span");
    count.setAttribute("role", "status");
    bar.append(button("Back", () => turn(-1)), count,
      button("Next", () => turn(1)), button("Leave", leave));
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Lecture view");
    document.body.append(bar);
  }

  function enter(host) {
    const place = host || nearest();
    before = { left: scrollX, top: scrollY, focus: document.activeElement };
    if (!bar) makeBar();
    root.classList.add("pegasos-lecturing");
    show(place);
    if (document.fullscreenEnabled && !document.fullscreenElement) {
      // Where it is refused, the window is large enough.
      root.requestFullscreen().catch(() => {});
    }
  }

  function leave() {
    hide();
    shown = null;
    root.classList.remove("pegasos-lecturing");
    if (document.fullscreenElement) document.exitFullscreen();
    before.focus.focus({ preventScroll: true });
    scrollTo({ ...before, behavior: "instant" });
  }

  function toggle(host) {
    if (shown) leave();
    else enter(host);
  }

  function turn(way) {
    const all = places();
    show(all[Math.max(0, Math.min(all.length - 1,
      all.indexOf(shown) + way))]);
  }

  function click(selector, k = 0) {
    const found = shown.querySelectorAll(selector)[k];
    if (found) found.click();
    return Boolean(found);
  }

  // Whether a key does something here.
  function act({ key, target }) {
    if (key === "PageDown") turn(1);
    else if (key === "PageUp") turn(-1);
    else if (key === "Escape") leave();
    else if (/^[1-9]$/.test(key) && !target.closest(TYPED)) {
      return click("[data-do=try]", key - 1);
    } else if (key === " " && !target.closest(CONTROLS)) {
      return click("[data-do=play], [data-go=play]");
    } else return false;
    return true;
  }

  function press(event) {
    const { ctrlKey, metaKey, altKey } = event;
    if (!shown || ctrlKey || metaKey || altKey) return;
    if (act(event)) event.preventDefault();
  }

  // The browser's own Escape leaves full screen without a key to be heard.
  document.addEventListener("fullscreenchange", () => {
    if (shown && !document.fullscreenElement) leave();
  });

  window.PegasosLecture = { press, toggle };
})();
