/* What is wider than the page scrolls by itself; with a place in the tab
   order it does so from the keyboard too. */
(function () {
  "use strict";

  const SCROLLERS =
    "mjx-container, .pst-scrollable-table-container, pre, .cell_output *";

  function reach(box) {
    if (box.scrollWidth > box.clientWidth + 1) {
      box.tabIndex = 0;
    }
  }

  function reachAll() {
    document.querySelectorAll(SCROLLERS).forEach(reach);
  }

  window.addEventListener("load", function () {
    const ready = window.MathJax && window.MathJax.startup;
    (ready ? window.MathJax.startup.promise : Promise.resolve())
      .then(reachAll);
    window.addEventListener("resize", reachAll);
  });
})();
