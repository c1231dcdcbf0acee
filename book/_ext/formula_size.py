"""How much room a formula will take, before MathJax has drawn it.

The rules are TeX's own (The TeXbook, appendix G) and the sizes of the signs
are those of MathJax's font, so the room is right within a pixel or two.
`pegasos.css` keeps it free: text that is being read does not move when the
formulas arrive. All lengths are in em of that font.
"""

import html
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tex import CONVERTER

FORMULA = re.compile(
    r'(?P<start><(?:span|div) class="math notranslate nohighlight"[^>]*)'
    r'(?P<rest>>\s*(?:<span class="eqno">.*?</span>)?'
    r"\\(?P<bracket>[(\[])(?P<tex>.*?)\\[)\]])",
    re.S,
)
FONT_SCRIPT = "mathjax/output/svg/fonts/tex.js"
EX = 0.442  # in em; styles measure in ex, whatever the font around is

TOKEN = re.compile(
    r"\d+(?:\{,\}\d{3})*(?:\.\d+)?|\\(?:begin|end)\s*\{\w+\*?\}"
    r"|\\[A-Za-z]+|\\.|\S",
    re.S,
)
FONT = re.compile(r"\.(\w+)=\{((?:\d+:\[[^\]]*\],?)+)\}")
SIGN = re.compile(
    r"(\d+):\[(-?[\d.]+),(-?[\d.]+),(-?[\d.]+)(?:,\{(?:ic:([\d.]+))?)?"
)
AXIS, LINE = 0.25, 0.06
SPACES = {
    **{"!": -3 / 18, ",": 3 / 18, ":": 4 / 18, ";": 5 / 18},
    **{" ": 0.25, "quad": 1, "qquad": 2},
}
# Of indices: how large they are, and how far up or down they go.
SCALES = [1, 0.707, 0.5]
UP, DOWN = 0.413, 0.15
NAMES = {"ln", "log", "exp", "sin", "cos", "tanh", "arg"}
# What has its index below itself, in a formula on a line of its own.
LIMITED = {"max", "min", "det", "sum", "prod"}
FONTS = {
    **{"mathrm": "normal", "text": "normal", "operatorname": "normal"},
    **{"mathbf": "bold", "mathbb": "doubled", "mathcal": "texCalligraphic"},
    **{"mathtt": "monospace", "texttt": "monospace"},
}
ACCENTS = {"bar", "hat", "tilde", "overline", "underbrace"}
BRACKETS = {"big": "smallop", "Big": "largeop"}
# Other signs than in the tables of pylatexenc.
SIGNS = {
    **{"ne": "≠", "iff": "⟺", "cdot": "⋅", "mid": "∣", "lvert": "|"},
    **{"rvert": "|", "-": "−", "*": "∗", "'": "′"},
}
KINDS = {
    "bin": "+−∗⋅×±⋆",
    "rel": "=<>≤≥≠≈∝∈⊆→←↦⇒⟺∣:",
    "open": "([{⟨⌈",
    "close": ")]}⟩⌉!",
    "punct": ",;",
    "inner": "…⋯",
}
KIND_OF = {
    **{sign: kind for kind, signs in KINDS.items() for sign in signs},
    **{"lVert": "open", "lvert": "open", "rVert": "close", "rvert": "close"},
}
# Space after (row) and before (column) a kind: none, thin, medium or thick;
# among indices the digits are none, too.
ORDER = ["ord", "op", "bin", "rel", "open", "close", "punct", "inner"]
BETWEEN = {
    **{"ord": "0t230001", "op": "tt030001", "bin": "22002002"},
    **{"rel": "33003003", "open": "00000000", "close": "0t230001"},
    **{"punct": "11011111", "inner": "1t231011"},
}
NONE_BEFORE = {None, "op", "bin", "rel", "open", "punct"}
NONE_AFTER = {None, "rel", "close", "punct"}
WIDTHS = {"0": 0, "t": 3 / 18, "1": 3 / 18, "2": 4 / 18, "3": 5 / 18}


class Box(NamedTuple):
    """How wide, how high above the line and how deep below it.

    A letter that leans leans over an index, not over what follows it.
    """

    width: float
    height: float
    depth: float
    lean: float = 0

    def times(self, scale):
        return Box(*(scale * length for length in self))


class Style(NamedTuple):
    """How deep among indices, and whether on a line of its own."""

    level: int
    display: bool = False

    @property
    def scale(self):
        return SCALES[min(self.level, 2)]

    @property
    def smaller(self):
        return Style(self.level + 1)


def fonts(script):
    """Name -> sign -> box, of the fonts in a script of MathJax's."""
    return {
        name: {
            chr(int(code)): Box(
                *(float(length or 0) for length in (width, high, deep, lean))
            )
            for code, high, deep, width, lean in SIGN.findall(signs)
        }
        for name, signs in FONT.findall(script)
    }


@cache
def sign_of(command):
    return SIGNS.get(command) or CONVERTER.latex_to_text(f"$\\{command}$")


def italic(sign):
    """The sloped form of a letter."""
    if sign == "h":
        return "ℎ"
    for first, last, sloped in ("AZ𝐴", "az𝑎", "αω𝛼"):
        if first <= sign <= last:
            return chr(ord(sloped) + ord(sign) - ord(first))
    return {"ϕ": "𝜙", "∂": "𝜕"}.get(sign, sign)


def beside(atoms, style):
    """A line of boxes, each with its kind, and TeX's space between them."""
    width = height = depth = 0.0
    last = None
    atoms = list(atoms)
    for k, (box, kind) in enumerate(atoms):
        if kind == "space":
            width += box.width
            continue
        if kind == "bin":
            after = next((b for _, b in atoms[k + 1 :] if b != "space"), None)
            if last in NONE_BEFORE or after in NONE_AFTER:  # a sign
                kind = "ord"
        if last:
            space = BETWEEN[last][ORDER.index(kind)]
            if space == "t" or not style.level:
                width += WIDTHS[space] * style.scale
        width += box.width + box.lean
        height, depth = max(height, box.height), max(depth, box.depth)
        last = kind
    return Box(width, height, depth)


def above(top, bottom, style):
    """A fraction."""
    large = style.display and not style.level
    gap = (3 if large else 1) * LINE * style.scale
    up = max(
        (0.677 if large else 0.394) * style.scale,
        AXIS * style.scale + gap + LINE / 2 + top.depth,
    )
    down = max(
        (0.686 if large else 0.345) * style.scale,
        gap + LINE / 2 + bottom.height - AXIS * style.scale,
    )
    return Box(
        max(top.width, bottom.width) + 0.44 * style.scale,
        up + top.height,
        down + bottom.depth,
    )


def indexed(box, low, high, scale):
    """A box with an index, a power or both."""
    height, depth = box.height, box.depth
    wide = 0.083 * scale
    if high:
        up = UP * scale
        if height > 0.76 * scale:  # no letter
            up = max(up, height - 0.386 * scale)
        height = max(height, up + high.height)
        wide = 0.05 * scale + box.lean
    if low:
        down = (0.247 if high else DOWN) * scale
        if depth > 0.26 * scale:
            down = max(down, depth + 0.05 * scale)
        depth = max(depth, down + low.depth)
    widths = [index.width + index.lean for index in (low, high) if index]
    return Box(box.width + wide + max(widths), height, depth)


def limited(box, low, high):
    """A sum with its limits below and above it."""
    width, height, depth, _ = box
    if low:
        depth += max(0.167, 0.6 - low.height) + low.height + low.depth + 0.1
        width = max(width, low.width)
    if high:
        height += max(0.111, 0.2 - high.depth) + high.height + high.depth + 0.1
        width = max(width, high.width)
    return Box(width, height, depth)


class Reader:
    """Reads a formula in the fonts of MathJax, one token after the other."""

    def __init__(self, tex, known):
        self.tokens = TOKEN.findall(tex)
        self.at = 0
        self.known = known

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else "}"

    def letters(self, text, font, style):
        """Signs beside each other, such as a number or a name."""
        if font == "doubled":
            font, text = "normal", text.replace("E", "ℝ")
        known = self.known[font]
        boxes = [
            known.get(sign) or self.known["normal"].get(sign, Box(0.6, 0.7, 0))
            for sign in text
        ]
        return Box(
            sum(box.width for box in boxes),
            max((box.height for box in boxes), default=0),
            max((box.depth for box in boxes), default=0),
            boxes[-1].lean if boxes else 0,
        ).times(style.scale)

    def words(self):
        """What stands in the braces after the name of a font."""
        if self.peek() != "{":
            return self.take().lstrip("\\")
        found, depth = [], 0
        while self.peek() is not None:
            token = self.take()
            depth += (token == "{") - (token == "}")
            if not depth:
                break
            found.append(token.lstrip("\\"))
        return "".join(found[1:])

    def argument(self, style):
        if self.peek() == "{":
            self.take()
            return self.line(style, "}")
        token = self.take()
        if token[0].isdigit() and token[1:]:  # \frac12 is a half
            self.at -= 1
            self.tokens[self.at] = token[1:]
            token = token[0]
        return self.atom(token, style)[0]

    def line(self, style, *ends):
        """All up to a token that ends it, which is taken as well."""
        atoms = []
        while self.peek() is not None:
            token = self.take()
            if token in ends:
                break
            atoms.append(self.with_indices(token, style))
        return beside(atoms, style)

    def with_indices(self, token, style):
        box, kind = self.atom(token, style)
        found = {}
        while self.peek() in ("_", "^", "'"):
            mark = self.take()
            if mark == "'":
                primes = "′"
                while self.peek() == "'":
                    primes += SIGNS[self.take()]
                found["^"] = self.letters(primes, "normal", style.smaller)
            else:
                found[mark] = self.argument(style.smaller)
        if not found:
            return box, kind
        low, high = found.get("_"), found.get("^")
        if style.display and token.lstrip("\\") in LIMITED | {"underbrace"}:
            return limited(box, low, high), kind
        return indexed(box, low, high, style.scale), kind

    def atom(self, token, style):
        """The box of a token, and its kind."""
        name = token.lstrip("\\")
        if token == "{":
            return self.line(style, "}"), "ord"
        if not token.startswith("\\"):
            return self.plain(SIGNS.get(name, name), style)
        if name in SPACES:
            return Box(SPACES[name] * style.scale, 0, 0), "space"
        if name.startswith("begin"):
            return self.rows(token.replace("begin", "end"), style), "ord"
        if name in ("frac", "tfrac", "dfrac"):
            if name != "frac":
                style = Style(style.level, name == "dfrac")
            inner = Style(0) if style.display else style.smaller
            return (
                above(self.argument(inner), self.argument(inner), style),
                "ord",
            )
        if name == "sqrt":
            return self.root(self.argument(style), style), "ord"
        if name in FONTS:
            box = self.letters(self.words(), FONTS[name], style)
            return box, "op" if name == "operatorname" else "ord"
        if name in ACCENTS:
            box = self.argument(style)
            return box._replace(height=box.height + 0.2 * style.scale), "ord"
        if name[:-1] in BRACKETS or name in BRACKETS:
            kind = {"l": "open", "r": "close"}.get(name[-1], "ord")
            sign = self.take()
            if sign.startswith("\\"):
                sign = sign_of(sign[1:])
            return self.letters(sign, BRACKETS[name[:3]], style), kind
        if name in ("left", "right"):
            self.take()
            return Box(0.458, 0.85, 0.35), "ord"
        if name in ("sum", "prod"):
            font = "largeop" if style.display else "smallop"
            return self.letters(sign_of(name), font, style), "op"
        if name in NAMES | LIMITED:
            return self.letters(name, "normal", style), "op"
        box, kind = self.plain(sign_of(name), style)
        return box, KIND_OF.get(name, kind)

    def plain(self, sign, style):
        sign = "".join(italic(letter) for letter in sign)
        box = self.letters(sign.replace("{,}", ","), "normal", style)
        return box, KIND_OF.get(sign, "ord")

    def root(self, box, style):
        clear = LINE * (2.75 if style.display else 1.25) * style.scale
        need = box.height + box.depth + clear
        size = next((n for n in (1, 1.2, 1.8, 2.4) if n >= need), 3)
        surd = 0.853 if size == 1 else 1.02
        clear += max(0, size - need) / 2 * style.scale
        return Box(
            box.width + surd * style.scale,
            box.height + clear + LINE * style.scale,
            max(box.depth, size * style.scale - box.height - clear),
        )

    def rows(self, end, style):
        """An environment: its rows below each other, about the axis."""
        within = Style(0, style.display and "cases" not in end)
        rows, last = [[]], "&"
        while last != end and self.peek() is not None:
            if last != "&":
                rows.append([])
            rows[-1].append(self.line(within, "&", r"\\", end))
            last = self.tokens[min(self.at, len(self.tokens)) - 1]
        total = sum(
            max(0.7, *(box.height for box in row), 0)
            + max(0.3, *(box.depth for box in row), 0)
            for row in rows
        )
        total += 0.3 * (len(rows) - 1)
        wide = max(sum(box.width for box in row) for row in rows)
        return Box(wide, total / 2 + AXIS, total / 2 - AXIS)


def size(tex, known, display=False):
    """The box of a formula, given the fonts."""
    return Reader(tex, known).line(Style(0, display))


def keep_room(app, error):
    """Say in each page how large its formulas will be."""
    if error:
        return
    out = Path(app.outdir)
    known = fonts((out / "_static" / FONT_SCRIPT).read_text("utf-8"))

    @cache
    def style(tex, display):
        box = size(html.unescape(tex), known, display)
        width, height, depth = (
            f"{length / EX:.2f}ex"
            for length in (box.width, box.height + box.depth, -box.depth)
        )
        return f"--w:{width};--h:{height};--d:{depth}"

    def sized(match):
        room = style(match["tex"], match["bracket"] == "[")
        return f'{match["start"]} style="{room}"{match["rest"]}'

    for path in out.rglob("*.html"):
        old = path.read_text("utf-8")
        text = FORMULA.sub(sized, old)
        if text != old:
            path.write_text(text, "utf-8")


def setup(app):
    app.connect("build-finished", keep_room)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
