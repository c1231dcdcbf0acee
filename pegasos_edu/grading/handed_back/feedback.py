"""The page a student gets: what each task earned, and what was seen.

The lecturer's browser opens it, so nothing in it can run: text is escaped,
of pictures only PNG is shown, and the page forbids everything else. It
needs no network.
"""

import base64
import binascii
import itertools
import re
from html import escape

from pegasos_edu.grading.handed_back.formulas import to_html
from pegasos_edu.grading.judging.errors import COLOURS, condensed
from pegasos_edu.grading.judging.restore import (
    id_of,
    is_answer,
    text_of,
    untouched,
)
from pegasos_edu.grading.judging.whose import without_name
from pegasos_edu.grading.tables import visible
from pegasos_edu.grading.terms import lateness

LABEL = re.compile(r"\*\*((?:Task|Question) \d+|Stretch (?:task|question))\b")
# A warning's file is one of the kernel's own; its line is the cell's.
WARNING = re.compile(r"^\S*ipykernel\S*:(\d+): (\w*Warning): ", re.M)
# What a test says of itself: a task's check, or one part of it.
PART = re.compile(r"""part=["']([^"']+)["']""")
PNG = b"\x89PNG\r\n\x1a\n"
LARGEST = 2_000_000  # characters of feedback on all cells
AS_ABOVE = "The rest is as above."
STYLE = """
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 50rem; margin: 0 auto; padding: 1rem; }
h2 { margin-top: 2.5rem; border-top: 1px solid #8888; padding-top: 1rem; }
h3 { margin-bottom: .5rem; }
pre { overflow-x: auto; padding: .5rem; border: 1px solid #8888; }
pre.error { border-left: .4rem solid #c33; }
pre.error, pre.output { white-space: pre-wrap; overflow-wrap: anywhere; }
div.text { white-space: pre-wrap; overflow-wrap: anywhere; }
math[display="block"] { overflow-x: auto; max-width: 100%; }
img { max-width: 100%; background: white; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; }
th.number, td.number { text-align: right; }
"""
HEAD = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{style}</style>
"""


# What the tasks are called


def labels(solution):
    """The label of the task that each cell belongs to, "" before the first.

    Parameters
    ----------
    solution : list of cell

    Returns
    -------
    dict of str to str
        grade_id -> such as "Task 2".
    """
    label, found = "", {}
    for cell in solution:
        if cell.cell_type == "markdown":
            named = LABEL.findall(cell.source)
            label = named[-1] if named else label
        if id_of(cell):
            found[id_of(cell)] = label
    return found


def titles(solution):
    """What a reader calls each cell that gives points.

    Parameters
    ----------
    solution : list of cell

    Returns
    -------
    dict of str to str
        grade_id -> such as "Task 5: pegasos, small λ".
    """
    answer, found, label_of = "", {}, labels(solution)
    for cell in solution:
        if is_answer(cell):
            answer = id_of(cell)
        if cell.metadata.get("nbgrader", {}).get("grade"):
            grade_id, label = id_of(cell), label_of[id_of(cell)]
            words = words_of(grade_id, answer, cell.source)
            found[grade_id] = f"{label}: {words}" if label else words
    return found


def words_of(grade_id, answer, source):
    """A cell's id in words: its answer, and what of it is looked at.

    Examples
    --------
    >>> words_of("pegasos-late", "pegasos", 'check(f, part="late")')
    'pegasos, late'
    >>> words_of("step-size-check", "step-size", ""), words_of("a-b", "c", "")
    ('step size', 'a b')
    """
    short = grade_id.removesuffix("-check")
    for kind in ("question-", "stretch-"):
        short, answer = short.removeprefix(kind), answer.removeprefix(kind)
    rest = short.removeprefix(f"{answer}-")
    if rest == short:
        return short.replace("-", " ")
    part = PART.search(source)
    rest = part[1] if part else rest.replace("-", " ")
    return f"{answer.replace('-', ' ')}, {rest}"


def anchor(label):
    """What a task's place on the page is called."""
    return label.lower().replace(" ", "-")


# What was seen in each cell


def show_cells(executed, solution, blank=()):
    """The answers, the tests and what they printed, as HTML.

    Parameters
    ----------
    executed : list of cell
        The submission's after its run, the hidden tests taken out.
    solution : list of cell
    blank : collection of str, optional
        The ids of the questions without an answer.

    Returns
    -------
    str
    """
    names, label_of = titles(solution), labels(solution)
    given = {id_of(cell) for cell in solution if not is_answer(cell)}
    parts: list[str] = []
    label, said = "", set()
    for cell in executed:
        grade_id = id_of(cell)
        new = label_of.get(grade_id, label)
        if new != label:
            said.clear()
        code = cell.cell_type == "code"
        open_still = untouched(cell) if code else grade_id in blank
        shown = show_cell(
            cell, names.get(grade_id), grade_id in given, said, open_still
        )
        # Cells of text that only introduce a task are not shown.
        if shown and new != label:
            label = new
            parts.append(f'<h2 id="{anchor(label)}">{escape(label)}</h2>')
        parts += shown
        if sum(map(len, parts)) > LARGEST:
            parts[-1] = block("text", "The rest is left out.")
            break
    return "\n".join(parts)


def show_cell(cell, name, given, said, open_still):
    """What one cell holds and what came of it, as pieces of HTML.

    Parameters
    ----------
    cell : cell
    name : str or None
        Its title if it gives points.
    given : bool
        Whether it is a cell of the assignment that is no answer.
    said : set of str
        Lines that were said of this task; more are added.
    open_still : bool
        Whether it asks for an answer and has none.

    Returns
    -------
    list of str
    """
    words = (name or "").rpartition(": ")[2]
    parts = [f"<h3>{escape(words)}</h3>"] if name else []
    if open_still:
        if cell.cell_type == "markdown":
            parts.append(show_source(cell))
        return [*parts, "<p>Not answered.</p>"]
    if name or not given:
        parts.append(show_source(cell))
    spoken = False
    for output in cell.get("outputs", []):
        text = show_output(output, given, spoken, said)
        spoken = True
        parts += [text] if text else []
    return parts


def show_source(cell):
    if cell.cell_type == "code":
        return block("code", text_of(cell))
    return f'<div class="text">{to_html(text_of(cell))}</div>'


def block(kind, text):
    """Printed text; what a page cannot hold is written out."""
    shown = visible(COLOURS.sub("", text).rstrip(), kept="\n\t")
    return f'<pre class="{kind}">{escape(shown)}</pre>'


def show_output(output, given, spoken, said):
    """One output of a cell; text and PNG pictures only."""
    kind = output.get("output_type")
    if kind == "stream":
        text = text_of({"source": output.get("text", "")})
        text = warned_once(text, said) if spoken_by_error(output) else text
        return block("output", text) if text.strip() else ""
    if kind == "error":
        text = once(condensed(output, given, spoken), said)
        return block("error", text) if text else ""
    data = output.get("data", {})
    picture = png(data.get("image/png"))
    if picture:
        return (
            f'<p><img alt="A picture the notebook drew" '
            f'src="data:image/png;base64,{picture}"></p>'
        )
    plain = data.get("text/plain")
    return block("output", text_of({"source": plain})) if plain else ""


def spoken_by_error(output):
    return output.get("name") == "stderr"


def warned_once(text, said):
    """Warnings by their line in the cell, each once a task.

    Examples
    --------
    >>> said = set()
    >>> text = "/tmp/ipykernel_7/81.py:5: RuntimeWarning: overflow\\n  f(x)\\n"
    >>> print(warned_once(text + text, said), end="")
    line 5: RuntimeWarning: overflow
      f(x)
    >>> warned_once(text, said)
    ''
    """
    if not WARNING.search(text):
        return text
    begins = [match.start() for match in WARNING.finditer(text)]
    parts = [text[a:b] for a, b in zip([0, *begins], [*begins, len(text)])]
    kept = []
    for part in parts:
        shown = WARNING.sub(r"line \1: \2: ", part)
        if not WARNING.match(part) or shown not in said:
            kept.append(shown)
        said.add(shown)
    return "".join(kept)


def once(text, said):
    """A message without what was said of the same task before.

    Its first line stays; lines at its beginning and at its end go.

    Examples
    --------
    >>> said = set()
    >>> once("early: not yet\\nno λ", said)
    'early: not yet\\nno λ'
    >>> once("late: not yet\\nno λ", said)
    'late: not yet\\nThe rest is as above.'
    """
    first, *rest = text.splitlines() or [""]
    new = list(itertools.dropwhile(said.__contains__, rest))
    while new and new[-1] in said:
        new.pop()
    said.update(rest)
    return "\n".join([first, *new, *[AS_ABOVE][: len(rest) - len(new)]])


def png(text):
    """The text again if it is a picture in PNG, encoded; else ""."""
    try:
        raw = base64.b64decode(text or "", validate=False)
    except (binascii.Error, ValueError, TypeError):
        return ""
    return base64.b64encode(raw).decode() if raw.startswith(PNG) else ""


# The page


def page(result, names):
    """The page of one result.

    Parameters
    ----------
    result : Graded
    names : dict
        As `titles` returns them.

    Returns
    -------
    str
    """
    title = f"{result.student}, {result.assignment}: {total(result)}"
    parts = [
        HEAD.format(title=escape(title), style=STYLE),
        f"<h1>{escape(title)}</h1>",
    ]
    if result.reason:
        parts.append(f"<p><strong>{escape(sentence(result.reason))}</strong>")
    if result.days_late:
        late = sentence(lateness.sentence(result))
        parts.append(f"<p><strong>{escape(late)}</strong>")
    if result.note:
        note = without_name(result.note)
        parts.append(f"<p>{escape(sentence(note))}")
    parts.append(
        '<table><tr><th>task<th class="number">points<th class="number">of'
        "</tr>"
    )
    for task in result.tasks:
        name = names.get(task["task"], task["task"])
        points = "not yet marked" if task["to_mark"] else f"{task['score']:g}"
        parts.append(
            f'<tr><td>{linked(name, result.cells)}<td class="number">{points}'
            f'<td class="number">{task["out_of"]:g}</tr>'
        )
    parts += ["</table>", result.cells, "</html>"]
    return "\n".join(parts) + "\n"


def linked(name, cells):
    """The name of a task, as a link to its place if it has one."""
    place = anchor(name.partition(":")[0])
    if f'<h2 id="{place}">' not in cells:
        return escape(name)
    return f'<a href="#{place}">{escape(name)}</a>'


def sentence(text):
    return text.rstrip(".") + "."


def total(result):
    """What a result comes to; what waits for a marker is said apart."""
    open_points = result.total("to_mark")
    marked = result.total("out_of") - open_points
    text = f"{result.total('score'):g} of {marked:g} points"
    if open_points:
        text += f", {open_points:g} more not yet marked"
    if result.stretch("out_of"):
        text += f"; stretch: {result.stretch('score'):g} points"
    return text
