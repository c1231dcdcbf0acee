"""How a record was made is said in a small line, not in a box of output.

A cell that shows recorded numbers prints the command that recorded them. Of
such a line the page keeps the name of the record; the whole command stands
where the record is first used, and in the title of each later line. What
else the cell has printed stays as it is.
"""

import re

BOX = re.compile(
    r'<div class="output stream[^"]*"><div class="highlight"><pre>'
    r"(?:<span></span>)?(.*?)</pre></div>\s*</div>",
    flags=re.DOTALL,
)
LINE = re.compile(r"^recorded by: (python -m (\S+)(?: (\w+))?.*)$", re.M)
EXPERIMENTS = "pegasos_edu.experiments"


def name_of(module, first):
    """The name of a record, from the command that made it."""
    return first if module == EXPERIMENTS else module.rpartition(".")[2]


def small(body):
    """A page with its lines on records made small."""
    told = set()

    def note(line):
        command, name = line[1], name_of(line[2], line[3])
        if command in told:
            return f'<p class="recorded" title="{command}">record: {name}</p>'
        told.add(command)
        return (
            f'<p class="recorded">record: {name}, made by '
            f"<code>{command}</code></p>"
        )

    def box(match):
        notes = "".join(map(note, LINE.finditer(match[1])))
        if not notes:
            return match[0]
        rest = LINE.sub("", match[1]).strip("\n")
        rest = re.sub(r"\n{2,}", "\n", rest)
        kept = match[0].replace(match[1], f"{rest}\n") if rest else ""
        return kept + notes

    return BOX.sub(box, body)


def make_notes_small(app, pagename, templatename, context, doctree):
    context["body"] = small(context.get("body", ""))


def setup(app):
    app.connect("html-page-context", make_notes_small)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
