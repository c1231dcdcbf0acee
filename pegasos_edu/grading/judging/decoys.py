"""What a notebook is told of its variant, so that it cannot tell which."""

import secrets

from pegasos_edu.coursework.asked import (
    CHOICES,
    Variant,
    as_variant,
    numbered,
    seal,
)
from pegasos_edu.coursework.task import TASKS, taken


def decoy(variant):
    """Code that defines another variant of the same assignment.

    It differs in as much as it can, and from run to run.
    """
    true = as_variant(variant).asks()
    drawn = [
        numbered(
            assignment, secrets.randbelow(2**30), secrets.randbelow(2**30)
        )
        for assignment in assignments_that_ask(true)
        for _ in range(50)
    ]
    other = max(drawn, key=lambda one: how_different(one.asks(), true))
    return f"variant = coursework.variant({seal(other)!r})"


def assignments_that_ask(asked):
    """The assignments whose variants may ask this."""
    return [name for name, each in CHOICES.items() if set(asked) <= set(each)]


def how_different(asked, other):
    """In how many ways two variants differ."""
    names = set(asked) | set(other)
    return sum(asked.get(name) != other.get(name) for name in names)


def only_of_the_task(task, variant):
    """The code of a variant that asks what one task asks, and no more."""
    asked = taken(TASKS[task].reference, as_variant(variant).asks())
    return seal(Variant(seed=secrets.randbelow(2**30), **asked))
