/* The lecture view: one figure of the page at a time, as large as the window.

pegasos.js loads this when it is first wanted, and hands on the keys. */
(function () {
  "use strict";

  const root = document.documentElement;
  const PLACES = "[data-pegasos], article img.in-light";
  const LIVE = "[data-pegasos]";
  const CONTROLS = "a, button, input, select, textarea, [tabindex]";
  const TYPED = "input:not([type=range]), select, textarea";
  let shown = null, before = null, bar = null, count = null, caption = null;

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
    if (place.matches(LIVE)) place.classList.add("pegasos-large");
    if (document.activeElement) document.activeElement.blur();
    const all = places();
    count.textContent = `${all.indexOf(place) + 1} / ${all.length}`;
    caption.replaceChildren(...wordsOf(place));
  }

  // The number and the caption of a picture; a live figure has its own.
  function wordsOf(place) {
    const words = !place.matches(LIVE)
      && place.closest("figure")?.querySelector("figcaption");
    const copy = words && words.cloneNode(true);
    if (copy) copy.querySelector(".headerlink")?.remove();
    return copy ? copy.childNodes : [];
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
    bar.append(button("Previous figure", () => turn(-1)), count,
      button("Next figure", () => turn(1)), button("Leave", leave));
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Lecture view");
    caption = document.createElement("div");
    caption.className = "pegasos-caption";
    // A picture takes the room that its caption leaves.
    new ResizeObserver(() => root.style.setProperty(
      "--pegasos-caption", `${caption.offsetHeight}px`)).observe(caption);
    document.body.append(caption, bar);
  }

  // A figure that fills the screen by itself would cover the bar.
  async function unfill() {
    const isOver = new Promise((done) => document.addEventListener(
      "fullscreenchange", done, { once: true }));
    await document.exitFullscreen();
    await isOver;
  }

  async function enter(host) {
    const filling = document.fullscreenElement?.closest(LIVE);
    const place = host || filling || nearest();
    if (filling) await unfill();
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
    } else if (/^[a-z]$/i.test(key) && !shown.contains(target)) hand(key);
    else return false;
    return true;
  }

  // Any other letter is the shown figure's, wherever the focus is.
  function hand(key) {
    shown.dispatchEvent(new KeyboardEvent("keydown", { key }));
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
