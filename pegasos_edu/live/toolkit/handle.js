/* What a reader drags: a knob laid over a chart. */
(function () {
  "use strict";

  // Something to drag, at data coordinates {x, y} of a view. `moved(x, y)` is
  // called as it moves; with `label` it takes the arrow keys too, in steps of
  // `step` (a tenth of that with Shift).
  PegasosLive.handle = function (box, view, { label, step, moved }) {
    const host = box.closest("[data-pegasos]");
    const at = { x: 0, y: 0 };
    const knob = document.createElement(label ? "button" : "span");
    knob.className = "pegasos-handle";
    if (label) {
      knob.type = "button";
      // The box is no longer one picture: the handles say what it shows.
      box.setAttribute("role", "group");
    }
    box.append(knob);
    function corner() {
      const [left, top] = view.origin(), padding = view.padding();
      return [left + padding.left, top + padding.top];
    }
    function place() {
      const [left, top] = corner();
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
      const [x0, y0] = corner();
      moved(view.scale("x").invert(event.clientX - left - x0),
        view.scale("y").invert(event.clientY - top - y0));
    });
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0],
      ArrowUp: [0, 1], ArrowDown: [0, -1] };
    knob.addEventListener("keydown", (event) => {
      const way = ways[event.key];
      if (!way) return;
      event.preventDefault();
      const length = event.shiftKey ? step / 10 : step;
      moved(at.x + length * way[0], at.y + length * way[1]);
    });
    return {
      move(x, y, text) {
        Object.assign(at, { x, y });
        if (label) knob.setAttribute("aria-label", text);
      },
      show(visible) {
        knob.hidden = !visible;
      },
    };
  };
})();
