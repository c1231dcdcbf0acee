"""Tables of numbers: a table in a page, columns in a terminal."""

from html import escape

# A phone has room for so many characters in a line, the space on both sides
# of a column counted as two.
PHONE = 42


class Table:
    """Rows under a header, as a page, a phone and a screen reader want them.

    A phone shows a narrow table as it is and each row of a wide one as a
    card, every cell with the name of its column.

    Parameters
    ----------
    *header : str
        The names of the columns; the first column names the rows.
    caption : str
        What the table shows; it stands above it.
    note : str
        What stands below: the command that recorded the numbers, say.

    Examples
    --------
    >>> table = Table("λ", "mean loss")
    >>> table.row("0.1", "0.50")
    >>> table.row("1", "0.75")
    >>> table
      λ  mean loss
    0.1       0.50
      1       0.75
    """

    def __init__(self, *header: str, caption: str = "", note: str = ""):
        self.header = header
        self.caption, self.note = caption, note
        self.rows: list[tuple[str, ...]] = []

    def row(self, *cells: str) -> None:
        """Add a row.

        Parameters
        ----------
        *cells : str
            One for each column, written as it shall be read.

        Raises
        ------
        TypeError
            If a cell is no text: how many digits say something is for the
            writer to choose.
        ValueError
            If there is not one cell for each column.

        Examples
        --------
        >>> Table("λ", "mean loss").row("0.1", f"{1 / 3:.2f}")
        """
        for cell in cells:
            if not isinstance(cell, str):
                raise TypeError(f"the cell {cell!r} is no text; expected str")
        if len(cells) != len(self.header):
            raise ValueError(
                f"the row {cells} has {len(cells)} cells; expected "
                f"{len(self.header)}, one for each of {self.header}"
            )
        self.rows.append(cells)

    def __repr__(self):
        columns = []
        for name, *cells in zip(self.header, *self.rows):
            width = max(map(len, [name, *cells]))
            pad = str.ljust if _holds_words(cells) else str.rjust
            columns.append([pad(cell, width) for cell in [name, *cells]])
        lines = ["  ".join(cells).rstrip() for cells in zip(*columns)]
        return "\n".join(filter(None, [self.caption, *lines, self.note]))

    # Where a row is shown as a card, browsers no longer take it for a row of
    # a table; the roles say that it still is one.
    def _repr_html_(self):
        kinds = [
            "words" if _holds_words(cells) else "numbers"
            for cells in zip(*self.rows)
        ] or ["words"] * len(self.header)
        head = "".join(
            f'<th role="columnheader" scope="col" class="{kind}">'
            f"{escape(name)}</th>"
            for name, kind in zip(self.header, kinds)
        )
        body = "\n".join(
            '<tr role="row">'
            + _cell("th", 'role="rowheader" scope="row"', *first)
            + "".join(_cell("td", 'role="cell"', *other) for other in others)
            + "</tr>"
            for cells in self.rows
            for first, *others in [zip(self.header, kinds, cells)]
        )
        caption = self.caption and f"<caption>{escape(self.caption)}</caption>"
        note = self.note and f'<p class="note">{escape(self.note)}</p>'
        wide = " wide" if self._is_wide() else ""
        return (
            f'<div class="numbers-table{wide}">'
            f'<table role="table" class="table">{caption}\n'
            f'<thead role="rowgroup"><tr role="row">{head}</tr></thead>\n'
            f'<tbody role="rowgroup">\n{body}\n</tbody></table>{note}</div>'
        )

    def _is_wide(self):
        """Whether a phone has no room for the columns side by side."""
        width = 0
        for name, *cells in zip(self.header, *self.rows):
            words = [*name.split(), *cells]
            if _holds_words(cells):
                words = [word for text in words for word in text.split()]
            width += max(map(len, words), default=0) + 2
        return width > PHONE


def _holds_words(cells):
    """Words start at the left and wrap; numbers end at the right."""
    return any(cell[:1].isalpha() for cell in cells)


def _cell(tag, role, name, kind, text):
    return (
        f'<{tag} {role} class="{kind}" data-label="{escape(name)}">'
        f"{escape(text)}</{tag}>"
    )
