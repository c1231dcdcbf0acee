/* What Sphinx finds, in the order in which one would read it: chapters, those
   first that have the words in their title, then the glossary and the rest;
   no page twice. Each result says in which section it was found, with two
   lines around it. */
(function () {
  "use strict";

  const AROUND = 90; /* characters on each side of what was found */
  const USUAL = 800; /* characters of a section neither short nor long */
  /* What is read after the chapters, each after those before it. */
  const LATER = [/glossary$/, /(conventions|notation|errata|references)$/,
    /assignments|students|lecturers|index$/, /exam$/, /assistants$/, /api/];
  const ASIDE = /^(exercises|further reading)/i;

  const query = (new URLSearchParams(location.search).get("q") || "")
    .toLowerCase().trim();
  const words = query.split(/\s+/).filter(Boolean);
  /* Sphinx finds other endings of a word, too: a shorter beginning will do. */
  const stems = words.map((word) =>
    word.slice(0, Math.max(4, word.length - 2)));
  const wanted = [query, ...words, ...stems];

  function times(text, word) {
    return text.toLowerCase().split(word).length - 1;
  }

  const sectionsOf = (page) => (window.PEGASOS_TEXT || {})[page] || [];

  /* From 0 to 1: how much of a text is about the words. Said once in a line
     is more than ten times in a long section. */
  function share(text) {
    const count = Math.min(...stems.map((stem) => times(text, stem)))
      + times(text, query);
    return count / (count + 0.5 + text.length / USUAL);
  }

  const isNamed = (title) =>
    stems.every((stem) => title.toLowerCase().includes(stem));

  /* A title that has the words, or little else; then what the text is about.
     A page begins with what it is about, and its title with what matters. */
  function worth([, title, text], k) {
    const all = `${title} ${text}`, about = share(all);
    if (!about) return 0.01 * stems.filter((stem) => times(all, stem)).length;
    const named = isNamed(title);
    const isShort = title.length < 2 * query.length;
    const begins = title.toLowerCase().startsWith(stems[0]);
    return about + named + (named && isShort)
      + (k === 0) * (0.2 + 2 * named + (named && begins))
      - 0.5 * ASIDE.test(title);
  }

  /* The section of a result itself, or the one that says most. */
  function sectionOf(page, anchor) {
    const sections = sectionsOf(page);
    const worths = sections.map(worth);
    const own = sections.findIndex((one) => one[0] === anchor);
    const best = own < 0 ? worths.indexOf(Math.max(...worths)) : own;
    return { section: sections[best] || ["", "", ""],
      value: worths[best] || 0 };
  }

  /* Sphinx orders its results from the last to the first. */
  function inOrder(results) {
    const rated = results.map(function (result) {
      const [page, , anchor, description] = result;
      const { section, value } = sectionOf(page, anchor.slice(1));
      /* Of a page of the reference each function is a result. */
      const place = /api/.test(page) && description ? page + anchor : page;
      const late = LATER.findIndex((kind) => kind.test(page)) + 1;
      return { result, place, value: value - 10 * late };
    });
    /* Of equals those that Sphinx puts first. */
    rated.sort((a, b) =>
      b.value - a.value || b.result[4] - a.result[4]);
    return rated.filter(({ place }, k) =>
      rated.findIndex((one) => one.place === place) === k)
      .map(({ result }) => result).reverse();
  }

  const perform = Search._performSearch;
  Search._performSearch = (...parsed) => inOrder(perform(...parsed));

  function context(text) {
    const lower = text.toLowerCase();
    const found = wanted.find((word) => lower.includes(word)) || "";
    const at = lower.indexOf(found);
    const end = at + found.length
      + lower.slice(at + found.length).search(/\W|$/); /* to its end */
    const before = text.slice(Math.max(at - AROUND, 0), at);
    const after = text.slice(end, end + AROUND);
    const mark = document.createElement("mark");
    mark.textContent = text.slice(at, end);
    const box = document.createElement("p");
    box.className = "context";
    /* A word that is cut in two is left out. */
    box.append(at > AROUND ? before.replace(/^\S*/, "…") : before, mark,
      end + AROUND < text.length ? after.replace(/\S*$/, "…") : after);
    return box;
  }

  function explain(item) {
    const link = item.querySelector("a");
    if (!link) return;
    const [path, hash] = link.getAttribute("href").split("#");
    const page = path.replace(/\.html.*$/, "");
    /* What Sphinx describes, a function, has its module around it; that
       comes after the package it is in. */
    const around = sectionsOf(page).findLast(([anchor]) =>
      hash && hash.startsWith(anchor.replace(/^module-/, "") + "."));
    const [anchor, title, text] = around || sectionOf(page, hash).section;
    if (!anchor || hash && hash !== anchor && !around) return;
    if (!link.textContent.endsWith(title)) {
      const where = document.createElement("p");
      where.className = "where";
      where.append("in ");
      const part = where.appendChild(document.createElement("a"));
      part.href = `${path}#${anchor}`;
      part.textContent = title;
      item.append(where);
    }
    const isThere = wanted.some((word) => text.toLowerCase().includes(word));
    item.append(context(isThere ? text : `${title}: ${text}`));
  }

  new MutationObserver(function (changes) {
    changes.flatMap((change) => [...change.addedNodes])
      .filter((node) => node.nodeName === "LI").forEach(explain);
  }).observe(document.getElementById("search-results"),
    {childList: true, subtree: true});
})();
