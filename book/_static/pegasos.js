/* What is wider than the page scrolls by itself; with a place in the tab
   order it does so from the keyboard too. */
(function () {
  "use strict";

  /* The theme says so late: dark pages would be white at first. */
  const root = document.documentElement.dataset;
  if (root.theme === "auto") {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    root.theme = isDark ? "dark" : "light";
  }

  const SCROLLERS = "mjx-container, pre, .cell_output div,"
    + " .pst-scrollable-table-container";

  /* What is folded is looked at when it is opened: to measure it costs a
     layout of its own. */
  const FOLDED = "details:not([open]) > :not(summary)";

  /* A formula inside a line is let out of it only where it must scroll. */
  function isTooWide(formula) {
    const room = formula.parentElement.closest("p, li, dd, td, div");
    return formula.getBoundingClientRect().width > room.clientWidth;
  }

  function mustScroll(box) {
    const overflow = getComputedStyle(box).overflowX;
    return box.scrollWidth > box.clientWidth
      && (overflow === "auto" || overflow === "scroll");
  }

  /* A phone shows each row of a table that is too wide for it as a card, each
     cell with the name of its column. Browsers no longer take such boxes for
     a table; the roles say that they still are one. */
  function deal(table) {
    const heads = [...table.querySelectorAll("thead :is(th, td)")];
    const hasNames = heads.length > 1
      && heads.every((head) => !head.querySelector(".math, mjx-container"));
    table.classList.remove("cards");
    const room = table.parentElement.clientWidth;
    if (!hasNames || innerWidth > 600 || table.offsetWidth <= room) return;
    table.classList.add("cards");
    const roles = {TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup",
      TR: "row", TD: "cell"};
    [table, ...table.querySelectorAll("thead, tbody, tr, td")]
      .forEach((box) => box.setAttribute("role", roles[box.tagName]));
    table.querySelectorAll("thead th")
      .forEach((head) => head.setAttribute("role", "columnheader"));
    table.querySelectorAll("tbody tr").forEach(function (row) {
      [...row.cells].forEach(function (cell, k) {
        cell.dataset.label = heads[k].textContent;
        if (cell.tagName === "TH") cell.setAttribute("role", "rowheader");
      });
    });
  }

  /* All is measured before anything changes, or each change would have the
     page laid out anew for the next measure. */
  function reachWithin(place) {
    const seen = (selector) => [...place.querySelectorAll(selector)]
      .filter((box) => !box.closest(FOLDED));
    seen("article table").forEach(deal);
    const formulas = seen("mjx-container:not([display])")
      .map((formula) => [formula, isTooWide(formula)]);
    formulas.forEach(([formula, isWide]) =>
      formula.classList.toggle("wide-formula", isWide));
    seen(SCROLLERS).filter(mustScroll)
      .forEach((box) => { box.tabIndex = 0; });
    seen(`${SCROLLERS}, ${TRIES}`).filter(mustScroll).concat(seen(FADED))
      .forEach(fade);
  }

  /* What can be pushed aside fades where it goes on: see pegasos.css. */
  const TRIES = ".pegasos-tries";
  const FADED = ".more-before, .more-after";
  function fade(box) {
    const rest = box.scrollWidth - box.clientWidth - box.scrollLeft;
    box.classList.toggle("more-before", box.scrollLeft > 1);
    box.classList.toggle("more-after", rest > 1);
  }
  document.addEventListener("scroll", function (event) {
    if (event.target.matches?.(`${FADED}, ${TRIES}`)) fade(event.target);
  }, {capture: true, passive: true});
  /* A live figure has its row of tries when it has been drawn. */
  document.addEventListener("pegasos:drawn", (event) =>
    event.target.querySelectorAll(TRIES).forEach(fade), {capture: true});

  /* Paper is white, whatever the screen was, and cannot be unfolded. */
  const UNFOLDED = ".tag_on-paper > details:not([open])";
  let theme = null;
  let closed = [];
  window.addEventListener("beforeprint", function () {
    closed = [...document.querySelectorAll(UNFOLDED)];
    closed.forEach((fold) => { fold.open = true; });
    theme = root.theme;
    root.theme = "light";
  });
  window.addEventListener("afterprint", function () {
    root.theme = theme;
    closed.forEach((fold) => { fold.open = false; });
  });

  /* The lecture view is fetched when it is first wanted: by its key, L, or by
     the button of a figure. */
  const HERE = document.currentScript.src;
  const FIGURES = "[data-pegasos], article img.in-light";
  const TYPED = "input:not([type=range]), select, textarea,"
    + " [contenteditable]";
  let coming = null;

  function fetched(tag, properties) {
    return new Promise(function (onload, onerror) {
      document.head.append(Object.assign(document.createElement(tag),
        properties, {onload, onerror}));
    });
  }

  function lecture(host) {
    const at = (kind) =>
      HERE.replace(/pegasos\.js.*/, `pegasos-lecture.${kind}`);
    coming = coming || Promise.all([
      fetched("link", {rel: "stylesheet", href: at("css")}),
      fetched("script", {src: at("js")}),
    ]);
    coming.then(() => window.PegasosLecture.toggle(host));
  }

  document.addEventListener("keydown", function (event) {
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey);
    if (isPlain && /^l$/i.test(event.key) && !event.target.closest(TYPED)) {
      if (document.querySelector(FIGURES)) lecture();
    } else if (window.PegasosLecture) {
      window.PegasosLecture.press(event);
    }
  });
  window.PegasosPage = {lecture, reachWithin};

  /* A phone is dealt its cards before it shows them, piece by piece as the
     page comes in; what has something after it is complete. */
  const dealt = new WeakSet();
  function dealNew() {
    document.querySelectorAll("article table").forEach(function (table) {
      if (dealt.has(table)) return;
      deal(table);
      if (table.parentElement.nextSibling) dealt.add(table);
    });
  }
  if (innerWidth <= 600) {
    const arrivals = new MutationObserver(dealNew);
    arrivals.observe(document, {childList: true, subtree: true});
    document.addEventListener("readystatechange",
      () => arrivals.disconnect(), {once: true});
  }

  window.addEventListener("load", function () {
    const ready = window.MathJax && window.MathJax.startup;
    (ready ? window.MathJax.startup.promise : Promise.resolve())
      .then(function () {
        reachWithin(document);
        window.addEventListener("resize", () => reachWithin(document));
        document.addEventListener("toggle",
          (event) => reachWithin(event.target), {capture: true});
      });
  });
})();
