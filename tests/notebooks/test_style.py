"""One hand: all pages look as if one person had written them.

Each check takes the cells of a page and returns complaints. The checks are
held against made-up wrong pages at the end of this file.
"""

import ast
import itertools
import re
from pathlib import Path

import nbformat
import pytest

import tasks
from pegasos_edu.page import looks

BOOK = tasks.ROOT / "book"
WIDTH = 79
# Pages without goals: lists, and what is for those who teach.
LISTS = {"assistants", "errata", "exam", "ledger"}
# A page that draws the graph of one source calls itself a page.
SOURCES = {"zhou"}
GOALS = re.compile(
    r"\A# .*\n\n```\{admonition\} After this (?:chapter|page) you can\n"
    r":class: tip\n((?:- .*\n(?:  .*\n)*)+)\nYou need (?:.*\n)*?```$",
    flags=re.MULTILINE,
)
# A title alone, perhaps with a paragraph that says what the page does.
TITLE = re.compile(r"(# .*)(?:\n\n[A-Z].*(?:\n.+)*)?")
MINUTES = re.compile(r"About \d+ minutes\.\n```$", flags=re.MULTILINE)
ENDING, EXERCISES = "## What you can do now", "## Exercises"
READING = "## Further reading"
QUESTIONS = "## Test yourself"
PREDICT, BELIEVED, SLIDE = "Predict first", "Often believed", "On one slide"
BOXES = {PREDICT: "hint", BELIEVED: "warning", SLIDE: "important"}
FOLDED = "What happens"
ON_A_SLIDE = 130  # characters that are shown: two lines of a wide window
# Headings that say nothing, or that most chapters write in another way.
HEADINGS = {"something to see", "what you have seen", "what you have learned"}
FENCE = re.compile(r"^\s*(`{3,}|:{3,}|~{3,})\s*(\{?[^\s}]*\}?)")
# Directives whose lines are not prose.
NOT_PROSE = {"{math}", "{figure}", "{eval-rst}", "{raw}", "{toctree}"}
# What is neither prose nor to be broken: maths, code, roles, addresses, tags.
SPANS = re.compile(
    r"\$\$.*?\$\$|\$[^$]+\$|\{[a-z:]+\}`[^`]*`|`[^`]+`|https?://\S+|"
    r"</?[a-z][^<>]*>",
    flags=re.DOTALL,
)
# A symbol in prose: a single letter other than a, A and I, or a Greek one.
# "A4" and "don't" are words; so are "C" and "Z" where the list says so.
SYMBOL = re.compile(
    r"(?<![\w'’·.\-])(?:ℓ\w?(?!\w)|"
    r"(?:[b-hj-zB-HJ-Z]|[α-ω]\w?|kT|[a-z]\*)(?![\w'’\-/]|\.\w))"
)
WORDS = ("written in C,", "written in C ", "the Z in", "i.e", "e.g")
# Two ways to write one thing, of which the book has chosen the other; and
# letters that the table of notation has given to something else.
OTHER_WAYS = {
    r"\bR_T\b": r"\mathrm{regret}_T; R is the longest example",
    r"\bD_[Tt]\b|\bD\((\\alpha|w)": r"E_T, \Delta_t, f_{\mathrm{dual}}, dist",
    r"\bs ?/ ?\\sqrt": r"\gamma/\sqrt t; s belongs to the scale trick",
    r"\{s *(=|<|\\le)|_\{i_s\}": r"\tau for an earlier step",
    r"\\ell *=|(?<!\\bar)\\ell\(w": r"\Lambda, \bar\ell; \ell is the loss",
    r"[wf]\^(\*|\{\*\})": r"w^\star, f^\star",
    r"\\math(bf|rm)\{1\}|\\mathbf 1|𝟙": r"\mathbb{1}",
}

# Methods of axes that draw, and need a look.
DRAWS = {
    "plot",
    "step",
    "loglog",
    "semilogx",
    "semilogy",
    "scatter",
    "errorbar",
    "bar",
    "hist",
    "fill_between",
    "axhline",
    "axvline",
    "axvspan",
    "axline",
    "draw_line",
}
INK = {"black", "grey"}
COLOURS = re.compile(
    r"#[0-9a-fA-F]{6}|[bgrcmykw]|C\d|(tab:)?(black|white|grey|gray|red|blue|"
    r"green|orange|purple|yellow|sky|cyan|magenta|brown|pink|olive)"
)
COLOUR_WORDS = {
    "color",
    "colors",
    "c",
    "edgecolor",
    "edgecolors",
    "facecolor",
    "facecolors",
    "mfc",
    "mec",
}
DASH_WORDS = {"ls", "linestyle", "linestyles", "dashes"}
# What the table decides; a mark may be hollow, and have an edge of paper.
HUES = {"color", "c"}


def cells_of(path):
    """Pairs (kind, source) of a page; a Markdown page is one cell.

    The caption of a figure follows its cell, as one of the kind "caption".
    """
    if path.suffix == ".md":
        return [("markdown", path.read_text("utf-8"))]
    notebook = nbformat.read(path, as_version=4)
    pairs = []
    for cell in notebook.cells:
        pairs.append((cell.cell_type, cell.source))
        figure = cell.metadata.get("mystnb", {}).get("figure")
        if figure:
            pairs.append(("caption", figure["caption"]))
    return pairs


def prose_of(cells):
    return "\n\n".join(text for kind, text in cells if kind == "markdown")


def codes_of(cells):
    return [text for kind, text in cells if kind == "code"]


# Prose


def prose_lines(text):
    """The lines of a text outside display maths, code and headings."""
    stack, in_maths = [], False
    for line in text.splitlines():
        fence = FENCE.match(line)
        if fence:
            mark, kind = fence.groups()
            if stack and kind == "" and mark == stack[-1][0]:
                stack.pop()
            else:
                stack.append((mark, kind))
            yield ""
            continue
        dollars = line.count("$$")
        inside = in_maths or dollars > 0
        in_maths ^= dollars % 2 == 1
        kind = stack[-1][1] if stack else "{}"
        code = not kind.startswith("{") or kind in NOT_PROSE
        option = re.match(r"#|\s*:[\w-]+:|\w+: \S+$|\(.*\)=$", line)
        yield "" if inside or code or option else line


def titles(text):
    """Headings, and the titles of boxes; the title of the page is apart.

    That one stands on the browser's tab, which has no maths.
    """
    return re.findall(
        r"^(?:##+ |(?:`{3,}|:{3,})\{(?:exercise|prf:\w+)\} )(.*)$",
        text,
        flags=re.MULTILINE,
    )


def check_width(cells):
    """Lines are no longer than WIDTH; rows of tables may be."""
    prose = [
        line
        for kind, text in cells
        if kind == "markdown"
        for line in prose_lines(text)
        if not line.startswith("|") and " " in SPANS.sub("x", line).strip()
    ]
    code = [line for text in codes_of(cells) for line in text.splitlines()]
    return [
        f"longer than {WIDTH}: {line[:50]}"
        for line in prose + code
        if len(line) > WIDTH
    ]


def check_symbols(cells):
    """A symbol in prose is set as maths, neither plain nor bold nor code."""
    found = []
    for kind, text in cells:
        if kind not in ("markdown", "caption"):
            continue
        prose = "\n".join([*prose_lines(text), *titles(text)])
        for words in WORDS:
            prose = prose.replace(words, " ")
        bare = SPANS.sub(lambda m: " " * len(m.group()), prose)
        found += [
            f"symbol as text: {prose[max(0, m.start() - 20) : m.end() + 9]!r}"
            for m in SYMBOL.finditer(bare)
        ]
        found += [
            f"symbol as code: {m.group()}"
            for m in re.finditer(r"`(?:[λη]|w\*|f\*)`", prose)
        ]
    return found


def check_one_way(cells):
    """Each symbol is written in one way."""
    text = prose_of(cells)
    return [
        f"{m.group()!r}; the book writes {way}"
        for other, way in OTHER_WAYS.items()
        for m in re.finditer(other, text)
    ]


# The frame of a chapter


def bullets(text):
    return re.findall(r"^- (.*)$", text, flags=re.MULTILINE)


def check_frame(cells):
    """Goals in a box at the top, and the same number answered at the end.

    Only code may stand between the title and the goals: the first picture.
    Above it, in the cell of the title, a paragraph may say what the page does.
    """
    text = prose_of(cells)
    parts = [part for kind, part in cells if kind == "markdown"]
    title = TITLE.fullmatch(parts[0])
    if title:
        parts[:2] = ["\n\n".join([title[1], parts[1]])]
    box = GOALS.search(parts[0])
    found = [] if box else ["no box of goals right below the title"]
    if box and not MINUTES.search(box[0]):
        found.append("the box of goals does not end in About … minutes.")
    if not parts[1].startswith("## "):
        found.append("no heading after the box of goals")
    headings = re.findall(r"^##+ (.*)$", text, flags=re.MULTILINE)
    found += [
        f"heading {heading!r}"
        for heading in headings
        if heading.lower() in HEADINGS
    ]
    order = [
        f"## {heading}"
        for heading in headings
        if f"## {heading}" in (EXERCISES, ENDING, READING)
    ]
    if order != [EXERCISES, ENDING, READING]:
        return [*found, f"{EXERCISES}, {ENDING}, {READING}; found {order}"]
    end = text.split(ENDING, 1)[1].split("\n## ", 1)[0]
    answers = bullets(end)
    found += [
        f"answer {answer[:30]!r} does not begin with You can now"
        for answer in answers
        if not answer.startswith("You can now ")
    ]
    if "**" in end:
        found.append("bold in the answers")
    if box and len(answers) != len(bullets(box[1])):
        found.append(f"{len(bullets(box[1]))} goals, {len(answers)} answers")
    return found


def check_boxes(cells):
    """Fences of boxes are backticks; the label of an exercise is ex-…."""
    text = prose_of(cells)
    found = [
        f"another fence: {m.group()}"
        for m in re.finditer(r"^:{3,}\{(prf:|admonition|note).*", text, re.M)
    ]
    return found + [
        f"label {label}; the book writes ex-…"
        for label in re.findall(
            r"^`{3,}\{exercise\}.*\n:label: (\S+)", text, re.M
        )
        if not label.startswith("ex-")
    ]


def check_exercises(cells):
    """Title and label on an exercise; its solution is a dropdown."""
    text = prose_of(cells)
    found = [
        f"another fence: {m.group()}"
        for m in re.finditer(r"^:{3,}\{(exercise|solution).*", text, re.M)
    ]
    labels = []
    for m in re.finditer(
        r"^`{3,}\{exercise\}(.*)\n((?::.*\n)*)", text, flags=re.M
    ):
        label = re.search(r":label: (\S+)", m[2])
        labels.append(label[1] if label else m.group())
        if not m[1].strip():
            found.append(f"exercise without a title: {labels[-1]}")
    solved = re.findall(
        r"^`{3,}\{solution(?:-start)?\} (\S+)\n:class: dropdown$", text, re.M
    )
    if labels != solved:
        found.append(f"exercises {labels}, folded solutions {solved}")
    return found


# What a chapter asks of its reader


def boxes_called(title, text):
    """The texts of the boxes of this title, each in one line."""
    box = rf"^```\{{admonition\}} {title}\n:class: {BOXES[title]}\n(.*?)^```$"
    found = re.findall(box, text, flags=re.MULTILINE | re.DOTALL)
    return [" ".join(body.split()) for body in found]


def dropdowns(text):
    """Pairs (title, body) of what is folded in a text."""
    fold = r"^```\{dropdown\} ([^\n]+)\n(.*?)^```$"
    return re.findall(fold, text, flags=re.MULTILINE | re.DOTALL)


def check_devices(cells):
    """A guess before a figure, wrong beliefs, and a summary for a slide."""
    text = prose_of(cells)
    count = {title: len(boxes_called(title, text)) for title in BOXES}
    found = [f"no box {title!r}" for title in BOXES if not count[title]]
    found += [
        f"{count[title]} boxes {title!r}"
        for title in (BELIEVED, SLIDE)
        if count[title] > 1
    ]
    answers = [title for title, _ in dropdowns(text)].count(FOLDED)
    if answers != count[PREDICT]:
        found.append(f"{count[PREDICT]} guesses, {answers} answers")
    if f"}} {SLIDE}\n" not in text.split(ENDING)[0]:
        found.append(f"{SLIDE!r} does not stand before {ENDING!r}")
    return found + [
        f"longer than {ON_A_SLIDE}: {body!r}"
        for body in boxes_called(SLIDE, text)
        if len(shown(body)) > ON_A_SLIDE
    ]


def shown(body):
    """The text as it is read: a sign of TeX is one character or its name."""
    body = re.sub(r"\\(ln|max|min)\b ?", r"\1", " ".join(body.split()))
    return re.sub(
        r"\\[a-zA-Z]+ ?|[$^_{}`*]", lambda m: "x"[: len(m[0]) > 1], body
    )


def check_questions(cells):
    """Five questions before the exercises, each with one right choice."""
    sections = re.split(r"^(?=## )", prose_of(cells), flags=re.MULTILINE)
    headings = [section.partition("\n")[0] for section in sections]
    if (QUESTIONS, EXERCISES) not in itertools.pairwise(headings):
        return [f"no {QUESTIONS} right before {EXERCISES}"]
    section = sections[headings.index(QUESTIONS)]
    numbered = re.split(r"^\*\*Question (\d+)\.\*\* ", section, flags=re.M)
    numbers, questions = numbered[1::2], numbered[2::2]
    found = [] if numbers == list("12345") else [f"questions {numbers}"]
    places = set()
    for number, question in zip(numbers, questions):
        verdicts = [
            (body.split() or [""])[0] for _, body in dropdowns(question)
        ]
        wrong = verdicts.count("No.")
        if wrong in (2, 3) and sorted(verdicts) == ["No."] * wrong + ["Yes."]:
            places.add(verdicts.index("Yes."))
        else:
            found.append(f"question {number}: {verdicts}")
    if len(places) == 1:
        found.append("the right choice stands always at the same place")
    return found


# Figures


def constant(node):
    return node.value if isinstance(node, ast.Constant) else None


def name_of(call):
    function = call.func
    return getattr(function, "attr", getattr(function, "id", ""))


def check_looks(cells):
    """Colours and dashes come from the table of looks."""
    found = []
    for code in codes_of(cells):
        for node in ast.walk(ast.parse(plain_python(code))):
            if isinstance(node, ast.Subscript):
                whose = getattr(node.value, "attr", "")
                if whose == "PALETTE" and constant(node.slice) not in INK:
                    found.append(f"by hand: {ast.unparse(node)}")
                changed = isinstance(node.ctx, ast.Store)
                if changed and constant(node.slice) in HUES | DASH_WORDS:
                    found.append(f"changes a look: {ast.unparse(node)}")
            if isinstance(node, ast.Dict):
                found += overridden(node)
                found += raw_looks(
                    (constant(key), value)
                    for key, value in zip(node.keys, node.values)
                )
            if isinstance(node, ast.Call):
                found += raw_looks((k.arg, k.value) for k in node.keywords)
                found += overriding(node)
                found += undressed(node)
                found += lent(node)
    return found


def lent(call):
    """Complaints about a label that names one idea in the look of another."""
    called = [
        constant(value.args[0])
        for value in (k.value for k in call.keywords if k.arg is None)
        if isinstance(value, ast.Call) and name_of(value) == "look"
        if value.args
    ]
    label = next((k.value for k in call.keywords if k.arg == "label"), None)
    text = str(constant(label)) if label is not None else ""
    if not called or not isinstance(called[0], str):
        return []
    own = {called[0], looks.SAME.get(called[0], called[0])}
    own |= {name for name, idea in looks.SAME.items() if idea in own}
    words = {*looks.LOOKS, *looks.SAME}
    named = {
        idea for idea in words if re.search(rf"\b{re.escape(idea)}\b", text)
    }
    if named and not named & own:
        return [f"{text!r} in the look of {called[0]!r}"]
    return []


def raw_looks(pairs):
    """Complaints about colours and dashes that are written out."""
    found = []
    for word, value in pairs:
        text = constant(value)
        if word in COLOUR_WORDS and COLOURS.fullmatch(str(text)):
            found.append(f"by hand: {word}={text!r}")
        written_out = isinstance(value, (ast.Constant, ast.Tuple))
        if word in DASH_WORDS and written_out and text != "":
            found.append(f"by hand: {word}={ast.unparse(value)}")
    return found


def overridden(node):
    """Complaints about a dictionary that unpacks a look and changes it."""
    keys = [constant(key) if key else None for key in node.keys]
    after = keys[keys.index(None) + 1 :] if None in keys else []
    return [
        f"changes a look: {key!r} in {ast.unparse(node)[:60]}"
        for key, value in zip(keys, node.values)
        if key in after and decides(key, value)
    ]


def overriding(call):
    """Complaints about `look(idea, color=…)`, `dict` and `update` alike.

    `**colour` may hide a colour, so only what the table does not decide may
    be unpacked into `look`, and that is nothing.
    """
    name, given = name_of(call), {k.arg: k.value for k in call.keywords}
    known = name in ("look", "class_look") or (
        (None in given and name == "dict") or name == "update"
    )
    return [
        f"changes a look: {key}= in {ast.unparse(call)[:60]}"
        for key, value in given.items()
        if known
        and (decides(key, value) or (key is None and name.endswith("look")))
    ]


def decides(key, value):
    """Whether the table decides this; no line at all is none of a look's."""
    return key in HUES or (key in DASH_WORDS and constant(value) != "")


def undressed(call):
    """Complaints about a call that draws without a look."""
    if name_of(call) not in DRAWS or not isinstance(call.func, ast.Attribute):
        return []
    short = ast.unparse(call)[:60]
    words = {keyword.arg for keyword in call.keywords}
    marks = [constant(a) for a in call.args if isinstance(constant(a), str)]
    found = [
        f"by hand: {mark!r} in {short}"
        for mark in marks
        if re.fullmatch(r"[bgrcmykwos^Dv.*+x]?(--|-\.|-|:)|[bgrcmykw]\S", mark)
    ]
    if not words & {None, "color"}:  # None stands for **look
        found.append(f"no look: {short}")
    return found


def plain_python(code):
    """The code without IPython's magics and displays."""
    return "\n".join(
        "" if line.lstrip().startswith(("%", "!")) else line
        for line in code.splitlines()
    )


def written_out(node):
    """The constant text of a node; None where it is computed."""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "0"
            for part in node.values
        )
    return constant(node)


def check_legends(cells):
    """Symbols in legends and beside marks are maths, as on the axes.

    Only matplotlib can set maths: live figures write a plain λ.
    """
    found = []
    for code in codes_of(cells):
        for node in ast.walk(ast.parse(plain_python(code))):
            if not isinstance(node, ast.Call):
                continue
            given = [k.value for k in node.keywords if k.arg == "label"]
            if name_of(node) == "annotate":
                given += node.args[:1]
            for value in given:
                text = written_out(value)
                if text is None:
                    continue
                bare = re.sub(r"\$[^$]*\$", "", str(text))
                if SYMBOL.search(bare) or re.search("[α-ωℓ√⁰-⁹²³]", bare):
                    found.append(f"symbol not in maths: {text!r}")
    return found


def axis_labels(code):
    """The constant texts of labels in a cell; '' where it is computed."""
    found = {"xlabel": [], "ylabel": []}
    for node in ast.walk(ast.parse(plain_python(code))):
        if not isinstance(node, ast.Call):
            continue
        given = {k.arg: k.value for k in node.keywords if k.arg in found}
        if name_of(node) in ("set_xlabel", "set_ylabel") and node.args:
            given[name_of(node)[4:]] = node.args[0]
        for axis, value in given.items():
            found[axis].append(written_out(value) or "")
    return found


def check_axes(cells):
    """Every drawing names both axes, and symbols on them are maths."""
    found, helpers = [], {}
    for code in codes_of(cells):
        tree, labels = ast.parse(plain_python(code)), axis_labels(code)
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                helpers[function.name] = axis_labels(ast.unparse(function))
        called = {
            name_of(node)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
        }
        # The pixels of a picture are counted along no axis.
        if "subplots" not in called or "draw_pictures" in called:
            continue
        for axis, texts in labels.items():
            known = [
                h
                for name in called
                for h in helpers.get(name, {axis: []})[axis]
            ]
            if not texts and not known:
                found.append(f"no {axis} in {code[:40]!r}")
            for text in texts:
                bare = re.sub(r"\$[^$]*\$", "", text)
                if SYMBOL.search(bare) or re.search("[α-ωℓ′]|f\\(", bare):
                    found.append(f"symbol not in maths: {text!r}")
                if re.search(r"f\(w\) ?[-−] ?f\(", text):
                    found.append(f"{text!r}; the book writes f(w) - f^\\star")
    return found


# Chance

# The words of small numbers, so that "seven seeds" is found as "7 seeds" is.
FEW = re.findall(
    r"\w+",
    "two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen twenty",
)
# A mean over fewer runs than this says little about chance.
ENOUGH = 30
COUNTED = re.compile(
    rf"\b({'|'.join(FEW)}|\d[\d,]*)\s+(?:\w+\s+)?seeds\b", re.IGNORECASE
)
IN_CAPTIONS = re.compile(
    COUNTED.pattern.replace(
        "seeds",
        "(?:seeds|runs|orders|samples|trials|tries|repetitions|repeats)",
    ),
    re.IGNORECASE,
)

# In prose four runs may also be four rules; a mean over them is a claim.
MEANS = re.compile(
    r"\b(?:means?|medians?|averages?|ranges?|intervals?)\s+(?:of|over)\s+"
    + IN_CAPTIONS.pattern,
    re.IGNORECASE,
)
SHARES = re.compile(
    rf"\b(?:(?:{'|'.join(FEW)}|one|none|most|each|\d+)\s+of|all)\s+(?:the\s+)?"
    + IN_CAPTIONS.pattern,
    re.IGNORECASE,
)
# A caption that speaks of seeds says how many.
UNCOUNTED = re.compile(r"\b(?:the|all|different|random)\s+seeds\b")


def shown_texts(cells):
    """What a reader reads: prose, and the texts in the code."""
    for kind, text in cells:
        if kind != "code":
            yield text
        else:
            for node in ast.walk(ast.parse(plain_python(text))):
                if isinstance(constant(node), str):
                    yield node.value


def check_chance(cells):
    """A sentence about seeds names at least 30, and so does the code."""
    found = []
    for text in shown_texts(cells):
        for pattern in (COUNTED, MEANS, SHARES):
            found += too_few(pattern, text)
    for code in codes_of(cells):
        for node in ast.walk(ast.parse(plain_python(code))):
            if isinstance(node, ast.Assign):
                found += short_constant(node)
            loops = [node] if isinstance(node, ast.For) else []
            for loop in getattr(node, "generators", loops):
                if draws(loop.target, node):
                    found += too_short(loop.iter)
    return found


def too_few(pattern, text):
    """Complaints about the numbers of runs that a text names."""
    return [
        f"too few: {m.group()!r}"
        for m in pattern.finditer(text)
        if m[1].lower() in FEW or int(m[1].replace(",", "")) < ENOUGH
    ]


def draws(target, loop):
    """Whether the variable of a loop is a seed and nothing else."""
    name, nodes = ast.unparse(target), list(ast.walk(loop))
    uses = [n for n in nodes if isinstance(n, ast.Name) and n.id == name]
    keywords = [n for n in nodes if isinstance(n, ast.keyword)]
    seeds = [k.value for k in keywords if k.arg == "seed"]
    read = [use for use in uses if isinstance(use.ctx, ast.Load)]
    return name == "seed" or (read != [] and all(u in seeds for u in read))


RANGES = ("range", "arange")


def too_short(numbers):
    """Complaints about `range(5)`, `(0, 1)` and the like, as seeds of a claim.

    From 100 on begin the seeds on which constants are tuned.
    """
    if isinstance(numbers, ast.Tuple | ast.List):
        seeds = [constant(number) for number in numbers.elts]
    elif isinstance(numbers, ast.Call) and name_of(numbers) in RANGES:
        ends = [constant(argument) for argument in numbers.args]
        known = ends and all(isinstance(end, int) for end in ends)
        seeds = range(*ends) if known else []
    else:
        return []
    if not seeds or not all(isinstance(seed, int) for seed in seeds):
        return []
    few = len(seeds) < ENOUGH and seeds[0] < 100
    return [f"too few: {ast.unparse(numbers)}"] if few else []


def short_constant(node):
    """Complaints about `SEEDS = range(9)`, also inside `tuple` or `list`."""
    value = node.value
    if isinstance(value, ast.Call) and name_of(value) in ("tuple", "list"):
        value = value.args[0] if value.args else value
    named = ast.unparse(node.targets[0]).lower().endswith("seeds")
    return too_short(value) if named else []


# The pages

CHAPTERS = sorted(BOOK.glob("*.ipynb"))
# The students' versions are made from these.
ASSIGNMENTS = sorted((BOOK / "assignments" / "solutions").rglob("a?.ipynb"))
MARKDOWN = sorted(BOOK.rglob("*.md"))
# This page shows how others write things.
FOREIGN = {"notation"}

EVERYWHERE = [check_width, check_symbols, check_one_way]
NOTEBOOKS = [check_looks, check_axes, check_legends, check_chance]
WITH_GOALS = [check_frame, check_exercises, check_boxes]
IN_CHAPTERS = [check_devices, check_questions]


def pairs():
    for path in CHAPTERS:
        goals = [] if path.stem in LISTS else WITH_GOALS
        taught = [] if path.stem in LISTS else IN_CHAPTERS
        for check in EVERYWHERE + NOTEBOOKS + goals + taught:
            yield path, check
    for path in ASSIGNMENTS:
        for check in EVERYWHERE + NOTEBOOKS:
            yield path, check
    for path in MARKDOWN:
        for check in EVERYWHERE:
            if path.stem not in FOREIGN or check is check_width:
                yield path, check


@pytest.mark.parametrize(
    ("path", "check"),
    list(pairs()),
    ids=lambda value: (
        value.relative_to(BOOK).as_posix()
        if isinstance(value, Path)
        else value.__name__
    ),
)
def test_a_page_is_in_the_books_hand(path, check):
    assert check(cells_of(path)) == []


def test_the_pages_that_call_themselves_chapters_are_those():
    named = {
        path.stem
        for path in CHAPTERS
        if "} After this chapter you can\n" in prose_of(cells_of(path))
    }
    assert named == {path.stem for path in CHAPTERS} - LISTS - SOURCES


# The letters of the conventions

# A letter with one meaning that another source may use otherwise: a further
# page would need a second look.
RARE = {
    "s": {"sparse", "errata", "a3", "lecturers"},
    "M": {"risk", "ledger"},
    r"\Delta": {"many_machines", "stochastic"},
    r"\kappa": {"subgradients"},
    r"\Lambda": {"risk"},
    r"\psi": {"first_order"},
}
# A letter of many pages with one meaning. A page that is new in such a list
# was read before: it means by the letter what the table says.
READ = {
    "R": "a2 a4 choosing_lambda dual errata exam findings first_order ledger "
    "log_loss many_machines more_data pegasos racing regret risk "
    "scikit_learn sparse steps stopwatch subgradients",
    "D": "errata findings first_order ledger regret steps",
    r"\ell": "a2 choosing_lambda chor dual errata findings first_order "
    "glossary ledger log_loss many_machines margins more_data risk "
    "scikit_learn stochastic subgradients",
}


def named_letters(text):
    """Letter -> pages, of the rows of the table with several meanings."""
    found = {}
    rows = re.findall(r"^\| \$(\w)(?:_\w)?\$ \| .* \| (.*) \|$", text, re.M)
    for letter, pages in rows:
        found.setdefault(letter, set()).update(
            re.findall(r"\{doc\}`(?:assignments/)?(\w+)`", pages)
        )
    return {letter: pages for letter, pages in found.items() if pages}


def letters_of(texts):
    """The letters and Greek names that stand alone in formulas."""
    found = set()
    for text in texts:
        text = re.sub(r"```\{math\}(.*?)```", r"$$\1$$", text, flags=re.S)
        text = re.sub(r"`[^`\n]*`", "", text)
        for display, inline in re.findall(
            r"\$\$(.*?)\$\$|\$([^$]+)\$", text, flags=re.S
        ):
            bare = re.sub(
                r"\\(mathrm|math(?:cal|bb)|text|operatorname|begin|end)\*?"
                r"(\{[^}]*\}|\s*\w)|:label:.*",
                " ",
                display or inline,
            )
            found.update(re.findall(r"\\[A-Za-z]+", bare))
            bare = re.sub(r"\\[A-Za-z]+", " ", bare)
            found.update(
                re.findall(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])", bare)
            )
    return found


def letters_by_page():
    """Page -> its letters, tables that a cell prints among them."""
    found = {}
    for path in CHAPTERS + ASSIGNMENTS + MARKDOWN:
        if path.stem in FOREIGN | {"conventions"}:
            continue
        texts = [text for kind, text in cells_of(path) if kind != "code"]
        cells = []
        if path.suffix == ".ipynb":
            cells = nbformat.read(path, as_version=4).cells
        for cell in cells:
            for output in cell.get("outputs", []):
                texts.append(output.get("data", {}).get("text/markdown", ""))
        found[path.stem] = letters_of(texts)
    return found


def test_letters_with_several_meanings_are_where_the_table_says():
    named = named_letters((BOOK / "conventions.md").read_text("utf-8"))
    assert set(named) == set("amvqzS")
    on = letters_by_page()
    for letter, pages in READ.items():
        found = {page for page in on if letter in on[page]}
        assert found <= set(pages.split()), letter
    for letter, pages in (named | RARE).items():
        assert {page for page in on if letter in on[page]} == pages, letter


def test_letters_are_found():
    page = [
        r"Let $a_t = \frac{b}{2}$, `$c$`, $\text{all } d$, $\mathrm{e}$.",
        "```{math}\n:label: eq-f\ng = \\Delta h\n```",
    ]
    expected = {"a", "t", "b", "d", "g", "h", r"\Delta", r"\frac"}
    assert letters_of(page) == expected
    rows = "| $a$ | one | {doc}`x` |\n| $a_i$ | two | {doc}`y`, {doc}`z` |\n"
    assert named_letters(rows) == {"a": {"x", "y", "z"}}


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_no_caption_rests_on_a_handful_of_runs(path):
    for kind, text in cells_of(path):
        if kind == "caption":
            assert too_few(IN_CAPTIONS, text) == []
            assert not UNCOUNTED.search(text)


LIVE = sorted((tasks.ROOT / "pegasos_edu" / "live").glob("*.py"))


@pytest.mark.parametrize("path", LIVE, ids=lambda path: path.stem)
def test_no_live_figure_rests_on_a_handful_of_runs(path):
    cells = [("code", path.read_text("utf-8"))]
    assert check_chance(cells) == []
    for text in shown_texts(cells):
        assert too_few(IN_CAPTIONS, text) == []


def test_a_handful_of_runs_in_a_caption_is_found():
    assert too_few(IN_CAPTIONS, "The mean of five runs.") != []
    assert too_few(IN_CAPTIONS, "Median and range of 9 orders.") != []
    assert too_few(IN_CAPTIONS, "Means of thirty runs, of 40 seeds.") == []
    assert UNCOUNTED.search("Medians over the seeds.")


# The checks themselves, on a page made up for them

TOP = """# A chapter

```{admonition} After this chapter you can
:class: tip
- do one thing;
- do another.

You need a pencil. About 40 minutes.
```"""
FIRST = "## What one sees"
DRAWING = """fig, ax = plt.subplots()
ax.plot(t, gap, label="last", **figures.look("last iterate"))
ax.set(xlabel="step $t$", ylabel="$f(w) - f^\\\\star$")
plt.show()"""
GUESS = """```{admonition} Predict first
:class: hint
Before you move anything: which line is the longer one?
```"""
SEEN = """```{dropdown} What happens
The upper one.
```

```{admonition} Often believed
:class: warning
"A step must go downhill." No, as the figure shows.
```"""
WRONG_CHOICE, RIGHT_CHOICE = (
    f"```{{dropdown}} It is {number}\n{verdict} One counts.\n```"
    for number, verdict in ((2, "No."), (3, "Yes."))
)


def asked(places):
    """Questions of three choices; the right ones stand at these places."""
    parts = ["## Test yourself"]
    for number, right in enumerate(places, start=1):
        choices = [WRONG_CHOICE] * 3
        choices[right] = RIGHT_CHOICE
        parts += [f"**Question {number}.** How much is it?", *choices]
    return "\n\n".join(parts)


ASKED = asked([1, 2, 0, 1, 2])
END = r"""A short $w$ has $\lambda \lVert w \rVert^2 \le 1$.

## Exercises

```{exercise} By hand
:label: ex-made-up

Compute $f^\star$.
```

```{solution-start} ex-made-up
:class: dropdown
```

It is $\mathbb{1}[m < 1]$.

```{solution-end}
```

```{admonition} On one slide
:class: important
One can do one thing, and another.
```

## What you can do now

- You can now do one thing.
- You can now do another.

## Further reading

A book."""
RIGHT = [
    ("markdown", TOP),
    ("markdown", FIRST),
    ("markdown", GUESS),
    ("code", DRAWING),
    ("caption", "The gap by step $t$."),
    ("markdown", SEEN),
    ("markdown", ASKED),
    ("markdown", END),
]
CHECKS = EVERYWHERE + NOTEBOOKS + WITH_GOALS + IN_CHAPTERS

WRONG = [
    (check_width, "A short $w$", "A very short and not at all long " * 3),
    (check_symbols, "A short $w$", "A short w"),
    (check_symbols, "A short $w$", "A short **w**"),
    (check_symbols, "A short $w$", "For λ = 1 a short $w$"),
    (check_symbols, "A short $w$", "A short `w*`"),
    (check_symbols, "step $t$", "step t"),
    (check_symbols, "{exercise} By hand", "{exercise} By hand, λ = 1"),
    (check_symbols, FIRST, "## What λ does"),
    (check_symbols, "A short $w$", "An ℓ1-ball"),
    (check_symbols, "A short $w$", "After kT looks $w$"),
    (check_looks, 'label="last"', 'label="bound, boosted"'),
    (check_looks, 'label="last"', 'label="the average"'),
    (check_legends, 'label="last"', 'label="λ = 1"'),
    (check_legends, 'label="last"', 'label=f"n = {n}"'),
    (check_legends, 'label="last"', 'label="bound, 4R²"'),
    (check_one_way, r"f^\star$.", "f^*$."),
    (check_one_way, r"\mathbb{1}", r"\mathbf{1}"),
    (check_one_way, r"f^\star$.", "D(\\alpha)$."),
    (check_one_way, r"f^\star$.", "R_T$."),
    (check_one_way, r"f^\star$.", r"\sum_{s=1}^T f^\star$."),
    (check_frame, "```{admonition} After this chapter", "After this chapter"),
    (check_frame, "- do another.\n", ""),
    (check_frame, "\nYou need a pencil. About 40 minutes.\n", ""),
    (check_frame, " About 40 minutes.", ""),
    (check_frame, "# A chapter\n", "# A chapter\n\nIt says much.\n"),
    (check_frame, "do one thing.", "**do one thing**."),
    (check_frame, "## Further reading", "## Sources"),
    (check_boxes, ":label: ex-made-up", ":label: exercise-made-up"),
    (check_boxes, "A short $w$", ":::{prf:lemma} Short\n:::\nA short $w$"),
    (check_frame, FIRST, "One sees nothing."),
    (check_frame, "- You can now do another.", "- You saw another."),
    (check_frame, ENDING, "## What you have learned"),
    (check_frame, EXERCISES, "## Something to see\n\n## Exercises"),
    (check_frame, EXERCISES, "## Tasks"),
    (check_exercises, "{exercise} By hand", "{exercise}"),
    (check_exercises, ":class: dropdown\n", ""),
    (check_exercises, "{solution-start} ex-made-up", "{solution-start} ex-b"),
    (check_exercises, "```{exercise} By", ":::{exercise} By"),
    (check_devices, "{admonition} Predict first", "{admonition} Predict"),
    (check_devices, ":class: hint", ":class: tip"),
    (check_devices, GUESS, GUESS + "\n\n" + GUESS),
    (check_devices, "{dropdown} What happens", "{dropdown} The answer"),
    (check_devices, "{admonition} Often believed", "{note}"),
    (check_devices, SEEN, SEEN + SEEN.split("```", 2)[2]),
    (check_devices, "{admonition} On one slide", "{admonition} In short"),
    (check_devices, "One can do one thing", "One can do one thing" * 10),
    (check_questions, "## Test yourself", "## Questions"),
    (check_questions, ASKED, ASKED + "\n\n## More to see"),
    (check_questions, "**Question 5.** ", ""),
    (check_questions, "**Question 5.**", "**Question 6.**"),
    (check_questions, f"{WRONG_CHOICE}\n\n" * 2, f"{WRONG_CHOICE}\n\n"),
    (check_questions, WRONG_CHOICE, f"{WRONG_CHOICE}\n\n{WRONG_CHOICE}"),
    (check_questions, RIGHT_CHOICE, f"{RIGHT_CHOICE}\n\n{RIGHT_CHOICE}"),
    (check_questions, "Yes. One counts", "No. One counts"),
    (check_questions, "Yes. One counts.", ""),
    (check_questions, "No. One counts", "Nearly. One counts"),
    (check_questions, ASKED, asked([0] * 5)),
    (check_looks, '**figures.look("last iterate")', ""),
    (check_looks, '**figures.look("last iterate")', 'color="blue"'),
    (check_looks, '**figures.look("last iterate")', 'color="#04487C"'),
    (check_looks, '**figures.look("last', 'ls="--", **figures.look("last'),
    (check_looks, "t, gap, label", 't, gap, "o--", label'),
    (check_looks, '**figures.look("last iterate")', 'c="k"'),
    (
        check_looks,
        '**figures.look("last iterate")',
        'color=figures.PALETTE["blue"]',
    ),
    (check_looks, '"last iterate")', '"last iterate", color=member)'),
    (check_looks, '"last iterate")', '"last iterate", ls=member["ls"])'),
    (check_looks, '"last iterate")', '"last iterate", **colour)'),
    (
        check_looks,
        '**figures.look("last iterate")',
        '**{**figures.look("last iterate"), "color": member["color"]}',
    ),
    (
        check_looks,
        '**figures.look("last iterate")',
        '**dict(figures.look("last iterate"), color=member["color"], **{})',
    ),
    (check_looks, "plt.show()", 'look["color"] = member["color"]'),
    (check_looks, "plt.show()", 'look.update(color=member["color"])'),
    (check_chance, "A short $w$", "A median of nine runs. A short $w$"),
    (check_chance, "A short $w$", "Means over\n29 orders. A short $w$"),
    (check_chance, "plt.show()", "SEEDS = range(9)"),
    (check_chance, "plt.show()", "SEEDS = tuple(range(9))"),
    (check_chance, "plt.show()", "SEEDS = np.arange(9)"),
    (check_chance, "plt.show()", "SEEDS = [0, 1, 2]"),
    (check_chance, "A short $w$", "In 3 of 5 runs a short $w$"),
    (check_chance, "A short $w$", "In 3 of 5 trials a short $w$"),
    (check_chance, "A short $w$", "In all five orders a short $w$"),
    (check_chance, "A short $w$", "Means of seven seeds. A short $w$"),
    (check_chance, "A short $w$", "Over 29 random seeds a short $w$"),
    (check_chance, 'label="last"', 'label="9 seeds"'),
    (check_chance, "plt.show()", "plt.show([seed for seed in range(5)])"),
    (
        check_chance,
        "plt.show()",
        "for s in range(2, 9):\n    plt.show(seed=s)",
    ),
    (check_axes, 'xlabel="step $t$", ', ""),
    (check_axes, "step $t$", "step t"),
    (check_axes, '"step $t$"', 'f"step t, {name}"'),
    (check_axes, r"$f(w) - f^\\star$", "f(w) − f*"),
    (check_axes, r"f^\\star$", r"f(w^\\star)$"),
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_page_in_the_books_hand_passes(check):
    assert check(RIGHT) == []


@pytest.mark.parametrize("said", ["", "\n\nIt says\nmuch."])
def test_a_picture_may_stand_above_the_goals(said):
    title, goals = TOP.split("\n\n", 1)
    above = [("markdown", title + said), ("code", DRAWING)]
    assert check_frame([*above, ("markdown", goals), *RIGHT[1:]]) == []
    twice = [("markdown", title + said + "\n\nAnd more."), *above[1:]]
    wrong = check_frame([*twice, ("markdown", goals), *RIGHT[1:]])
    assert (wrong == []) == (said == "")


@pytest.mark.parametrize(
    ("check", "old", "new"),
    WRONG,
    ids=[f"{check.__name__}-{k}" for k, (check, _, _) in enumerate(WRONG)],
)
def test_a_wrong_page_is_found(check, old, new):
    page = [(kind, text.replace(old, new)) for kind, text in RIGHT]
    assert page != RIGHT
    assert check(page) != []


def test_what_a_slide_shows_is_counted_without_its_mark_up():
    assert shown(r"$1/(\lambda t)$") == "1/(xt)"
    assert shown(r"$\lVert w^\star \rVert$") == "xwxx"
    assert shown(r"at most" + "\n" + r"like $\ln T$") == "at most like lnT"
    assert shown("in *training* `cost`") == "in training cost"
