"""The tasks, by assignment: what is asked, and a right answer."""

from pegasos_edu.coursework.task import TASKS
from pegasos_edu.coursework.tasks import (
    a1,
    a2,
    a3,
    a4,
    stretch,
    tournament,
)

__all__ = ["TASKS", "a1", "a2", "a3", "a4", "stretch", "tournament"]
