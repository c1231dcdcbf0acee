/* Notebooks, as files: what a page made live knows of them. */
(function () {
  "use strict";

  // What stands in a question before the answer; nbgrader puts it there.
  const MARK = "Your answer:";
  const MINE = "## Written beside the chapter";

  function divided(source) {
    const end = source.lastIndexOf(MARK) + MARK.length;
    // Who took the mark away handed in the whole cell as the answer.
    if (end < MARK.length) return { question: MARK, answer: source };
    return { question: source.slice(0, end), answer: source.slice(end).trim() };
  }

  function isAnswer(cell) {
    return Boolean(cell.metadata.nbgrader?.solution);
  }

  function textOf(cell) {
    return [cell.source].flat().join("");
  }

  // What a cell is called, wherever it stands.
  function nameOf(cell) {
    return cell.metadata?.nbgrader?.grade_id || cell.id;
  }

  // The notebook of a text; null if it is none.
  function read(text) {
    try {
      const notebook = JSON.parse(text);
      return notebook.cells.every((cell) => cell.cell_type) ? notebook : null;
    } catch {
      return null;
    }
  }

  // The cells of what was written beside the notebook's own.
  function besideOf(found) {
    const made = (id, cell_type, source) => ({ cell_type, id,
      metadata: { pegasos: "beside" }, source, ...(cell_type === "code" &&
        { outputs: [], execution_count: null }) });
    return found.length === 0 ? [] : [made("beside", "markdown", MINE),
      ...found.flatMap(({ name, label, source }) => [
        made(`${name}-label`, "markdown", `### ${label}`),
        made(name, "code", source)])];
  }

  // Hands the reader the notebook with what was written, as a file.
  function save(file, notebook, written, beside) {
    const all = new Map(written.map((one) => [one.name, one.source]));
    const cells = notebook.cells.map((cell) => ({ ...cell,
      ...(all.has(nameOf(cell)) && { source: all.get(nameOf(cell)) }),
      ...(cell.cell_type === "code" &&
        { outputs: [], execution_count: null }) }))
      .filter((cell) => !cell.metadata?.pegasos).concat(besideOf(beside));
    const text = `${JSON.stringify({ ...notebook, cells }, null, 1)}\n`;
    const type = "application/x-ipynb+json";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  window.PegasosNotebook = { MARK, divided, isAnswer, nameOf, read, save,
    textOf };
})();
