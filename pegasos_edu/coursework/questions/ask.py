"""What to ask a student who has made a mistake.

The check tells students what they did. An assistant asks back, so that they
find out by themselves: each question is about one number or one line that a
student can look at on the spot. So the mistake must show in what is asked
for: a number by which it differs, or the line that it stands in.
"""

from pegasos_edu.coursework.diagnosis.by_task import closest
from pegasos_edu.coursework.questions.exhibits import QUESTIONS
from pegasos_edu.coursework.questions.kinds import OF_A_KIND, OWN
from pegasos_edu.coursework.questions.places import BY_PLACE


def ask(task, kind, name):
    """What to ask about a mistake that is no exhibit of this task.

    The closest there is: what stands under the name at the task or at its
    assignment, under the name alone, at the exhibit of that name in another
    task, and in the same way under the kind.

    Parameters
    ----------
    task, kind, name : str
        The kind is one of `names_by_kind`.

    Returns
    -------
    str

    Examples
    --------
    >>> ask("A1.pegasos", "data", "columns-rescaled")
    'Is the X in your loop the X that was handed in? Print X[0].'
    >>> ask("A1.pegasos", "form", "returns-nothing")
    'What is the last line of your function, and what does it return?'
    """
    words = closest(task, BY_PLACE, OWN, QUESTIONS, OF_A_KIND)
    question = words.get(name, kind)
    return question if "?" in question else words[question]
