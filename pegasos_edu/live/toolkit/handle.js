/* What a reader drags: a knob laid over a chart. */
(function () {
  "use strict";

  const ATTENTION = { pointerenter: true, focus: true,
    pointerleave: false, blur: false };

  const all = (knob) =>
    [...knob.parentElement.querySelectorAll(".pegasos-handle")];

  function stopAt(knob) {
    all(knob).forEach((one) => { one.tabIndex = one === knob ? 0 : -1; });
  }

  // The visible handle after this one; after the last the first.
  function next(knob) {
    const knobs = all(knob), here = knobs.indexOf(knob);
    return [...knobs.slice(here + 1), ...knobs].find((one) => !one.hidden);
  }

  // Moves the slider of a figure to the position nearest to a value.
  PegasosLive.slide = function (box, key, values, wanted) {
    const slider = box.closest("[data-pegasos]")
      .querySelector(`input[data-key="${key}"]`);
    const far = values.map((value) => Math.abs(value - wanted));
    slider.value = far.indexOf(Math.min(...far));
    slider.dispatchEvent(new Event("input"));
  };

  // Something to drag, at data coordinates {x, y} of a view. `moved(x, y)` is
  // called as it moves; with `label` it takes the arrow keys too, in steps of
  // `step` (a tenth of that with Shift). Of the handles of one box one is a
  // stop of the Tab key; Enter goes from each to the next. `lit(on)` is
  // called as the pointer or the focus comes and goes.
  PegasosLive.handle = function (box, view, { label, step, moved, lit }) {
    const host = box.closest("[data-pegasos]");
    const at = { x: 0, y: 0 };
    const knob = document.createElement(label ? "button" : "span");
    knob.className = "pegasos-handle";
    if (label) {
      knob.type = "button";
      // The box is no longer one picture: the handles say what it shows.
      box.setAttribute("role", "group");
      knob.tabIndex = box.querySelector(".pegasos-handle") ? -1 : 0;
    }
    box.append(knob);
    function place() {
      const [left, top] = PegasosLive.corner(view);
      knob.style.left = `${left + view.scale("x")(at.x)}px`;
      knob.style.top = `${top + view.scale("y")(at.y)}px`;
    }
    host.addEventListener("pegasos:drawn", place);
    view.addResizeListener(() => view.runAfter(place));
    knob.addEventListener("pointerdown", (event) => {
      knob.setPointerCapture(event.pointerId);
      event.preventDefault();
      knob.focus();
    });
    knob.addEventListener("pointermove", (event) => {
      if (!knob.hasPointerCapture(event.pointerId)) return;
      const { left, top } = box.getBoundingClientRect();
      const [x0, y0] = PegasosLive.corner(view);
      moved(view.scale("x").invert(event.clientX - left - x0),
        view.scale("y").invert(event.clientY - top - y0));
    });
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0],
      ArrowUp: [0, 1], ArrowDown: [0, -1] };
    knob.addEventListener("focus", () => stopAt(knob));
    for (const [name, on] of lit ? Object.entries(ATTENTION) : []) {
      knob.addEventListener(name, () => lit(on));
    }
    knob.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && label) {
        event.preventDefault();
        next(knob).focus();
      }
      const way = ways[event.key];
      if (!way) return;
      event.preventDefault();
      const length = event.shiftKey ? step / 10 : step;
      moved(at.x + length * way[0], at.y + length * way[1]);
    });
    return {
      move(x, y, text) {
        Object.assign(at, { x, y });
        if (!label) return;
        knob.setAttribute("aria-label",
          `${text}; arrow keys move it, Enter goes to the next`);
      },
      show(visible) {
        knob.hidden = !visible;
        // The stop of the Tab key must not be one that went.
        if (!visible && knob.tabIndex === 0) stopAt(next(knob));
      },
    };
  };
})();
