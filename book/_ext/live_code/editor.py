"""CodeMirror, the editor of JupyterLab, as one script for the page.

JupyterLab is installed for the notebooks anyway. Its scripts hold CodeMirror
in pieces, each of them numbered modules; its main script says which module
stands for which library. The script of the page has the pieces in need, and
`browser/editor.js`, which joins them and makes editors out of text areas.
"""

import json
import re
from importlib.metadata import files

from live_code.kit import HERE, Refused

FOLDER = "jupyterlab/static/"
LICENCES = "third-party-licenses.json"
# What is used, by the name it has in editor.js.
LIBRARIES = {
    "state": "@codemirror/state",
    "view": "@codemirror/view",
    "language": "@codemirror/language",
    "commands": "@codemirror/commands",
    "highlight": "@lezer/highlight",
}
# The main script does not name the language: it is the module that gives this.
PYTHON = re.compile(r"[{,](\d+)\([^()]*\)\{[^{}]*\{[^{}]*\bpythonLanguage:")
# One number stands for a library, which the module of another number is.
SHARED = re.compile(
    r'(\d+):\{shareScope:"default",shareKey:"([^"]+)"[^{}]*?'
    r"__webpack_require__\((\d+)\)\),"
)
MODULE = re.compile(r"[{,](\d+)\(\w")
NEEDS = re.compile(r"[ ,]\w+=\w+\((\d+)\)")
OF_EDITOR = ("@codemirror/", "@lezer/", "crelt", "style-mod", "w3c-keyname")
ABSENT = (
    "The editor is not in the installed JupyterLab: install requirements.txt "
    "again."
)


def installed():
    """The files of JupyterLab's pages by name, as far as they are text."""
    return {
        file.name: file.locate().read_text("utf-8")
        for file in files("jupyterlab") or []
        if file.as_posix().startswith(FOLDER)
        and file.suffix in (".js", ".json")
    }


def pieces(scripts, first, stands):
    """The scripts that hold some modules, and all that those need."""
    home = {
        number: name
        for name, text in scripts.items()
        for number in MODULE.findall(text)
    }
    found, waiting = set(), list(first)
    while waiting:
        number = waiting.pop()
        name = home.get(stands.get(number, number))
        if name is not None and name not in found:
            found.add(name)
            waiting += NEEDS.findall(scripts[name])
    return [scripts[name] for name in sorted(found)]


def editor_script(texts):
    """The script of the page, made of JupyterLab's files by their name."""
    scripts = {
        name: text
        for name, text in texts.items()
        if name[0].isdigit() and name.endswith(".js")
    }
    main = "".join(t for n, t in texts.items() if n.startswith("main."))
    stands, modules = {}, {}
    for number, library, module in SHARED.findall(main):
        stands[number] = modules[library] = module
    language = PYTHON.search("\n".join(scripts.values()))
    if language is None or not set(LIBRARIES.values()) <= set(modules):
        raise Refused(ABSENT)
    numbers = {name: modules[full] for name, full in LIBRARIES.items()}
    numbers["python"] = language[1]
    parts = "\n".join(pieces(scripts, numbers.values(), stands))
    ours = (HERE / "browser" / "editor.js").read_text("utf-8")
    return (
        f"(function () {{\n"
        f"const PIECES = (self) => {{\n{parts}\n}};\n"
        f"const STANDS = {json.dumps(stands)};\n"
        f"const NUMBERS = {json.dumps(numbers)};\n"
        f"{ours}}})();\n"
    )


def editor_licences(texts):
    """The licences of what the script holds, as one text."""
    packages = json.loads(texts.get(LICENCES, '{"packages": []}'))["packages"]
    found = [
        f"{package['name']} {package['versionInfo']}\n\n"
        f"{package['extractedText']}"
        for package in packages
        if package["name"].startswith(OF_EDITOR)
    ]
    if not found:
        raise Refused(ABSENT)
    return "\n\n".join(found)
