"""What all live figures share on the Python side.

A live figure is a class here and a script of the same name beside it:

* `NAME.py` holds a subclass of `LiveFigure`: its controls, its readouts, its
  charts in Altair, and `draw`, which computes what they show.
* `NAME.js` computes the same in the reader's browser; the comment at the top
  of `toolkit.js` says how.

In a built page the script runs; in live Jupyter the controls are ipywidgets
and moving one calls `draw`. Without scripts, and in print, a picture stands
in, made from the same charts.
"""

import functools
import html
import json
import re
from dataclasses import asdict, dataclass, field
from typing import Any

import altair as alt
import ipywidgets as widgets
import vl_convert

from pegasos_edu.live.toolkit import numbers
from pegasos_edu.live.toolkit.own_solver import CannotDraw
from pegasos_edu.live.toolkit.shades import colour, with_css_variables

# What grows with the text of a chart, in its specification.
TEXT_SIZE = re.compile(
    r'("(?:fontSize|labelFontSize|titleFontSize|minExtent|maxExtent)": )'
    r"([\d.]+)"
)
# The size of one panel of the picture, in CSS pixels.
WIDTH, HEIGHT = 330, 275


@dataclass(frozen=True)
class Control:
    """A slider over a list of values, or a menu of choices.

    Attributes
    ----------
    key : str
        The name of the value in the state, in the URL hash and in `draw`.
    label : str
        What the reader sees.
    values : sequence of float or int
        The positions of the slider, rising; or the choices of the menu.
    start : float or int
        Where it stands at first: the value nearest to this.
    names : sequence of str
        For a menu: what the reader sees for each value.
    plays : bool or None
        Whether a button moves the slider by itself. None is True for the
        number of steps, T.
    spoken : str
        What is said in place of a short label to those who do not see it.
    """

    key: str
    label: str
    values: tuple
    start: float
    names: tuple = ()
    plays: bool | None = None
    spoken: str = ""

    def nearest(self, value):
        """The value of the control that is nearest to `value`."""
        # To a huge number all values are equally near: cut it first.
        value = min(max(value, min(self.values)), max(self.values))
        return min(self.values, key=lambda v: abs(v - value))

    def name(self, value):
        """What the reader sees for a value."""
        if self.names:
            return self.names[self.values.index(value)]
        return numbers.plain(value)


def regularisation(values, start):
    """The slider of λ, whose label is short enough for a phone.

    Examples
    --------
    >>> regularisation((0.1, 1.0), 0.1).label
    'λ'
    """
    return Control("lam", "λ", values, start, spoken="Regularisation λ")


@dataclass(frozen=True)
class Preset:
    """A state worth a look.

    Attributes
    ----------
    label : str
        What one will see, in plain words.
    state : dict
        Values of controls; the controls that are not named stay.
    """

    label: str
    state: dict


@dataclass(frozen=True)
class Readout:
    """One number; `kind` is "number", "percent" or "count"."""

    key: str
    label: str
    kind: str = "number"

    def text(self, value):
        """The number as the reader sees it, to four digits."""
        return numbers.text(value, self.kind)


@dataclass(frozen=True)
class Reading:
    """What a pointer over a panel reads: the curves of a data set.

    Attributes
    ----------
    rows : str
        The name of the data set.
    x, y : str
        The fields of its rows.
    name : str
        The field with the name of the curve; "" for a single curve.
    label : str
        What the reader calls x.
    factor : str
        What the curves were multiplied by, as it stands before their names.
    """

    rows: str
    x: str
    y: str
    name: str
    label: str
    factor: str = ""


@dataclass(frozen=True)
class Panel:
    """One chart of a figure.

    Attributes
    ----------
    label : str
        Its name.
    alt : str
        What one sees in its picture, in a sentence or two.
    chart : altair.Chart or None
        The chart; `draw` gives the rows of each `data_set` in it. None in a
        figure that makes its pictures without charts.
    by_hand : bool
        Whether the script draws this panel itself. The chart then makes
        the picture only.
    reading : Reading or None
        The curves whose values a pointer reads.
    equal : bool
        Whether a unit is as long along x as along y.
    """

    label: str
    alt: str
    chart: Any  # an Altair chart
    by_hand: bool = False
    reading: Reading | None = None
    equal: bool = False


@dataclass(frozen=True)
class Drawing:
    """What one state of a figure shows.

    Attributes
    ----------
    rows : dict
        For each data set of the charts its rows, a list of dicts.
    readouts : dict
        For each readout its number.
    summary : str
        The same in a sentence, for those who do not see the figure.
    """

    rows: dict = field(default_factory=dict)
    readouts: dict = field(default_factory=dict)
    summary: str = ""


class LiveFigure:
    """A figure whose controls recompute it.

    A subclass sets the attributes and writes `panels`, `draw` and, if its
    script needs data, `data`.

    Attributes
    ----------
    name : str
        The name under which the script registers itself.
    title : str
        What it shows, in a few words.
    controls : sequence of Control
    readouts : sequence of Readout
    presets : sequence of Preset
        States that a button shows.
    in_browser : bool
        Whether the script can compute it; if not, a page shows the picture.
    needs : sequence of str
        Scripts of the toolkit that it uses beside `toolkit` and `numbers`.
    """

    name: str
    title: str
    controls: tuple = ()
    readouts: tuple = ()
    presets: tuple = ()
    in_browser = True
    needs: tuple = ()

    def panels(self) -> list:
        """The charts: one `Panel` each, side by side or stacked."""
        raise NotImplementedError

    def draw(self, **state) -> Drawing:
        """Compute the figure for one value of each control."""
        raise NotImplementedError

    def data(self) -> dict:
        """What the script needs: numbers, lists and strings."""
        return {}

    @property
    def start(self):
        """The state the figure starts in."""
        return {c.key: c.nearest(c.start) for c in self.controls}

    @functools.cached_property
    def _panels(self):
        """Each panel with its specification."""
        return [
            (panel, _specification(panel.chart)) for panel in self.panels()
        ]

    def pictures(self, drawing):
        """An SVG of each panel for one drawing."""
        return [
            _tidy(vl_convert.vegalite_to_svg(_with_rows(spec, drawing.rows)))
            for _, spec in self._panels
        ]

    def images(self):
        """Pairs of a picture and its text, for paper and without scripts."""
        pictures = self.pictures(self.draw(**self.start))
        return [
            (svg, panel.alt) for (panel, _), svg in zip(self._panels, pictures)
        ]

    def page(self):
        """The figure for a page: pictures, and all the script needs."""
        try:
            images = [_image(svg, alt) for svg, alt in self.images()]
        except CannotDraw as error:
            return _message(error)
        return (
            f"{self._opening_tag()}"
            f'<div class="pegasos-pictures">{"".join(images)}</div></div>'
        )

    def _opening_tag(self):
        if not self.in_browser:
            return '<div class="pegasos-live">'
        text = json.dumps(
            self.config(),
            ensure_ascii=False,
            separators=(",", ":"),
            allow_nan=False,
        )
        text = html.escape(text, quote=False).replace("'", "&#39;")
        return f"<div class=\"pegasos-live\" data-pegasos='{text}'>"

    def config(self):
        """What the script reads from the page."""
        return {
            "name": self.name,
            "title": self.title,
            "controls": [
                {
                    **asdict(c),
                    "start": c.nearest(c.start),
                    "plays": c.key == "T" if c.plays is None else c.plays,
                }
                for c in self.controls
            ],
            "presets": [asdict(preset) for preset in self.presets],
            "readouts": [asdict(readout) for readout in self.readouts],
            "panels": [
                {
                    "label": panel.label,
                    "spec": None if panel.by_hand else _page_spec(spec),
                    "reading": panel.reading and asdict(panel.reading),
                    "equal": panel.equal,
                }
                for panel, spec in self._panels
            ],
            "data": self.data(),
            "needs": [*self.needs, *self._reads()],
        }

    def _reads(self):
        """The script that reads curves, if a panel asks for it."""
        read = any(panel.reading for panel, _ in self._panels)
        return ["reading"] if read else []

    def widget(self):
        """The figure for live Jupyter: its sliders run `draw`."""
        return FigureWidget(self)

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle = self.widget()._repr_mimebundle_()
        bundle["text/html"] = self.page()
        # The widget's own text holds a random number.
        bundle["text/plain"] = f"<{self.name} figure: {self.title}>"
        return bundle


class FigureWidget(widgets.VBox):
    """A live figure in Jupyter.

    Attributes
    ----------
    sliders : dict
        The ipywidgets control of each key.
    picture : ipywidgets.HTML
        The figure, or the message in its place.
    numbers : ipywidgets.HTML
        The readouts.
    tries : list of ipywidgets.Button
        A button for each preset.
    drawing : Drawing or None
        What is shown; None when a message is.
    """

    def __init__(self, figure):
        self.figure = figure
        self.drawing = None
        self.sliders = {c.key: _slider(c) for c in figure.controls}
        self.picture = widgets.HTML()
        self.numbers = widgets.HTML()
        self.tries = [self._button(preset) for preset in figure.presets]
        super().__init__(
            [
                _row(self.sliders.values()),
                self.picture,
                self.numbers,
                _row(self.tries),
            ]
        )
        for slider in self.sliders.values():
            slider.observe(self._redraw, names="value")
        self._redraw()

    def _button(self, preset):
        """A button that moves the sliders to the state of a preset."""
        button = widgets.Button(
            description=preset.label, layout=widgets.Layout(width="auto")
        )
        button.on_click(lambda _: self._choose(preset.state))
        return button

    def _choose(self, state):
        """Move the sliders, and redraw once for all of them."""
        sliders = self.sliders.values()
        for slider in sliders:
            slider.unobserve(self._redraw, names="value")
        for key, value in state.items():
            self.sliders[key].value = value
        for slider in sliders:
            slider.observe(self._redraw, names="value")
        self._redraw()

    def _redraw(self, change=None):
        state = {key: s.value for key, s in self.sliders.items()}
        try:
            self.drawing = self.figure.draw(**state)
        except CannotDraw as error:
            self.drawing = None
            self.picture.value = _message(error)
            self.numbers.value = ""
        else:
            pictures = self.figure.pictures(self.drawing)
            self.picture.value = _white_card(pictures, self.drawing.summary)
            self.numbers.value = _table(self.figure.readouts, self.drawing)


def data_set(name):
    """A data set for a chart, whose rows `draw` and the script provide."""
    return alt.InlineData(values=[], name=name)


def styled(chart):
    """Give a chart the colours and proportions of the book."""
    text, muted, grid = colour("text"), colour("muted"), colour("grid")
    return (
        chart.configure(background="transparent", aria=False, padding=4)
        .configure_mark(
            aria=False  # the panel around them has a name; the parts need none
        )
        .configure_axis(
            domainColor=muted,
            gridColor=grid,
            tickColor=muted,
            labelColor=text,
            labelFontSize=12,
            titleColor=text,
            titleFontSize=13,
            titleFontWeight="normal",
        )
        .configure_view(stroke=None)
        .configure_legend(
            labelColor=text,
            labelFontSize=12,
            labelLimit=260,
            title=None,
            titleColor=text,
        )
    )


def _specification(chart):
    """A styled chart as a Vega-Lite specification; None without one."""
    if chart is None:
        return None
    chart = chart.properties(width=WIDTH, height=HEIGHT)
    spec = styled(chart).to_dict()
    spec["params"] = [
        *spec.get("params", []),
        {"name": "textScale", "value": 1},
    ]
    # Two legends side by side would be cut on a phone. Altair knows no such
    # option, Vega does.
    spec["config"]["legend"]["layout"] = {
        "top": {"direction": "vertical", "margin": 2, "anchor": "start"}
    }
    return spec


def _with_rows(part, rows):
    """A copy of a specification with the rows of its data sets put in."""
    if isinstance(part, list):
        return [_with_rows(item, rows) for item in part]
    if not isinstance(part, dict):
        return part
    if part.get("name") in rows and "values" in part:
        return {**part, "values": rows[part["name"]]}
    return {key: _with_rows(item, rows) for key, item in part.items()}


def _page_spec(spec):
    """A specification for a page: as large as its box, CSS colours.

    Its text grows with the signal `textScale`, and the room that is kept
    for the labels of an axis with it.
    """
    text = with_css_variables(json.dumps(spec, ensure_ascii=False))
    spec = json.loads(TEXT_SIZE.sub(r'\1{"expr": "\2*textScale"}', text))
    # The lines of a legend would stay where they are.
    spec["config"]["legend"]["rowPadding"] = {"expr": "14*textScale - 12"}
    spec.update(
        width=WIDTH,  # until the script has measured the box
        height=HEIGHT,
        autosize={"type": "fit", "contains": "padding"},
    )
    return spec


def _row(parts):
    """Widgets side by side, in as many lines as they need."""
    layout = widgets.Layout(flex_flow="row wrap")
    return widgets.HBox(list(parts), layout=layout)


def _slider(control):
    """The ipywidgets twin of a control."""
    options = [(control.name(v), v) for v in control.values]
    kind = widgets.Dropdown if control.names else widgets.SelectionSlider
    return kind(
        description=control.label,
        options=options,
        value=control.nearest(control.start),
        style={"description_width": "initial"},
        layout=widgets.Layout(width="20em"),
    )


def _image(svg, alt):
    return (
        f'<img alt="{html.escape(alt)}" '
        f'src="data:image/svg+xml,{_quoted(svg)}">'
    )


def _white_card(pictures, summary):
    """Pictures on white, legible in a dark JupyterLab too."""
    images = "".join(_image(svg, "") for svg in pictures)
    return (
        f'<div role="img" aria-label="{html.escape(summary)}" '
        f'style="background:#fff;display:flex;flex-wrap:wrap;gap:1em">'
        f"{images}</div>"
    )


def _table(readouts, drawing):
    """The readouts as a row of labelled numbers."""
    cells = [
        f"<span style='margin-right:1.5em'>{html.escape(readout.label)} "
        f"<b>{readout.text(drawing.readouts[readout.key])}</b></span>"
        for readout in readouts
    ]
    return f'<div aria-live="polite">{"".join(cells)}</div>'


def _message(error):
    """What the reader sees instead of the figure."""
    return (
        '<div role="alert" class="pegasos-message" style="border-left:4px '
        f'solid {colour("orange")};padding:0.5em 1em;white-space:pre-wrap">'
        f"{html.escape(str(error))}</div>"
    )


def _tidy(svg):
    """The same SVG for the same figure, and a smaller one.

    Clip paths are numbered anew, as vl_convert counts all it ever made, and
    coordinates are rounded to a tenth of a pixel.
    """
    numbers = dict.fromkeys(re.findall(r'id="clip(\d+)"', svg))
    for new, old in enumerate(numbers):
        svg = re.sub(rf"\bclip{old}\b", f"clip-{new}", svg)
    return re.sub(
        r"-?\d+\.\d{3,}", lambda found: f"{float(found[0]):.1f}", svg
    )


def _quoted(svg):
    """An SVG as the text of a data URL in a double-quoted attribute."""
    escapes = {
        "%": "%25",
        "#": "%23",
        '"': "'",
        "'": "%26apos;",
        "<": "%3C",
        ">": "%3E",
        "&": "%26",
        "\n": " ",
    }
    return svg.translate(str.maketrans(escapes))
