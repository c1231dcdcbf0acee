"""The built book once more, with code cells that run in the browser.

    python tasks.py book --python [--kit DIR] [--kit-from URL]

The pages in `_build/html` stay as they are. `_build/python` has the same
files, as links to them, and pages with a script and a style sheet more; the
script asks for the rest when a reader runs a cell. The files of Pyodide come
from `kit.py`; the package goes along as one file.
"""

import argparse
import base64
import hashlib
import html
import inspect
import json
import os
import re
import shutil
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import rcssmin
import rjsmin
from offline import needed_scripts

from installation import meaning_of_error
from live_code import editor
from live_code.kit import HERE, KIT, Refused, find
from pegasos_edu import explore
from pegasos_edu.coursework.zoo import ZOO

ROOT = HERE.parents[2]
# What runs in the reader's browser.
BROWSER = HERE / "browser"
LICENCES = HERE / "licences"
# The package and what the files of Pyodide lack, as one file.
BOOK = "book.zip"
WORKER = "worker.js"
LOCK = "pyodide-lock.json"
# What a page never needs: nobody is graded there.
LEFT_OUT = {"grading", "__pycache__"}
CELL = re.compile(r'<div class="cell [^"]*')
TO_ROOT = re.compile(r'data-content_root="([^"]*)"')
LICENCE = re.compile(r"\.dist-info/.*(licen|copying|notice)", re.IGNORECASE)
# A file has the same bytes whenever it is made.
LONG_AGO = (2000, 1, 1, 0, 0, 0)
# What a page with Python may ask for: its own site's files, and what it has
# made itself. Its worker is made by the page, hence a blob, so that the same
# holds for whatever a cell does. Scripts that stand in the page are the
# theme's; MathJax styles what it draws, and Vega compiles its expressions.
CHARSET = '<meta charset="utf-8" />'
POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="'
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self' data: blob:; "
    "worker-src blob:; object-src 'none'; base-uri 'self'; "
    "form-action 'self'\">"
)
TASK = "A1.pegasos"
HEAD = """\
import numpy as np
from pegasos_edu import coursework


"""
STUB = """\
def my_pegasos(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        # Step t, example i: your lines go here.
        pass
    return w
"""
CHECK = f"""

print(coursework.check("{TASK}", my_pegasos))
"""
# The same, and the live figure of the page.
EXPLORE = HEAD.replace("coursework", "coursework, explore")
SEE = """
explore(solver=my_pegasos)
"""
OWN = """\
<section class="pegasos-own" data-name="{name}" data-label="{title}" \
data-seconds="60">
<h3>{title}</h3>
<p>{text}</p>
{choice}<textarea class="pegasos-code" rows="{rows}" aria-label="{title}">
{code}</textarea>
</section>
"""


# Cells to write in


def own_cell(name, title, text, codes):
    """A cell of the reader's own; of several codes one is chosen."""
    choice = ""
    if len(codes) > 1:
        options = "".join(
            f"<option>Solver {number}</option>"
            for number in range(1, len(codes) + 1)
        )
        # No "<" may end the script that holds them.
        stored = json.dumps(codes).replace("<", "\\u003c")
        choice = (
            f'<p><label>Which one? <select autocomplete="off">{options}'
            f"</select></label></p>\n"
            f'<script type="application/json">{stored}</script>\n'
        )
    return OWN.format(
        name=name,
        title=title,
        text=text,
        choice=choice,
        rows=codes[0].count("\n"),
        code=html.escape(codes[0]),
    )


def write_your_own():
    return own_cell(
        "write",
        "Write your own",
        "Fill in the loop and run it, here in the page. The check tells "
        "whether every step is right and, if not, which is the first that "
        'is wrong; it knows the mistakes of the <a href="bug_zoo.html">bug '
        "zoo</a> by name. Then let the live figure of this page draw your "
        "solver.",
        [EXPLORE + STUB + CHECK + SEE],
    )


def broken_solvers():
    """The solvers of the bug zoo, all under the same name."""
    found = []
    for mistake in ZOO:
        if mistake.task == TASK:
            source = inspect.getsource(mistake.answer)
            code = source[source.index("def ") :]
            found.append(code.replace(mistake.answer.__name__, "my_pegasos"))
    return found


def mend_one():
    return own_cell(
        "mend",
        "Mend one yourself",
        "Each of these solvers has one mistake. Run one, read what the "
        "check says, and change the code until it passes.",
        [HEAD + code + CHECK for code in broken_solvers()],
    )


# The first cell of a page that takes minutes without a compiler. Making the
# page live runs those above it, and says so.
LONG = {
    "book/stochastic": "stochastic-05b",
    "book/pegasos": "pegasos-33",
    "book/steps": "steps-02",
    "book/racing": "racing-27",
    "book/log_loss": "log_loss-ulp-2",
    "book/text": "text-thirty-divisions",
    "book/choosing_lambda": "choosing_lambda-07",
    "book/first_order": "first-order-tuning",
    "book/more_data": "more_data-digits",
    "book/scikit_learn": "scikit_learn-42",
    "book/many_machines": "many-machines-30",
}


# An assignment draws the reader's solver, too. Its picture is that of the
# book's answer; the figure takes its place when there is a solver. It comes
# when the page is made live: until then the page has a place for it.
DRAWS = "explore(solver="
EXPLORED = "book/pegasos"
EXPLORER = "explorer.js"
PLACE = "<div hidden data-explorer></div>\n"
# The figure, what it looks like, and its scripts in one: they start it in the
# turn after theirs.
BRINGS = """\
(function () {{
const root = document.currentScript.src.replace(/python\\/[^/]*$/, "");
function bring() {{
document.querySelector("[data-explorer]").innerHTML = {figure};
for (const [tag, properties] of {heads}) {{
  const made = document.createElement(tag);
  for (const name of ["href", "src"]) {{
    if (properties[name]) properties[name] = root + properties[name];
  }}
  document.head.append(Object.assign(made, properties));
}}
{scripts}
}}
if (document.readyState === "complete") bring();
else addEventListener("load", bring);
}})();
"""
SECTION = re.compile(r"</?section\b")
BEGIN = re.compile(r'<section id="before-you-begin">\s*<h2>.*?</h2>')
NO_INSTALL = """
<p class="pegasos-when-live">This page is live: Python and the package of this
course run in it, and nothing is to be installed. What you write is kept in
this browser. Download it as a notebook to hand it in, or to go on in
JupyterLab.</p>"""


def with_place(text, cells):
    """A page with a place for its reader's figure, if it draws one."""
    drawing = [k for k, one in enumerate(cells) if DRAWS in one["source"]]
    if not drawing or 'id="live-pegasos"' in text:
        return text
    cell = list(CELL.finditer(text))[drawing[0]]
    place = SECTION.search(text, cell.end()).start()
    return text[:place] + PLACE + text[place:]


def write_explorer(site, target):
    """The live figure that draws any solver, as a script that brings it."""
    shown = explore().page()
    names, _ = needed_scripts(shown)
    chapter = (site / f"{EXPLORED}.html").read_text("utf-8")
    static = re.findall(r'(?:href|src)="[^"]*_static/([^"]*)"', chapter)
    heads = []
    for address in static:
        if address.startswith("vega-"):
            heads.append(["script", {"type": "text/x-vega", "src": address}])
        elif address.startswith("pegasos-live.css"):
            heads.append(["link", {"rel": "stylesheet", "href": address}])
    scripts = [
        (site / "_static" / f"pegasos-live-{name}.js").read_text("utf-8")
        for name in names
    ]
    script = BRINGS.format(
        # Nobody sees the pictures that it has for a page without scripts.
        figure=json.dumps(re.sub(r"<img [^>]*>", "", shown)),
        heads=json.dumps(heads),
        scripts="\n".join(scripts),
    )
    target.write_text(script, "utf-8")


# By page: before which section a cell stands, and what makes it.
OWN_CELLS = {
    "book/pegasos": ("what-the-package-adds", write_your_own),
    "book/bug_zoo": (
        "what-is-said-of-a-step-that-nobody-foresaw",
        mend_one,
    ),
}


# The pages


def notebook_of(name):
    """The notebook of a page, without outputs; None if it has none."""
    path = ROOT / f"{name}.ipynb"
    if not path.exists():
        return None
    notebook = json.loads(path.read_text("utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    return notebook


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def live_page(text, name, cells, size):
    """A page with the script of its cells, and the cells to write in."""
    shown = len(CELL.findall(text))
    if shown != len(cells):
        raise Refused(
            f"The page {name} shows {shown} code cells, its notebook has "
            f"{len(cells)}: build the book again."
        )
    if name in OWN_CELLS:
        section, make = OWN_CELLS[name]
        place = f'<section id="{section}"'
        if place not in text:
            raise Refused(
                f"The page {name} has no section {section}, before which a "
                f"cell is to stand."
            )
        text = text.replace(place, make() + place, 1)
    text = BEGIN.sub(lambda found: found[0] + NO_INSTALL, text)
    static = TO_ROOT.search(text)[1] + "_static/python/"
    added = (
        f'<link rel="stylesheet" href="{static}cells.css">\n'
        f'<script defer src="{static}cells.js" data-page="{name}" '
        f'data-cells="{len(cells)}" data-bytes="{size}"'
        f"{long_note(name, cells)}></script>\n"
    )
    if CHARSET not in text:
        raise Refused(
            f"The page {name} does not begin with {CHARSET}, after which its "
            "policy is to stand: it holds for what comes below it."
        )
    text = text.replace(CHARSET, CHARSET + POLICY, 1)
    return text.replace("</head>", added + "</head>", 1)


def long_note(name, cells):
    """The attribute that says which cell is the first that takes long."""
    if name not in LONG:
        return ""
    ids = [cell["id"] for cell in cells]
    if LONG[name] not in ids:
        raise Refused(
            f"The notebook of {name} has no code cell {LONG[name]}, which is "
            "to be the first that takes long."
        )
    return f' data-long="{ids.index(LONG[name])}"'


def write_pages(site, out, size):
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).with_suffix("").as_posix()
        text = path.read_text("utf-8")
        notebook = notebook_of(name)
        if notebook is None or not CELL.search(text):
            continue
        cells = code_cells(notebook)
        # The file is a link to that of the ordinary book: never write into.
        page = out / f"{name}.html"
        page.unlink()
        text = live_page(text, name, cells, size)
        page.write_text(with_place(text, cells), "utf-8")
        handed = out / "_static" / "python" / "pages" / f"{name}.js"
        handed.parent.mkdir(parents=True, exist_ok=True)
        handed.write_text(hand_over(name, notebook), "utf-8")


# The files


def hand_over(name, content):
    """A script that gives the page's script a value under a name."""
    return f"PegasosFile({json.dumps(name)}, {json.dumps(content)});\n"


def link(source, target):
    """The same file under another name; a copy where links are unknown."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def copy_site(site, out):
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(site, out, copy_function=link)


def put(archive, name, data):
    entry = zipfile.ZipInfo(name, LONG_AGO)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


def package_files():
    """The files of the package that a page needs, by their name in it."""
    folder = ROOT / "pegasos_edu"
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(ROOT)
        wanted = path.suffix in (".py", ".json", ".gz") and path.is_file()
        if wanted and not LEFT_OUT & set(inside.parts):
            yield inside.as_posix(), path.read_bytes()


def tqdm_files():
    for file in distribution("tqdm").files:
        place = file.as_posix()
        # Its program stands elsewhere, at "../../../bin".
        inside = place.startswith(("tqdm/", "tqdm-"))
        if inside and (file.suffix == ".py" or ".dist-info/" in place):
            yield place, file.locate().read_bytes()


def write_book(target):
    """The package, tqdm and what runs the cells, as one zip file."""
    about = distribution("pegasos-edu")
    name = f"pegasos_edu-{about.version}.dist-info/METADATA"
    with zipfile.ZipFile(target, "w") as archive:
        for files in (package_files(), tqdm_files()):
            for path, data in files:
                put(archive, path, data)
        put(archive, name, about.read_text("METADATA").encode())
        for path in sorted(BROWSER.glob("in_page*.py")):
            put(archive, path.name, path.read_bytes())


def short_lock(text):
    """Pyodide's lock file without packages: pages unpack them themselves."""
    return json.dumps({**json.loads(text), "packages": {}})


def write_kit(source, folder):
    """All that Python needs, twice: to be fetched, and as scripts.

    Nothing can be fetched from disk, but a script can hold a file.
    """
    kit, disk = folder / "kit", folder / "disk"
    for each in (kit, disk):
        each.mkdir(parents=True)
    for name in KIT["sha256"]:
        if name != LOCK:
            link(source / name, kit / name)
    lock = short_lock((source / LOCK).read_text("utf-8"))
    (kit / LOCK).write_text(lock, "utf-8")
    worker = (BROWSER / WORKER).read_text("utf-8")
    (kit / WORKER).write_text(rjsmin.jsmin(worker), "utf-8")
    write_book(kit / BOOK)
    sums = {}
    for path in sorted(kit.iterdir()):
        name, data = path.name, path.read_bytes()
        sums[name] = hashlib.sha256(data).hexdigest()
        script = hand_over(name, base64.b64encode(data).decode())
        (disk / f"{name}.js").write_text(script, "utf-8")
    packages = [*KIT["packages"], *KIT["late"], BOOK]
    parts = {
        "version": hashlib.sha256("".join(sums.values()).encode()).hexdigest(),
        "packages": packages,
        "late": KIT["late"],
        "onDemand": {**KIT["on_demand"], "scipy": KIT["late"]},
        "all": list(sums),
        "sums": sums,
        "scripts": ["pyodide.js", "pyodide.asm.js", WORKER],
    }
    (folder / "parts.js").write_text(hand_over("parts", parts), "utf-8")
    return sum((kit / name).stat().st_size for name in packages)


def write_editor(folder):
    """The editor, and its licences."""
    installed = editor.installed()
    script = editor.editor_script(installed)
    (folder / "editor.js").write_text(script, "utf-8")
    licences = editor.editor_licences(installed)
    (folder / "licences" / "CodeMirror.txt").write_text(licences, "utf-8")


def write_licences(kit, folder):
    """The licences of all that is shipped, and a page that lists them."""
    folder.mkdir()
    for path in LICENCES.glob("*.txt"):
        link(path, folder / path.name)
    rows = []
    for wheel in sorted(kit.glob("*.whl")):
        name = wheel.name.split("-")[0]
        with zipfile.ZipFile(wheel) as archive:
            for entry in filter(LICENCE.search, archive.namelist()):
                own = f"{name}-{Path(entry).name}.txt"
                data = archive.read(entry)
                (folder / own).write_bytes(data)
                rows.append((wheel.name, own))
    for file in distribution("tqdm").files:
        if LICENCE.search(file.as_posix()):
            own = f"tqdm-{file.name}.txt"
            shutil.copyfile(file.locate(), folder / own)
            rows.append((f"{BOOK}: tqdm", own))
    items = "\n".join(
        f'<li>{html.escape(what)}: <a href="{own}">{own}</a></li>'
        for what, own in rows
    )
    page = (LICENCES / "index.html").read_text("utf-8")
    page = page.replace("VERSION", KIT["version"]).replace("ITEMS", items)
    (folder / "index.html").write_text(page, "utf-8")


def make(site, out, kit):
    """Make the book with live cells out of the built one."""
    copy_site(site, out)
    folder = out / "_static" / "python"
    folder.mkdir()
    size = write_kit(kit, folder)
    for name, shorten in (
        ("cells.js", rjsmin.jsmin),
        ("notebook.js", rjsmin.jsmin),
        ("from_disk.js", rjsmin.jsmin),
        ("with_python.js", rjsmin.jsmin),
        ("cells.css", rcssmin.cssmin),
    ):
        text = (BROWSER / name).read_text("utf-8")
        (folder / name).write_text(shorten(text), "utf-8")
    write_licences(folder / "kit", folder / "licences")
    write_editor(folder)
    write_explorer(site, folder / EXPLORER)
    write_pages(site, out, size)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--kit", type=Path)
    parser.add_argument("--kit-from")
    options = parser.parse_args(arguments)
    try:
        kit = find(options.kit, options.kit_from)
        make(options.site, options.out, kit)
    except Refused as refused:
        sys.exit(f"[tasks] {refused}")
    except OSError as error:
        sys.exit(f"[tasks] {meaning_of_error(error)}")


if __name__ == "__main__":
    main(sys.argv[1:])
