/* Figures start when the reader comes near, and ask for the charts then.

PegasosLive.wait is told of each figure of the page by the toolkit, vega() is
called by the first chart, and startAll() by who cannot wait. */
(function () {
  "use strict";

  const waiting = new Map(); // host -> what starts its figure
  let asked = null;

  // A figure starts when the reader is within a screen of it, or at once
  // when the address speaks of it. On paper its picture stands in any case.
  function wait({ host, id, isFirst, hashParameters, begin }) {
    const near = new IntersectionObserver((seen) => {
      if (seen.some((one) => one.isIntersecting)) start();
    }, { rootMargin: "100% 0px" });
    function start() {
      near.disconnect();
      if (waiting.delete(host)) begin();
    }
    function look() {
      const isMeant = (key) =>
        key.startsWith(`${id}.`) || isFirst && !key.includes(".");
      if ([...hashParameters().keys()].some(isMeant)) start();
    }
    waiting.set(host, start);
    near.observe(host);
    window.addEventListener("hashchange", look);
    look();
  }

  function startAll() {
    waiting.forEach((start) => start());
  }

  // The page says where the chart library is by a script of a type that no
  // browser runs. A page without one brings the library itself.
  function vega() {
    const place = document.querySelector('script[type="text/x-vega"]');
    asked = asked || !place || new Promise((onload, onerror) => {
      document.head.append(Object.assign(document.createElement("script"),
        { src: place.src, onload, onerror }));
    });
    return asked;
  }

  Object.assign(window.PegasosLive, { wait, startAll, vega });
})();
