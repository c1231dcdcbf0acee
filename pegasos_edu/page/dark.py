"""Each figure of a cell a second time, in the colours of a dark page.

The figure is drawn once more by a renderer that exchanges colours on their
way to the paper; the figure itself is not touched. The second picture goes
with the first, in the metadata of the output, and the book's build lays it
beside the first.
"""

import base64
import colorsys
import io

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.colors import to_hex, to_rgb, to_rgba
from matplotlib.figure import Figure

from pegasos_edu.page.palette import DARK, DARK_PAPER, PALETTE

MIME = "image/png"
# Under these names the metadata of a picture hold the dark one, and what one
# sees, where a cell shows several and the figure has a label.
KEY, ALT = "dark", "alt"
_NAMED = {PALETTE[name].lower(): DARK[name] for name in PALETTE}


def on_dark(colour):
    """The colour that takes the place of another on a dark page.

    The palette has its own dark shades. Greys, with black and white, are
    laid between the ink and the paper of a dark page; of any other colour
    the lightness is mirrored.

    Parameters
    ----------
    colour : any colour that matplotlib knows

    Returns
    -------
    tuple of four floats
        Red, green, blue and opacity, each from 0 to 1.

    Examples
    --------
    >>> from matplotlib.colors import to_hex
    >>> to_hex(on_dark("white")), to_hex(on_dark("black"))
    ('#121212', '#e3e6ea')
    """
    *rgb, opacity = to_rgba(colour)
    if to_hex(rgb) in _NAMED:
        return to_rgba(_NAMED[to_hex(rgb)], opacity)
    if max(rgb) - min(rgb) < 0.01:
        ink, paper = np.array(to_rgb(DARK["black"])), to_rgb(DARK_PAPER)
        return (*(ink + rgb[0] * (paper - ink)).tolist(), opacity)
    hue, lightness, saturation = colorsys.rgb_to_hls(*rgb)
    mirrored = min(max(1.05 - lightness, 0.45), 0.85)
    return (*colorsys.hls_to_rgb(hue, mirrored, saturation), opacity)


def _all_on_dark(colours):
    return np.array([on_dark(colour) for colour in colours]).reshape(-1, 4)


class _Context(GraphicsContextBase):
    def set_foreground(self, fg, isRGBA=False):
        # Whoever sets the opacity sets the colour that is there again.
        if fg is not self._rgb:
            fg = on_dark(fg)
        super().set_foreground(fg, isRGBA=True)


class _Renderer(RendererAgg):
    """Draws what it is told, in other colours."""

    def new_gc(self):
        return _Context()

    def draw_path(self, gc, path, transform, rgbFace=None):
        face = None if rgbFace is None else on_dark(rgbFace)
        super().draw_path(gc, path, transform, face)

    # The next two are compiled code that the parent keeps in itself.
    def _update_methods(self):
        super()._update_methods()
        markers, collection = self.draw_markers, self.draw_path_collection

        def draw_markers(gc, mark, turned, path, transform, rgbFace=None):
            face = None if rgbFace is None else on_dark(rgbFace)
            markers(gc, mark, turned, path, transform, face)

        def draw_path_collection(*arguments, **keywords):
            *before, faces, edges = arguments[:8]
            colours = _all_on_dark(faces), _all_on_dark(edges)
            collection(*before, *colours, *arguments[8:], **keywords)

        self.draw_markers = draw_markers
        self.draw_path_collection = draw_path_collection


class _Canvas(FigureCanvasAgg):
    def get_renderer(self):
        width, height = self.figure.bbox.size
        key = width, height, self.figure.dpi
        if getattr(self, "_key", None) != key:
            self.renderer, self._key = _Renderer(*key), key
        return self.renderer


def dark_png(figure: Figure) -> bytes:
    """The picture of a figure for a dark page.

    Parameters
    ----------
    figure : matplotlib Figure
        It stays as it is.

    Returns
    -------
    bytes
        A PNG file.

    Examples
    --------
    >>> figure = Figure()
    >>> dark_png(figure)[1:4]
    b'PNG'
    """
    before, file = figure.canvas, io.BytesIO()
    try:
        canvas = _Canvas(figure)
        # As Jupyter draws the light one, or the two would differ in size.
        canvas.print_figure(file, format="png", bbox_inches="tight")
    finally:
        figure.set_canvas(before)
    return file.getvalue()


def with_dark(figure):
    """What a notebook keeps beside the picture of a figure."""
    dark = base64.b64encode(dark_png(figure)).decode("ascii")
    said = {ALT: figure.get_label()} if figure.get_label() else {}
    return {}, {MIME: {KEY: dark, **said}}


def show_dark_too():
    """Let the notebook that runs this keep both pictures of a figure.

    Outside a notebook it does nothing.

    Examples
    --------
    >>> show_dark_too()
    """
    from IPython import get_ipython

    shell = get_ipython()
    if shell is not None:
        formatter = shell.display_formatter.mimebundle_formatter
        formatter.for_type(Figure, with_dark)
