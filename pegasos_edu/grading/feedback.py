"""The page a student gets: what each task earned, and what was seen.

The lecturer's browser opens it, so nothing in it can run: text is escaped,
of pictures only PNG is shown, and the page forbids everything else. It
needs no network.
"""

import base64
import binascii
import re
from html import escape

from pegasos_edu.grading.restore import id_of, is_answer, text_of

COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
LABEL = re.compile(r"\*\*((?:Task|Question) \d+)")
PNG = b"\x89PNG\r\n\x1a\n"
LARGEST = 2_000_000  # characters of feedback on all cells
STYLE = """
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 50rem; margin: 0 auto; padding: 1rem; }
pre { overflow-x: auto; padding: .5rem; border: 1px solid #8888; }
pre.text { white-space: pre-wrap; overflow-wrap: anywhere; }
pre.error { border-left: .4rem solid #c33; }
img { max-width: 100%; background: white; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; }
td.number { text-align: right; }
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


def titles(solution):
    """What a reader calls each cell that gives points.

    Parameters
    ----------
    solution : list of cell

    Returns
    -------
    dict of str to str
        grade_id -> such as "Task 2: step size".
    """
    label, found = "", {}
    for cell in solution:
        if cell.cell_type == "markdown":
            labels = LABEL.findall(cell.source)
            label = labels[-1] if labels else label
        if cell.metadata.get("nbgrader", {}).get("grade"):
            words = id_of(cell).removesuffix("-check").replace("-", " ")
            found[id_of(cell)] = f"{label}: {words}" if label else words
    return found


# What was seen in each cell


def show_cells(executed, solution):
    """The answers, the tests and what they printed, as HTML.

    Parameters
    ----------
    executed : list of cell
        The submission's after its run, the hidden tests taken out.
    solution : list of cell

    Returns
    -------
    str
    """
    names = titles(solution)
    given = {id_of(cell) for cell in solution if not is_answer(cell)}
    parts: list[str] = []
    for cell in executed:
        grade_id = id_of(cell)
        if grade_id in names:
            parts.append(f"<h2>{escape(names[grade_id])}</h2>")
        if grade_id not in given or grade_id in names:
            kind = "code" if cell.cell_type == "code" else "text"
            parts.append(block(kind, text_of(cell)))
        # What only loads data has nothing to say, unless it failed.
        parts += [show_output(output) for output in cell.get("outputs", [])]
        if sum(map(len, parts)) > LARGEST:
            parts[-1] = block("text", "The rest is left out.")
            break
    return "\n".join(part for part in parts if part)


def block(kind, text):
    return f'<pre class="{kind}">{escape(COLOURS.sub("", text))}</pre>'


def show_output(output):
    """One output of a cell; text and PNG pictures only."""
    kind = output.get("output_type")
    if kind == "stream":
        return block("output", text_of({"source": output.get("text", "")}))
    if kind == "error":
        return block("error", "\n".join(map(str, output["traceback"])))
    data = output.get("data", {})
    picture = png(data.get("image/png"))
    if picture:
        return (
            f'<p><img alt="A picture the notebook drew" '
            f'src="data:image/png;base64,{picture}"></p>'
        )
    plain = data.get("text/plain")
    return block("output", text_of({"source": plain})) if plain else ""


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
    title = f"{result.assignment}: {total(result)}"
    parts = [
        HEAD.format(title=escape(title), style=STYLE),
        f"<h1>{escape(title)}</h1>",
    ]
    if result.reason:
        parts.append(f"<p><strong>{escape(sentence(result.reason))}</strong>")
    if result.note:
        parts.append(f"<p>{escape(sentence(result.note))}")
    parts.append("<table><tr><th>task<th>points<th>of</tr>")
    for task in result.tasks:
        name = names.get(task["task"], task["task"])
        points = "not yet marked" if task["to_mark"] else f"{task['score']:g}"
        parts.append(
            f'<tr><td>{escape(name)}<td class="number">{points}'
            f'<td class="number">{task["out_of"]:g}</tr>'
        )
    parts += ["</table>", result.cells, "</html>"]
    return "\n".join(parts) + "\n"


def sentence(text):
    return text.rstrip(".") + "."


def total(result):
    """What a result comes to; what waits for a marker is said apart."""
    open_points = result.total("to_mark")
    marked = result.total("out_of") - open_points
    text = f"{result.total('score'):g} of {marked:g} points"
    if open_points:
        text += f", {open_points:g} more not yet marked"
    return text
