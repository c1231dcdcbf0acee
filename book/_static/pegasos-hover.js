/* The meaning of a word that is linked to the glossary, in a box beside it:
   under the mouse, in the focus, and at the first tap of a finger, whose
   second tap follows the link. */
(function () {
  "use strict";

  const LINKS = "a[aria-describedby^='meaning-']";
  const GAP = 6;
  let link = null;
  let leaving = 0;
  let wasOpen = false;

  const linkAt = (event) => event.target.closest(LINKS);
  const boxOf = (one) =>
    document.getElementById(one.getAttribute("aria-describedby"));

  /* Below the first line of the link, or above it where there is no room. */
  function place(box) {
    const at = link.getClientRects()[0];
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
    clearTimeout(leaving);
    if (link) boxOf(link).hidden = true;
    link = null;
  }

  function show(one) {
    clearTimeout(leaving);
    if (one === link) return;
    hide();
    link = one;
    boxOf(link).hidden = false;
    place(boxOf(link));
  }

  document.addEventListener("pointerover", function (event) {
    if (event.pointerType === "touch") return;
    const one = linkAt(event);
    if (one) {
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
    const one = linkAt(event);
    if (one) show(one);
  });
  document.addEventListener("focusout", hide);

  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") hide();
  });

  /* A tap focuses the link before it is a click. */
  document.addEventListener("pointerdown", function (event) {
    wasOpen = link !== null && linkAt(event) === link;
    if (link && !wasOpen && !boxOf(link).contains(event.target)) hide();
  });
  document.addEventListener("click", function (event) {
    const one = linkAt(event);
    if (one && event.pointerType === "touch" && !wasOpen) {
      event.preventDefault();
      show(one);
    }
  });

  window.addEventListener("resize", hide);
})();
