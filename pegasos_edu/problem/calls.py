"""The sentence for a call whose arguments do not fit."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from pegasos_edu.problem import checks

Function = TypeVar("Function", bound=Callable[..., Any])


def checked_call(name: str) -> Callable[[Function], Function]:
    """Let a function refuse a wrong call in the words of the solvers.

    Parameters
    ----------
    name : str
        What its user calls it.

    Examples
    --------
    >>> @checked_call("half")
    ... def half(number):
    ...     return number / 2
    >>> half(number=3.0)
    1.5
    """

    def decorate(function):
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*arguments, **options):
            return function(**bind(name, signature, arguments, options))

        return call

    return decorate


def bind(name, signature, arguments, options):
    """All arguments of a call of `name`, or a sentence on what is wrong."""
    known = list(signature.parameters)
    for word in options:
        if word not in known:
            hint = checks.nearest(word, known)
            found = f"{name} has no argument {word!r}{hint}"
            checks.refuse(found, ", ".join(known), TypeError)
    try:
        given = signature.bind(*arguments, **options)
    except TypeError as error:
        missing = str(error).startswith("missing")
        expected = required(signature) if missing else places(signature)
        checks.refuse(f"{name}: {error}", expected, TypeError)
    given.apply_defaults()
    return given.arguments


def required(signature):
    """The arguments that have no default, in words."""
    return ", ".join(
        name
        for name, parameter in signature.parameters.items()
        if parameter.default is parameter.empty
    )


def places(signature):
    """All arguments, and which of them have no place but a name alone."""
    known = signature.parameters.items()
    named = [name for name, one in known if one.kind is one.KEYWORD_ONLY]
    placed = ", ".join(name for name, _ in known if name not in named)
    return f"{placed}, then by name: {', '.join(named)}" if named else placed
