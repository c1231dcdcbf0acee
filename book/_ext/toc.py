"""The pages of the book, in its order."""

from pathlib import Path

import yaml

TOC = Path(__file__).resolve().parents[2] / "_toc.yml"


def pages():
    """Names of all pages in ``_toc.yml``, the first page first."""
    toc = yaml.safe_load(TOC.read_text("utf-8"))
    return [toc["root"], *below(toc)]


def below(entry):
    """Names of the pages listed anywhere below an entry of the toc."""
    names = []
    for kind in ("parts", "chapters", "sections"):
        for child in entry.get(kind, []):
            names += [child["file"]] if "file" in child else []
            names += below(child)
    return names
