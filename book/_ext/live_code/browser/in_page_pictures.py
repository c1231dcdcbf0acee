"""What matplotlib draws with in a page: pictures that go to the page."""

import base64
import io

import matplotlib.pyplot as plt
from in_page import show_pictures
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas

__all__ = ["FigureCanvas", "show"]


def show(*arguments, **keywords):
    """Show all open figures, and close them, as notebooks do."""
    # Imported here: the book's own style comes with it.
    from pegasos_edu.page.dark import dark_png

    for number in plt.get_fignums():
        figure = plt.figure(number)
        file = io.BytesIO()
        figure.savefig(file, format="png", bbox_inches="tight")
        show_pictures(
            {
                name: base64.b64encode(picture).decode()
                for name, picture in (
                    ("light", file.getvalue()),
                    ("dark", dark_png(figure)),
                )
            }
        )
    plt.close("all")
