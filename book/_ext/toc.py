"""The pages of the book, in its order."""

from pathlib import Path

import yaml

TOC = Path(__file__).resolve().parents[2] / "_toc.yml"


def pages():
    """Names of all pages in ``_toc.yml``, the first page first."""
    toc = yaml.safe_load(TOC.read_text("utf-8"))
    return [toc["root"], *below(toc)]


def numbers():
    """The number of each chapter that has one, by the name of its file."""
    toc = yaml.safe_load(TOC.read_text("utf-8"))
    numbered = [part for part in toc["parts"] if part.get("numbered", True)]
    names = below({"parts": numbered})
    return {
        name.rpartition("/")[2]: number
        for number, name in enumerate(names, start=1)
    }


def below(entry):
    """Names of the pages listed anywhere below an entry of the toc."""
    names = []
    for kind in ("parts", "chapters", "sections"):
        for child in entry.get(kind, []):
            names += [child["file"]] if "file" in child else []
            names += below(child)
    return names
