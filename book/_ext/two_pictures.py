"""Lay the dark picture of each figure beside the light one.

A notebook keeps the dark one in the metadata of the output (see
`pegasos_edu/page/dark.py`). `pegasos.css` shows the one that fits the page.
"""

import base64
import hashlib
import re
import struct
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.errors import ExtensionError

MIME, KEY, ALT = "image/png", "dark", "alt"
TWIN = re.compile(r'<img (?=[^>]*class="in-)[^>]*src="[^"]*?([^/"]+\.png)"')


def kept(cell):
    """What the metadata keep beside each picture that a cell puts out.

    Live figures carry theirs in HTML.
    """
    return [
        output.get("metadata", {}).get(MIME, {})
        for output in cell.get("outputs", [])
        if MIME in output.get("data", {})
    ]


def add_dark(image, picture, folder):
    """Write a dark picture and show it after the light one."""
    content = base64.b64decode(picture)
    name = f"{hashlib.sha256(content).hexdigest()}.png"
    (folder / name).write_bytes(content)
    dark = image.deepcopy()
    dark["uri"] = str(Path(image["uri"]).with_name(name).as_posix())
    # The theme leaves a picture of the class dark-light as it is.
    dark["classes"] += ["in-dark", "dark-light"]
    image["classes"] += ["in-light", "dark-light"]
    dark["loading"] = "lazy"  # a light page never asks for it
    place = image.parent.index(image)
    image.parent.insert(place + 1, dark)


def lay_beside(app, doctree):
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    cells = nbformat.read(path, as_version=4).cells
    for node in doctree.findall(nodes.container):
        if node.get("nb_element") != "cell_code":
            continue
        pictures = kept(cells[node["cell_index"]])
        images = [
            image
            for image in node.findall(nodes.image)
            if image.parent.get("mime_type") == MIME
        ]
        if len(images) != len(pictures):
            raise ExtensionError(
                f"{path.name}, cell {node['cell_index']}: "
                f"{len(images)} pictures in the page, "
                f"{len(pictures)} in the notebook"
            )
        for image, picture in zip(images, pictures):
            if ALT in picture:  # one of several: the cell's suits them all
                image["alt"] = picture[ALT]
            if KEY in picture:
                add_dark(image, picture[KEY], folder_of(app))


def size_of(png):
    """The width and height of a PNG file, out of its header."""
    return struct.unpack(">II", png[16:24])


def reserve_room(app, pagename, templatename, context, doctree):
    """Say the size of each picture: a late one then moves no text."""

    def sized(match):
        width, height = size_of((folder_of(app) / match[1]).read_bytes())
        return f'{match[0]} width="{width}" height="{height}"'

    context["body"] = TWIN.sub(sized, context.get("body", ""))


def folder_of(app):
    """Where MyST-NB writes the pictures of the outputs."""
    return Path(app.outdir).parent / "jupyter_execute"


def setup(app):
    # Before Sphinx collects the images of the page.
    app.connect("doctree-read", lay_beside, priority=100)
    app.connect("html-page-context", reserve_room)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
