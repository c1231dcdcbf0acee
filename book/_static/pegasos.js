/* What is wider than the page scrolls by itself; with a place in the tab
   order it does so from the keyboard too. */
(function () {
  "use strict";

  const SCROLLERS = "mjx-container, pre, .cell_output div,"
    + " .pst-scrollable-table-container";

  /* A formula inside a line is let out of it only where it must scroll. */
  function loosen(formula) {
    const room = formula.parentElement.closest("p, li, dd, td, div");
    const isWide = formula.getBoundingClientRect().width > room.clientWidth;
    formula.classList.toggle("wide-formula", isWide);
  }

  function reach(box) {
    const overflow = getComputedStyle(box).overflowX;
    const isWider = box.scrollWidth > box.clientWidth;
    if (isWider && (overflow === "auto" || overflow === "scroll")) {
      box.tabIndex = 0;
    }
  }

  function reachAll() {
    document.querySelectorAll("mjx-container:not([display])")
      .forEach(loosen);
    document.querySelectorAll(SCROLLERS).forEach(reach);
  }

  window.addEventListener("load", function () {
    const ready = window.MathJax && window.MathJax.startup;
    (ready ? window.MathJax.startup.promise : Promise.resolve())
      .then(reachAll);
    window.addEventListener("resize", reachAll);
  });
})();
