"""Make every built page work without a network, also from ``file://``.

Third-party scripts come out of installed packages at build time, so none is
committed. A page gets the scripts of the live figures only if it has one.
"""

from importlib.metadata import files, version
from pathlib import Path

import vl_convert
from sphinx.errors import ExtensionError
from sphinx.util import logging

ROOT = Path(__file__).resolve().parents[2]
LIVE_SOURCES = ROOT / "pegasos_edu" / "live"
# The attribute that marks a live figure in a page.
LIVE_MARK = "data-pegasos="
MATHJAX = "tex-svg-full.js"
VEGA_EXPORTS = "window.PegasosVega = {vega, vegaLite, vegaEmbed};"

logger = logging.getLogger(__name__)


def mathjax_file():
    """Path of MathJax (TeX in, SVG out) in the wheel that carries it."""
    for file in files("sphinx-mathjax-offline") or []:
        if file.name == MATHJAX:
            return Path(file.locate())
    raise ExtensionError(
        f"{MATHJAX} is not in the installed sphinx-mathjax-offline: "
        "install requirements.txt again."
    )


def vega_script():
    """Vega, Vega-Lite and Vega-Embed as one classic script.

    The function around it keeps its hundreds of top-level names away from
    every other script of the page.
    """
    bundle = vl_convert.javascript_bundle(VEGA_EXPORTS)
    return f"(function () {{\n{bundle}\n}})();\n"


def live_script():
    """The toolkit of the live figures, then the figures, as one script."""
    scripts = sorted(
        LIVE_SOURCES.glob("*.js"),
        key=lambda path: (path.name != "toolkit.js", path.name),
    )
    return "\n".join(path.read_text("utf-8") for path in scripts)


def live_style():
    """The style sheets of the live figures as one."""
    sheets = sorted(LIVE_SOURCES.glob("*.css"))
    return "\n".join(path.read_text("utf-8") for path in sheets)


def write_if_changed(path, text):
    """Write ``text`` unless the file says the same already."""
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def publish_scripts(app):
    """Put MathJax, Vega and the live figures among the static files."""
    folder = Path(app.outdir).parent / "scripts"
    folder.mkdir(parents=True, exist_ok=True)
    vega = folder / f"vega-{version('vl-convert-python')}.js"
    if not vega.exists():
        # Making the bundle takes a second or two, so it is kept.
        vega.write_text(vega_script(), "utf-8")
    write_if_changed(folder / "pegasos-live.js", live_script())
    write_if_changed(folder / "pegasos-live.css", live_style())
    names = [vega, folder / "pegasos-live.js", folder / "pegasos-live.css"]
    app.config.html_static_path += [str(mathjax_file()), *map(str, names)]
    app.config.mathjax_path = MATHJAX
    app.pegasos_vega = vega.name


def drop_thebe(context):
    """Remove the scripts of sphinx-thebe, which ask the network."""
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "thebe" not in (script.filename or "")
        and "thebe" not in script.attributes.get("body", "")
    ]
    context["css_files"] = [
        sheet
        for sheet in context["css_files"]
        if "thebe" not in (sheet.filename or "")
    ]


def add_page_scripts(app, pagename, templatename, context, doctree):
    """Give a page with a live figure its scripts, and no other page."""
    drop_thebe(context)
    if LIVE_MARK in context.get("body", ""):
        app.add_css_file("pegasos-live.css")
        app.add_js_file(app.pegasos_vega, loading_method="defer")
        app.add_js_file("pegasos-live.js", loading_method="defer")


def setup(app):
    app.connect("builder-inited", publish_scripts)
    # Late, so that the scripts of all other extensions are already there.
    app.connect("html-page-context", add_page_scripts, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
