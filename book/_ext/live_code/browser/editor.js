/* CodeMirror in place of a text area. editor.py puts before this what it took
   out of JupyterLab: PIECES fills a list with modules by their number, STANDS
   says which module a number stands for, NUMBERS which one each library is. */
"use strict";

const modules = {}, made = {};
PIECES(new Proxy({}, {
  get: () => ({ push: ([, more]) => Object.assign(modules, more) }),
}));

function need(number) {
  const id = STANDS[number] || number;
  if (!made[id]) {
    made[id] = { exports: {} };
    // Who asks for the process it runs in finds nothing: this is a page.
    modules[id]?.(made[id], made[id].exports, need);
  }
  return made[id].exports;
}
need.r = () => {};
need.d = (exports, getters) => {
  for (const [name, get] of Object.entries(getters)) {
    Object.defineProperty(exports, name, { get });
  }
};

const { EditorState } = need(NUMBERS.state);
const { EditorView, drawSelection, highlightSpecialChars, keymap,
  lineNumbers } = need(NUMBERS.view);
const { bracketMatching, indentUnit, syntaxHighlighting } =
  need(NUMBERS.language);
const { defaultKeymap, history, historyKeymap, indentLess, indentMore,
  insertNewlineAndIndent } = need(NUMBERS.commands);
const { tagHighlighter, tags } = need(NUMBERS.highlight);
const { python } = need(NUMBERS.python);

// The classes of the code that the page shows elsewhere: the same colours,
// on light pages and on dark ones.
const COLOURS = tagHighlighter([
  { tag: tags.comment, class: "c1" },
  { tag: [tags.keyword, tags.self], class: "k" },
  { tag: [tags.bool, tags.null], class: "kc" },
  { tag: [tags.string, tags.special(tags.string)], class: "s2" },
  { tag: tags.number, class: "mi" },
  { tag: tags.operatorKeyword, class: "ow" },
  { tag: [tags.arithmeticOperator, tags.bitwiseOperator,
    tags.compareOperator, tags.definitionOperator, tags.updateOperator],
  class: "o" },
  { tag: tags.function(tags.definition(tags.variableName)), class: "nf" },
  { tag: tags.definition(tags.className), class: "nc" },
  { tag: tags.meta, class: "nd" },
]);

// Tab indents the selected lines, or goes on to the next stop of four.
function tab(view) {
  const { main } = view.state.selection;
  if (!main.empty) return indentMore(view);
  const line = view.state.doc.lineAt(main.head);
  const width = 4 - (main.head - line.from) % 4;
  view.dispatch(view.state.replaceSelection(" ".repeat(width)));
  return true;
}

/* The area keeps the text and stays what others read and write: each change
   here is an "input" there, and each "input" there is shown here. */
function makeEditor(area, run) {
  const runs = { key: "Shift-Enter", run() { run(); return true; } };
  const extensions = [
    keymap.of([runs, { ...runs, key: "Mod-Enter" },
      { key: "Enter", run: insertNewlineAndIndent },
      { key: "Tab", run: tab, shift: indentLess },
      ...defaultKeymap, ...historyKeymap]),
    lineNumbers(), history(), drawSelection(), highlightSpecialChars(),
    bracketMatching(), python(), syntaxHighlighting(COLOURS),
    indentUnit.of("    "), EditorState.tabSize.of(4),
    EditorState.readOnly.of(area.readOnly),
    EditorView.editorAttributes.of({ class: "pegasos-editor highlight" +
      (area.readOnly ? " pegasos-locked" : "") }),
    EditorView.contentAttributes.of({
      "aria-label": area.getAttribute("aria-label"),
      "aria-describedby": area.getAttribute("aria-describedby"),
      ...(area.readOnly && { "aria-readonly": "true" }),
    }),
    EditorView.domEventHandlers({
      // After Esc, Tab leaves: until another key, or one comes back.
      keydown(event) {
        if (event.key === "Escape") view.setTabFocusMode(true);
        else if (!["Tab", "Shift"].includes(event.key)) {
          view.setTabFocusMode(false);
        }
      },
      focus() { view.setTabFocusMode(false); },
    }),
    EditorView.updateListener.of((update) => {
      const text = update.state.doc.toString();
      if (!update.docChanged || text === area.value) return;
      area.value = text;
      area.dispatchEvent(new Event("input"));
    }),
  ];
  const view = new EditorView({
    state: EditorState.create({
      doc: area.value,
      selection: { anchor: area.selectionStart, head: area.selectionEnd },
      extensions,
    }),
  });
  // The area may hold one text after another, named by its data-text: each
  // is undone by itself.
  let shown = area.dataset.text;
  const others = new Map();
  function change() {
    others.set(shown, view.state);
    shown = area.dataset.text;
    view.setState(others.get(shown) ||
      EditorState.create({ doc: area.value, extensions }));
  }
  // The keys of the page itself are not meant here.
  view.dom.addEventListener("keydown", (event) => event.stopPropagation());
  area.addEventListener("input", () => {
    if (area.dataset.text !== shown) change();
    const { doc } = view.state;
    if (area.value !== doc.toString()) {
      view.dispatch({ changes: { from: 0, to: doc.length,
        insert: area.value } });
    }
  });
  const writing = document.activeElement === area;
  area.before(view.dom);
  area.hidden = true;
  if (writing) view.focus();
}

window.PegasosEditor = makeEditor;
