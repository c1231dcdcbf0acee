/* Which results of a search come first: a title with the words, then pages
   that say them more often, and all chapters before the glossary and the
   reference of the package. Sphinx puts this file at the head of its search
   and asks it for the weight of each result; the other weights are its own.
   */
var Scorer = {
  score: function ([page, title, anchor, description, score]) {
    const query = (new URLSearchParams(location.search).get("q") || "")
      .toLowerCase().trim();
    const texts = (window.PEGASOS_TEXT || {})[page] || [];
    const all = texts.flat().join(" ").toLowerCase();
    return score + 20 * title.toLowerCase().includes(query)
      + Math.log1p(all.split(query).length - 1)
      - 130 * page.startsWith("book/glossary")
      - 200 * page.startsWith("book/api");
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: {0: 15, 1: 5, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
