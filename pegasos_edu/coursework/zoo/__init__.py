"""The bug zoo, by assignment: real mistakes, each runnable, with a hint.

Most were found in public code or in students' work. A mistake is
recognised by its behaviour: an answer that gives the same values as an
exhibit, on every case of the task, has the exhibit's mistake, however it is
written.
"""

from pegasos_edu.coursework.zoo import a1, a2, a3, a4
from pegasos_edu.coursework.zoo.exhibit import (
    ZOO,
    behaves_like,
    like_an_exhibit,
)

__all__ = ["ZOO", "a1", "a2", "a3", "a4", "behaves_like", "like_an_exhibit"]
