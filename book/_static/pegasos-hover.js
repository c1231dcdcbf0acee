/* The meaning of a word that is linked to the glossary, in a box beside it,
   the entry of a source likewise, and the symbols of a formula below it:
   under the mouse, in the focus, and at a tap. A second tap follows the
   link, or closes the box. */
(function () {
  "use strict";

  const LINKS = "a[aria-describedby^='meaning-']";
  const FORMULAS = ".math[aria-describedby]";
  const GAP = 6;
  const REST = 300; // ms: a mouse on its way across a formula wants nothing
  let link = null;
  let coming = 0;
  let leaving = 0;
  let wasOpen = false;

  const idsOf = (one) => one.getAttribute("aria-describedby").split(" ");
  const isFormula = (one) => one.matches(FORMULAS);

  /* The link, or the formula: its drawing, not the blank beside it. */
  function markAt(event) {
    const drawn = event.target.closest(`${FORMULAS} svg`);
    return event.target.closest(LINKS) || (drawn && drawn.closest(FORMULAS));
  }

  /* The box of a link is its own; all formulas share one, of whose lines
     those are seen that say something of this one. */
  function boxOf(one) {
    const lines = idsOf(one).map((id) => document.getElementById(id));
    if (!isFormula(one)) return lines[0];
    const box = lines[0].parentElement;
    [...box.children].forEach((line) => {
      line.hidden = !lines.includes(line);
    });
    return box;
  }

  /* Below the first line of the mark, or above it where there is no room. */
  function place(box) {
    const at = (link.querySelector("svg") || link).getClientRects()[0];
    const frame = box.offsetParent.getBoundingClientRect();
    const room = document.documentElement;
    const most = room.clientWidth - box.offsetWidth - GAP;
    const left = Math.max(GAP, Math.min(at.left, most));
    const isBelow = at.bottom + box.offsetHeight + GAP <= room.clientHeight
      || at.top < box.offsetHeight + GAP;
    const top = isBelow ? at.bottom : at.top - box.offsetHeight;
    box.style.left = `${left - frame.left}px`;
    box.style.top = `${top - frame.top}px`;
  }

  function hide() {
    clearTimeout(coming);
    clearTimeout(leaving);
    if (link) boxOf(link).hidden = true;
    link = null;
  }

  function show(one) {
    clearTimeout(coming);
    clearTimeout(leaving);
    if (one === link) return;
    hide();
    link = one;
    boxOf(link).hidden = false;
    place(boxOf(link));
  }

  document.addEventListener("pointerover", function (event) {
    if (event.pointerType === "touch") return;
    const one = markAt(event);
    clearTimeout(coming);
    if (one && isFormula(one) && one !== link) {
      coming = setTimeout(show, REST, one);
    } else if (one) {
      show(one);
    } else if (link && boxOf(link).contains(event.target)) {
      clearTimeout(leaving);
    } else if (link && link !== document.activeElement) {
      /* The way from the link to its box takes a moment. */
      clearTimeout(leaving);
      leaving = setTimeout(hide, 200);
    }
  });

  document.addEventListener("focusin", function (event) {
    const one = event.target.closest(`${LINKS}, ${FORMULAS}`);
    if (one) show(one);
  });
  document.addEventListener("focusout", hide);

  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") hide();
  });

  /* A tap focuses before it is a click. */
  document.addEventListener("pointerdown", function (event) {
    wasOpen = link !== null && markAt(event) === link;
    if (link && !wasOpen && !boxOf(link).contains(event.target)) hide();
  });
  document.addEventListener("click", function (event) {
    const one = markAt(event);
    if (!one) return;
    if (isFormula(one)) {
      if (wasOpen) hide();
      else show(one);
    } else if (event.pointerType === "touch" && !wasOpen) {
      event.preventDefault();
      show(one);
    }
  });

  window.addEventListener("resize", hide);

  /* In the tab order are the formulas with a symbol that none above has. */
  const known = new Set();
  document.querySelectorAll(FORMULAS).forEach(function (formula) {
    const isNew = idsOf(formula).some((id) => !known.has(id));
    idsOf(formula).forEach((id) => known.add(id));
    formula.tabIndex = isNew ? 0 : -1;
    formula.setAttribute("role", "group");
    formula.setAttribute("aria-label", "Formula");
  });
})();
