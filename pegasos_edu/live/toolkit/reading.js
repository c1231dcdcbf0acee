/* The numbers under the pointer: a rule at the nearest step, and in a box
the value of each curve there. A finger taps instead. */
(function () {
  "use strict";

  const NEAR = 8; // pixels; a curve with no point so near is left out

  function part(panel, className) {
    const made = document.createElement("div");
    made.className = className;
    made.hidden = true;
    panel.append(made);
    return made;
  }

  function line(text, colour = "") {
    const made = document.createElement("div");
    made.textContent = text;
    made.style.color = colour;
    return made;
  }

  // `rows` is the data set of the curves; `x`, `y` and `name` are fields.
  PegasosLive.reading = function (panel, view, reading) {
    const { rows, x, y, name, label, factor } = reading;
    const host = panel.closest("[data-pegasos]");
    const rule = part(panel, "pegasos-reading-rule");
    const box = part(panel, "pegasos-reading");
    // For all to see who have a pointer; the others have the readouts.
    box.setAttribute("aria-hidden", "true");
    let pointer = null; // how far right it is in the panel, in pixels

    function hide() {
      pointer = null;
      rule.hidden = box.hidden = true;
    }

    const nearest = (some, wanted) => some.reduce((best, row) =>
      Math.abs(row.at - wanted) < Math.abs(best.at - wanted) ? row : best);

    function show() {
      const [left, top] = PegasosLive.corner(view);
      const at = view.scale("x"), [start, end] = at.range();
      const curves = new Map();
      for (const row of view.data(rows)) {
        const key = name ? row[name] : label;
        if (!curves.has(key)) curves.set(key, []);
        curves.get(key).push({ row, at: at(row[x]) });
      }
      const wanted = pointer - left;
      if (wanted < start || wanted > end || !curves.size) return hide();
      const here = nearest([...curves.values()].flat(), wanted);
      const lines = [...curves].flatMap(([key, points]) => {
        const { row, at: place } = nearest(points, here.at);
        if (Math.abs(place - here.at) > NEAR) return [];
        const value = PegasosLive.format(row[y]);
        return [line(name ? `${factor}${key}: ${value}` : `${y} = ${value}`,
          name && view.scale("color")(key))];
      });
      box.replaceChildren(
        line(`${label} = ${PegasosLive.plain(here.row[x])}`), ...lines);
      const far = here.at > (start + end) / 2;
      box.style.left = far ? `${left + 4}px` : "";
      box.style.right = far ? "" : "4px";
      box.style.top = rule.style.top = `${top}px`;
      rule.style.left = `${left + here.at}px`;
      rule.style.height = `${view.height()}px`;
      rule.hidden = box.hidden = false;
    }

    function follow(event) {
      pointer = event.clientX - panel.getBoundingClientRect().left;
      show();
    }

    panel.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") follow(event);
    });
    panel.addEventListener("pointerdown", follow);
    panel.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch") hide();
    });
    // What a finger opened, a tap elsewhere closes.
    document.addEventListener("pointerdown", (event) => {
      if (!panel.contains(event.target)) hide();
    });
    host.addEventListener("pegasos:drawn", () => {
      if (pointer !== null) show();
    });
  };
})();
