"""Tables of numbers: a table in a page, columns in a terminal."""

from html import escape


class Table:
    """Rows under a header, for a page and for a terminal.

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

    def _repr_html_(self):
        kinds = [
            "words" if _holds_words(cells) else "numbers"
            for cells in zip(*self.rows)
        ] or ["words"] * len(self.header)
        lines = [
            _cells('th scope="row"', kinds[:1], cells[:1])
            + _cells("td", kinds[1:], cells[1:])
            for cells in self.rows
        ]
        head = _cells('th scope="col"', kinds, self.header)
        body = "\n".join(f"<tr>{line}</tr>" for line in lines)
        caption = self.caption and f"<caption>{escape(self.caption)}</caption>"
        note = self.note and f'<p class="note">{escape(self.note)}</p>'
        return (
            f'<div class="numbers-table"><table class="table">{caption}\n'
            f"<thead><tr>{head}</tr></thead>\n"
            f"<tbody>\n{body}\n</tbody></table>{note}</div>"
        )


def _holds_words(cells):
    """Words start at the left and wrap; numbers end at the right.

    A single "more" or "inf" among numbers makes no column of words.
    """
    words = sum(cell[:1].isalpha() for cell in cells)
    return 2 * words > len(cells)


def _cells(tag, kinds, texts):
    return "".join(
        f'<{tag} class="{kind}">{escape(text)}</{tag[:2]}>'
        for kind, text in zip(kinds, texts)
    )
