"""Make every built page work without a network, also from ``file://``.

Third-party scripts come out of installed packages at build time, so none is
committed. A page gets the scripts of the live figures only if it has one.
"""

import html
import json
import re
import shutil
from importlib.metadata import files, version
from pathlib import Path

import rcssmin
import rjsmin
import vl_convert
from fontTools import subset
from fontTools.ttLib import TTFont
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parents[2]
LIVE_SOURCES = ROOT / "pegasos_edu" / "live"
# The scripts that every live figure needs, in this order.
SHARED = ["toolkit", "numbers", "near", "frame"]
# A live figure in a page: what its script reads.
LIVE_FIGURE = re.compile(r"data-pegasos='([^']*)'")
MATHJAX_START = "mathjax/startup.js"
# TeX in, SVG out, and MathML for screen readers. The ready-made bundle of
# these has a context menu too, at another 0.4 MB a page.
MATHJAX_PARTS = ["core", "input/tex", "output/svg", "a11y/assistive-mml"]
# The starter, and what the output asks for once it has arrived itself.
MATHJAX_FILES = ["startup", *MATHJAX_PARTS, "output/svg/fonts/tex"]
# The theme has every page load Sphinx's search and its index (0.4 MB), for a
# search while one types, which is off. The search page has its own.
SEARCH_SCRIPT = re.compile(
    r'\s*<script src="[^"]*(searchtools|language_data|searchindex)\.js">'
    r"</script>"
)
# Sphinx gives MathJax (1.7 MB) to pages without a formula, too.
MATHJAX_SCRIPT = re.compile(
    r"\s*<script(?:>window\.MathJax = [^<]*"
    rf'| [^>]*src="[^"]*{MATHJAX_START}[^"]*">)</script>'
)
HAS_FORMULA = re.compile(r'class="math|\\\(')
VEGA_EXPORTS = "window.PegasosVega = {vega, vegaLite, vegaEmbed};"
ICON_CLASS = re.compile(r"\bfa-([a-z0-9-]+)")
# One icon in the theme's script: its name, other names and drawing.
ICON = re.compile(
    r'"?(?P<name>[a-z0-9-]+)"?:\[\d+,\d+,\[(?P<aliases>[^\]]*)\],'
    r'"[0-9a-f]+","[^"]*"\],?'
)
# The same in its style sheet, and the sign of the font that an icon is.
ICON_RULE = re.compile(r'(?:\.fa-[a-z0-9-]+:before,?)+\{content:"[^"]+"\}')
ICON_SIGN = re.compile(r'"\\([0-9a-f]{2,4}) ?"')
ICON_FONT = "fa-solid-900"
ICON_SOURCES = re.compile(rf"url\((\S+?){ICON_FONT}\.woff2\)[^;}}]*")


def copy_mathjax(folder):
    """Copy the parts of MathJax in use out of the wheel that carries it."""
    for file in files("sphinx-mathjax-offline") or []:
        part = file.as_posix().partition("static/mathjax/")[2]
        if part.removesuffix(".js") in MATHJAX_FILES:
            target = folder / "mathjax" / part
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.locate(), target)
    if not (folder / MATHJAX_START).exists():
        raise ExtensionError(
            "MathJax is not in the installed sphinx-mathjax-offline: "
            "install requirements.txt again."
        )


def vega_script():
    """Vega, Vega-Lite and Vega-Embed as one classic script.

    The function around it keeps its hundreds of top-level names away from
    every other script of the page.
    """
    bundle = vl_convert.javascript_bundle(VEGA_EXPORTS)
    return f"(function () {{\n{bundle}\n}})();\n"


# What makes a file of ours shorter, by its suffix: comments and indentation
# are for who reads the sources.
SHORTER = {".css": rcssmin.cssmin, ".js": rjsmin.jsmin}


def live_scripts():
    """The scripts of the live figures by name; what all need comes first."""
    names = {path.stem: path for path in sorted(LIVE_SOURCES.rglob("*.js"))}
    return {
        name: names[name].read_text("utf-8")
        for name in dict.fromkeys([*SHARED, *names])
    }


def live_style():
    """The style sheets of the live figures as one, of all figures first."""
    names = ["live", "frame"]
    sheets = sorted(
        LIVE_SOURCES.rglob("*.css"),
        key=lambda path: (
            names.index(path.stem) if path.stem in names else len(names),
            path.name,
        ),
    )
    return "\n".join(path.read_text("utf-8") for path in sheets)


def needed_scripts(body):
    """The scripts of a page's live figures, and whether one has a chart."""
    configs = [
        json.loads(html.unescape(text)) for text in LIVE_FIGURE.findall(body)
    ]
    names = {config["name"] for config in configs}
    shared = {name for one in configs for name in one.get("needs", [])}
    charts = any(panel["spec"] for one in configs for panel in one["panels"])
    found = [*SHARED, *sorted(shared), *sorted(names)] if names else []
    return found, charts


def publish_scripts(app):
    """Put MathJax, Vega and the live figures among the static files."""
    folder = Path(app.outdir).parent / "scripts"
    folder.mkdir(parents=True, exist_ok=True)
    copy_mathjax(folder)
    vega = folder / f"vega-{version('vl-convert-python')}.js"
    if not vega.exists():
        # Making the bundle takes a second or two, so it is kept.
        for old in folder.glob("vega-*.js"):
            old.unlink()
        vega.write_text(vega_script(), "utf-8")
    for name, script in live_scripts().items():
        (folder / f"pegasos-live-{name}.js").write_text(script, "utf-8")
    (folder / "pegasos-live.css").write_text(live_style(), "utf-8")
    app.config.html_static_path.append(str(folder))
    app.config.mathjax_path = MATHJAX_START
    app.config.mathjax3_config["loader"] = {"load": MATHJAX_PARTS}
    app.pegasos_vega = vega.name


def is_thebe(entry):
    """Whether a script or style sheet belongs to sphinx-thebe."""
    text = f"{entry.filename} {entry.attributes.get('body', '')}"
    return "thebe" in text


def adapt_page(app, pagename, templatename, context, doctree):
    """Drop what asks the network; add the live figures where there are any.

    The lists are changed in place: Sphinx adds to these very lists later.
    """
    for kind in ("script_files", "css_files"):
        context[kind][:] = [
            entry for entry in context[kind] if not is_thebe(entry)
        ]
    names, charts = needed_scripts(context.get("body", ""))
    if names:
        app.add_css_file("pegasos-live.css")
        if charts:
            # Of no type that runs: the toolkit asks for it with a chart.
            app.add_js_file(app.pegasos_vega, type="text/x-vega")
        for name in names:
            script = f"pegasos-live-{name}.js"
            app.add_js_file(script, loading_method="defer")


def keep_used_icons(app, error):
    """Cut the theme's 2,000 icons (1.5 MB) down to those in the pages."""
    if error:
        return
    out = Path(app.outdir)
    scripts = out / "_static" / "scripts"
    icons = scripts / "fontawesome.js"
    pages = [*out.rglob("*.html"), scripts / "pydata-sphinx-theme.js"]
    used = {
        name
        for page in pages
        for name in ICON_CLASS.findall(page.read_text("utf-8"))
    }

    def keep(match):
        names = {match["name"], *re.findall(r'"([^"]+)"', match["aliases"])}
        return match[0] if names & used else ""

    icons.write_text(ICON.sub(keep, icons.read_text("utf-8")), "utf-8")
    icons.with_name("fontawesome.js.map").unlink(missing_ok=True)
    keep_used_signs(out / "_static", used)


def keep_used_signs(static, used):
    """Cut the rules and the font of the icons down to the same (0.2 MB)."""

    def keep(match):
        return match[0] if used & set(ICON_CLASS.findall(match[0])) else ""

    theme = static / "styles" / "pydata-sphinx-theme.css"
    rules = ICON_RULE.sub(keep, theme.read_text("utf-8"))
    rules = ICON_SOURCES.sub(
        rf'url(\g<1>{ICON_FONT}.woff) format("woff")', rules, count=1
    )
    theme.write_text(rules, "utf-8")
    signs = {
        int(sign, 16)
        for path in static.rglob("*.css")
        for sign in ICON_SIGN.findall(path.read_text("utf-8"))
    }
    folder = static / "vendor" / "fontawesome" / "webfonts"
    font = TTFont(folder / f"{ICON_FONT}.ttf", recalcTimestamp=False)
    cutter = subset.Subsetter()
    cutter.populate(unicodes=signs)
    cutter.subset(font)
    font.flavor = "woff"
    font.save(folder / f"{ICON_FONT}.woff")


def shorten_static(app, error):
    """Our scripts and styles, without what only their readers need."""
    for path in Path(app.outdir, "_static").glob("pegasos*.*"):
        short = SHORTER.get(path.suffix)
        if short and not error:
            path.write_text(short(path.read_text("utf-8")), "utf-8")


def drop_unused_scripts(app, error):
    for path in Path(app.outdir).rglob("*.html"):
        if not error and path.name != "search.html":
            old = path.read_text("utf-8")
            text = SEARCH_SCRIPT.sub("", old)
            if not HAS_FORMULA.search(text):
                text = MATHJAX_SCRIPT.sub("", text)
            if text != old:
                path.write_text(text, "utf-8")


def setup(app):
    app.connect("builder-inited", publish_scripts)
    # Late, so that the scripts of all other extensions are already there.
    app.connect("html-page-context", adapt_page, priority=900)
    app.connect("build-finished", keep_used_icons)
    app.connect("build-finished", shorten_static)
    app.connect("build-finished", drop_unused_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
