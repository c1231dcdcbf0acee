"""What the notebooks need to show the package's own source."""

import ast
import inspect
import textwrap
from typing import Any

from IPython.display import Markdown


def show_source(
    thing: Any,
    docstring: bool = False,
    decorators: bool = True,
    where: bool = True,
) -> Markdown:
    """Show the source of a function, class or module as it stands.

    Parameters
    ----------
    thing : function, class or module
    docstring : bool
        Whether to keep the docstring.
    decorators : bool
        Whether to keep what stands above the `def`.
    where : bool
        Whether to say first in which module it stands.

    Returns
    -------
    IPython.display.Markdown
        The name of the module if asked for, and a Python code block.

    Examples
    --------
    >>> from pegasos_edu.problem.losses import hinge
    >>> print(show_source(hinge).data)
    In `pegasos_edu.problem.losses`:
    <BLANKLINE>
    ```python
    def hinge(margin):
        return np.maximum(0.0, 1.0 - margin)
    ```
    """
    source = textwrap.dedent(inspect.getsource(thing))
    if not decorators:
        first = ast.parse(source).body[0].lineno
        source = "\n".join(source.splitlines()[first - 1 :])
    if not docstring:
        source = _without_docstring(source)
    block = f"```python\n{source.rstrip()}\n```"
    if not where:
        return Markdown(block)
    module = thing.__name__ if inspect.ismodule(thing) else thing.__module__
    return Markdown(f"In `{module}`:\n\n{block}")


def _without_docstring(source):
    tree = ast.parse(source)
    is_module = ast.get_docstring(tree) is not None
    node = tree if is_module else tree.body[0]
    if ast.get_docstring(node) is None:
        return source
    text = node.body[0]
    lines = source.splitlines()
    return "\n".join(lines[: text.lineno - 1] + lines[text.end_lineno :])
