/* What a page needs as soon as it has Python: it comes with the kit's parts.
   `show` makes what a cell shows as HTML; `workerOf` starts its Python. */
(function () {
  "use strict";

  // What a text can be made of. Nothing of it runs, loads or covers anything.
  const TAGS = new Set(("a abbr b blockquote br caption cite code col " +
    "colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 " +
    "h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strong sub " +
    "summary sup table tbody td tfoot th thead time tr u ul var wbr")
    .split(" "));
  // What goes with all that is in it; of any other tag that is not above, what
  // is in it stays.
  const GONE = new Set(("applet audio base button canvas dialog embed form " +
    "frame frameset iframe input link math meta noscript object portal " +
    "script select slot style svg template textarea title video")
    .split(" "));
  // They say what is in the page's own words, or which of its cells belong
  // together. An id could be one of the page's.
  const ATTRIBUTES = new Set(("alt colspan datetime dir height lang open " +
    "reversed rowspan scope span start title value width").split(" "));
  // The page's own classes for what a table has; others could lay it over
  // the page.
  const CLASSES = new Set("dataframe note numbers numbers-table table words"
    .split(" "));
  const STYLES = new RegExp("^(color|background-color|text-align|" +
    "text-decoration-line|vertical-align|white-space|font-weight|" +
    "font-style|(max-)?width|border-.*|padding-.*)$");
  // Such a value asks for a file, or is not what it seems.
  const ASKS = /[(\\]/, COLOUR = /^(rgb|hsl)a?\([\d\s.,%/]+\)$/;
  const LINK = /^(https?:|mailto:|#)/i;
  const PICTURE = /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/i;
  const DEEPEST = 200;

  function dress(made, old, left) {
    for (const { name, value } of old.attributes) {
      if (ATTRIBUTES.has(name)) made.setAttribute(name, value);
      else if (name.startsWith("on")) left.add("script");
    }
    const known = [...old.classList].filter((one) => CLASSES.has(one));
    if (known.length) made.className = known.join(" ");
    for (const name of old.style) {
      const value = old.style.getPropertyValue(name);
      if (STYLES.test(name) && (!ASKS.test(value) || COLOUR.test(value))) {
        made.style.setProperty(name, value);
      }
    }
    if (made.localName === "a" && old.hasAttribute("href")) {
      const href = old.getAttribute("href").trim();
      if (LINK.test(href)) Object.assign(made, { href, rel: "noreferrer" });
      else left.add("link");
    }
    if (made.localName === "img") {
      const src = (old.getAttribute("src") || "").trim();
      if (PICTURE.test(src)) made.src = src;
      else left.add("picture from elsewhere");
      if (!old.hasAttribute("alt")) made.alt = "A picture of this cell's.";
    }
  }

  // The same once more, of nothing but what may be; `left` names the rest.
  function copy(from, to, left, depth = 0) {
    for (const old of from.childNodes) {
      if (old.nodeType === Node.TEXT_NODE) to.append(old.data);
      if (old.nodeType !== Node.ELEMENT_NODE) continue;
      const tag = old.localName;
      if (GONE.has(tag) || depth > DEEPEST) {
        left.add(tag);
      } else if (TAGS.has(tag)) {
        const made = document.createElement(tag);
        dress(made, old, left);
        copy(old, made, left, depth + 1);
        if (tag !== "img" || made.src) to.append(made);
      } else copy(old, to, left, depth + 1);
    }
  }

  /* A box with what a cell shows as HTML. It is read where nothing runs, and
     written anew. */
  function show(text) {
    const left = new Set();
    const box = document.createElement("div");
    box.className = "pegasos-html";
    const read = new DOMParser().parseFromString(text, "text/html");
    // A style or a script that comes first is put into the head.
    for (const part of [read.head, read.body]) copy(part, box, left);
    if (left.size) {
      const said = document.createElement("p");
      said.className = "pegasos-state";
      said.textContent = "A page does not show all of this output. Left " +
        `out: ${[...left].join(", ")}.`;
      box.append(said);
    }
    // Who has no mouse can push aside what is too wide, once it has a place.
    new ResizeObserver(() => {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    }).observe(box);
    return box;
  }

  /* The worker asks for what the page may ask for, and nothing else: from an
     address of its own it would have no policy but that of its server. */
  function workerOf(base) {
    const url = JSON.stringify(`${base}kit/worker.js`);
    const code = `try { importScripts(${url}); } catch (error) {
      postMessage({ type: "failed", text: error.name === "NetworkError"
        ? "the file worker.js is missing" : String(error) });
    }`;
    return URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  }

  window.PegasosWith = { show, workerOf };
})();
