/* Each result of a search says in which section it was found, with two lines
   of the text around it. Sphinx searches; this explains what it found. */
(function () {
  "use strict";

  const AROUND = 90; /* characters on each side of what was found */
  const query = (new URLSearchParams(location.search).get("q") || "")
    .toLowerCase().trim();
  const words = query.split(/\s+/).filter(Boolean);
  /* Sphinx finds other endings of a word, too: a shorter beginning will do. */
  const stems = words.map((word) => word.slice(0, Math.max(4, word.length - 2)));
  const wanted = [query, ...words, ...stems];

  function times(text, word) {
    return text.toLowerCase().split(word).length - 1;
  }

  /* All words in the heading, the whole phrase, many words, many times. */
  function worth([, title, text]) {
    const all = title + " " + text;
    const count = (part) => stems.filter((stem) => times(part, stem)).length;
    return 1000 * (count(title) === stems.length) + 100 * count(all)
      + 10 * Math.min(times(all, query), 9)
      + Math.min(times(all, words[0]), 9);
  }

  /* The section of the result itself, or the one that says most. */
  function bestSection(link) {
    const [path, anchor] = link.getAttribute("href").split("#");
    const sections = window.PEGASOS_TEXT[path.replace(/\.html.*$/, "")] || [];
    return sections.find((section) => section[0] === anchor)
      || sections.filter((section) => worth(section) >= 100)
        .sort((a, b) => worth(b) - worth(a))[0];
  }

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
    const section = link && bestSection(link);
    if (!section) return;
    const [anchor, title, text] = section;
    if (!link.textContent.endsWith(title)) {
      const where = document.createElement("p");
      where.className = "where";
      where.append("in ");
      const part = where.appendChild(document.createElement("a"));
      part.href = link.getAttribute("href").split("#")[0] + "#" + anchor;
      part.textContent = title;
      item.append(where);
    }
    item.append(context(text));
  }

  new MutationObserver(function (changes) {
    changes.flatMap((change) => [...change.addedNodes])
      .filter((node) => node.nodeName === "LI").forEach(explain);
  }).observe(document.getElementById("search-results"),
    {childList: true, subtree: true});
})();
