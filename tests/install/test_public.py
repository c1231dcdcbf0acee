"""What surrounds the project: what stands at the top, what points outside."""

import json
import re
import runpy
import subprocess
import sys
import tomllib

import address
import moving_picture
import nbformat
import pytest
import yaml
from sphinx.errors import ConfigError

import installation
import tasks
from tests.install.kept import kept_files

# All that may stand at the top: the book, the package, the tests, how they
# are built; then what packaging, citing, joining and licences need.
TOP = {
    ".ci",
    ".github",
    ".gitignore",
    ".zenodo.json",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "LICENSE-TEXT",
    "MANIFEST.in",
    "README.md",
    "_config.yml",
    "_toc.yml",
    "book",
    "installation.py",
    "pegasos_edu",
    "pyproject.toml",
    "requirements.txt",
    "tasks.py",
    "tests",
}
PUBLISHED = "https://github.com/somebody/pegasos-edu"
# An address of this project, a picture of a badge, a place to run notebooks.
OUTSIDE = re.compile(
    r"github\.com/[\w.-]+/pegasos|badge\.svg|shields\.io|"
    r"mybinder\.org|colab\.research|zenodo\.org/badge"
)
# Who may do something in a workflow.
TRUSTED = ("actions/", "pypa/")
# A tag can be moved to other code, a commit cannot; the version is for people.
PINNED = re.compile(r"([\w/-]+)@[0-9a-f]{40} # v\d+\.\d+\.\d+")
WORKFLOWS = sorted((tasks.ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((tasks.ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def read(name):
    return (tasks.ROOT / name).read_text("utf-8")


def test_nothing_else_stands_at_the_top():
    assert {name.split("/")[0] for name in kept_files()} == TOP


def test_one_version_everywhere():
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    citation = yaml.safe_load(read("CITATION.cff"))
    zenodo = json.loads(read(".zenodo.json"))
    newest = re.search(r"^## ([\d.]+)", read("CHANGELOG.md"), re.MULTILINE)
    assert version == citation["version"] == zenodo["version"] == newest[1]
    assert zenodo["title"] == citation["title"]
    assert zenodo["keywords"] == citation["keywords"]
    assert zenodo["creators"] == citation["authors"]


# The one setting


def doors():
    """What names an address of the project, and what should once it has one.

    Returns two dicts by file: whether it points outside, and whether it
    gives the address that is set.
    """
    where = address.setting()
    pages = (tasks.ROOT / "book").glob("*.md")
    names = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff"]
    texts = {name: read(name) for name in [*names, "pyproject.toml"]}
    texts |= {page.name: page.read_text("utf-8") for page in pages}
    outside = {name: bool(OUTSIDE.search(texts[name])) for name in texts}
    project = tomllib.loads(texts["pyproject.toml"])["project"]
    citation = yaml.safe_load(texts["CITATION.cff"])
    told = {
        "pyproject.toml": where in project.get("urls", {}).values(),
        "CITATION.cff": citation.get("repository-code") == where,
        "README.md": f"]({where}" in texts["README.md"],
    }
    return outside, told


def test_nothing_points_anywhere_before_there_is_an_address():
    outside, told = doors()
    if address.setting():
        assert all(told.values()), told
    else:
        assert not any(outside.values()), outside


@pytest.mark.parametrize(
    "wrong", ["pegasos-edu", "http://github.com/a/b", PUBLISHED + "/tree/main"]
)
def test_another_address_is_refused(wrong):
    with pytest.raises(ConfigError, match="expected nothing, or the address"):
        address.theme_options(wrong)


def test_what_a_workflow_is_told(capsys, monkeypatch):
    runpy.run_path(address.__file__, run_name="__main__")
    assert capsys.readouterr().out == f"address={address.setting()}\n"


@pytest.mark.slow
@pytest.mark.parametrize("where", ["", PUBLISHED])
def test_the_setting_opens_the_doors_of_a_page(where, tmp_path):
    """A book of two pages, one of them a notebook, with the book's theme."""
    sources, out = tmp_path / "sources", tmp_path / "html"
    sources.mkdir()
    toc = "```{toctree}\nnote\n```\n"
    (sources / "index.md").write_text(f"# A book\n\n{toc}", "utf-8")
    cell = nbformat.v4.new_markdown_cell("# A notebook")
    notebook = nbformat.v4.new_notebook(cells=[cell])
    notebook.metadata["kernelspec"] = {"name": "python3"}
    nbformat.write(notebook, sources / "note.ipynb")
    settings = {
        "extensions": "address,myst_nb",
        "html_theme": "sphinx_book_theme",
        "nb_execution_mode": "off",
        "public_address": where,
    }
    command = [sys.executable, "-m", "sphinx", "-C", "-q", sources, out]
    for name, value in settings.items():
        command += ["-D", f"{name}={value}"]
    variables = installation.environment_variables()
    variables["PYTHONPATH"] = str(tasks.ROOT / "book" / "_ext")
    subprocess.run(command, env=variables, check=True, cwd=tmp_path)
    page = (out / "note.html").read_text("utf-8")
    assert bool(OUTSIDE.search(page)) == bool(where)
    for link in (
        f'href="{PUBLISHED}"',
        f"{PUBLISHED}/issues/new",
        f"{PUBLISHED}/edit/main/note.ipynb",
        "mybinder.org/v2/gh/somebody/pegasos-edu/main",
    ):
        assert (link in page) == bool(where), link


# The workflows and the forms


def steps(path):
    jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_only_read_and_trusts_few(path):
    workflow = yaml.safe_load(path.read_text("utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for step in steps(path):
        assert step.get("uses", "actions/").startswith(TRUSTED)
        # Nothing from outside is pasted into a command.
        assert "${{" not in step.get("run", "")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_a_workflow_runs_is_there(path):
    said = "\n".join(step.get("run", "") for step in steps(path))
    for words in re.findall(r"python tasks\.py (.*)", said):
        options = tasks.parse(words.split())
        assert callable(options.run)
    for name in re.findall(r"(?:book|tests|\.github)/[\w/.]+", said):
        assert (tasks.ROOT / name).exists(), name


def test_an_action_is_named_by_its_commit_everywhere_the_same():
    texts = [path.read_text("utf-8") for path in WORKFLOWS]
    used = {line for text in texts for line in re.findall(r"uses: (.*)", text)}
    names = [PINNED.fullmatch(line)[1] for line in used]
    assert len(names) == len(set(names)) > 0


def test_the_site_is_the_book_with_python_in_its_pages():
    (path,) = [path for path in WORKFLOWS if path.stem == "pages"]
    options = [
        tasks.parse(words.split())
        for step in steps(path)
        for words in re.findall(r"python tasks\.py (.*)", step.get("run", ""))
    ]
    assert [(one.command, one.python) for one in options] == [("book", True)]
    (put,) = [
        step["with"]["path"]
        for step in steps(path)
        if "upload-pages-artifact" in step.get("uses", "")
    ]
    assert tasks.ROOT / put == tasks.PYTHON_SITE


def test_all_systems_and_pythons_are_tested():
    (path,) = [path for path in WORKFLOWS if path.stem == "tests"]
    jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"]
    matrix = jobs["tests"]["strategy"]["matrix"]
    assert {name.split("-")[0] for name in matrix["system"]} == {
        "ubuntu",
        "macos",
        "windows",
    }
    project = tomllib.loads(read("pyproject.toml"))["project"]
    named = [text.split(" :: ")[-1] for text in project["classifiers"]]
    known = [version for version in named if version.startswith("3.")]
    assert matrix["python"] == known
    oldest = ".".join(map(str, tasks.OLDEST_PYTHON))
    assert known[0] == oldest and project["requires-python"] == f">={oldest}"


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_for_what_it_says(path):
    form = yaml.safe_load(path.read_text("utf-8"))
    if path.stem == "config":
        assert form == {"blank_issues_enabled": True}
        return
    assert form["name"] and form["description"]
    asked = [part for part in form["body"] if part["type"] != "markdown"]
    names = [part["id"] for part in asked]
    assert len(names) == len(set(names))
    assert all(part["attributes"]["label"].endswith("?") for part in asked)


# The picture that moves


def test_the_readme_shows_the_picture_that_its_command_makes():
    saved = moving_picture.PICTURE.read_text("utf-8")
    assert saved == moving_picture.picture()
    assert len(saved) < 300_000
    name = moving_picture.PICTURE.relative_to(tasks.ROOT).as_posix()
    assert name in read("README.md")


def test_the_picture_keeps_still_and_asks_nobody():
    shown = moving_picture.picture()
    frames = shown.count('<g class="f ')
    assert frames == 2 * 4
    assert "prefers-reduced-motion:reduce" in shown
    assert "<script" not in shown
    without = shown.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "http" not in without and "url(" not in without
