"""The picture that opens a page stands before all code.

What is imported for it stands in a cell before it, folded. The two cells
keep their order in the page, for those who run them; `pegasos.css` shows the
first one below the second.
"""

from docutils import nodes


def is_code(node):
    return node.get("nb_element") == "cell_code"


def has_output(node):
    return any(
        child.get("nb_element") == "cell_code_output"
        for child in node.children
    )


def has_picture(node):
    return any(True for _ in node.findall(nodes.caption))


def is_folded(node):
    return node.get("hide_mode") == "input"


def gather(app, doctree):
    """Put the opening picture into one box with the code before it."""
    page = next(doctree.findall(nodes.section), None)
    for before, picture in zip(page or [], page[1:] if page else []):
        if isinstance(picture, nodes.section):
            return
        if (
            all(map(is_code, (before, picture)))
            and all(map(is_folded, (before, picture)))
            and has_picture(picture)
            and not has_output(before)
        ):
            box = nodes.container(classes=["picture-first"])
            page.insert(page.index(before), box)
            for cell in (before, picture):
                page.remove(cell)
                box += cell
            return


def setup(app):
    app.connect("doctree-read", gather)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
