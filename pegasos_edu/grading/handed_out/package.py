"""What an assignment tells its reader to install.

A student may have one notebook and pip, and nothing else. The first cell of
each assignment then says what to do. `PACKAGE` is the one place that says
where the package is; `python tasks.py release` writes it into the notebooks.
"""

from importlib.metadata import version

from nbgrader.preprocessors import NbGraderPreprocessor

# What pip is told to install. There is no public address yet, so it is the
# file that `python tasks.py wheel` makes and a lecturer hands out. Put an
# address here once there is one, such as "https://example.org/pegasos.whl".
PACKAGE = f"pegasos_edu-{version('pegasos-edu')}-py3-none-any.whl"
# Stands in the solution notebooks where the advice goes.
MARK = "HOW TO INSTALL"
FILE = """\
There is no public address for it yet. Your lecturer hands it out as a file,
`{package}`. Put the file beside this notebook;
in Colab, upload it under "Files" at the left edge."""
ADDRESS = """\
It is at {package}."""
COMMANDS = """\
Run this line in a terminal, in the folder of this notebook:

```
python -m pip install jupyterlab {quoted}
```

Without a terminal, as in Colab, run this in a cell above the next one, and
restart the kernel:

```
%pip install {quoted}
```"""


def how_to_install(package):
    """The advice for a package that is a file, or is at an address.

    Parameters
    ----------
    package : str
        A wheel's name, or an address or a name that pip takes.

    Returns
    -------
    str
        Markdown.

    Examples
    --------
    >>> how_to_install("https://example.org/p.whl").splitlines()[0]
    'It is at https://example.org/p.whl.'
    >>> "Put the file beside" in how_to_install("p-1.0-py3-none-any.whl")
    True
    """
    is_file = package.endswith(".whl") and "/" not in package
    # Quoted, as "name @ address" has blanks.
    quoted = f'"{package}"' if " " in package else package
    where = (FILE if is_file else ADDRESS).format(package=package)
    return f"{where}\n{COMMANDS.format(quoted=quoted)}"


class SayWhatToInstall(NbGraderPreprocessor):
    """Put the advice into the students' version."""

    def preprocess_cell(self, cell, resources, index):
        if cell.cell_type == "markdown" and MARK in cell.source:
            cell.source = cell.source.replace(MARK, how_to_install(PACKAGE))
        return cell, resources
