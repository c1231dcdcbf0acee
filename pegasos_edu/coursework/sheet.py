"""The assistants' sheet: each mistake with what to ask about it.

The mistakes of the bug zoo stand under their task. Of those that are found by
measuring, what many tasks share is printed once, and under a task only what
stands there and nowhere else.
"""

from functools import cache

from pegasos_edu.coursework.diagnosis.hints import hint
from pegasos_edu.coursework.diagnosis.names import names_by_kind
from pegasos_edu.coursework.questions.ask import ask
from pegasos_edu.coursework.questions.exhibits import QUESTIONS
from pegasos_edu.coursework.questions.places import ANSWERS, OF_A_TASK
from pegasos_edu.coursework.replies import REPLIES
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.zoo import ZOO

ANY, SOLVERS = "any task", "every solver"
# Whoever projects or averages writes a solver as well.
SOLVE = (
    "A1.pegasos",
    "A1.projected",
    "A2.pegasos",
    "A3.pegasos",
    "A3.average",
    "A3.projected",
)


def others(task):
    """The mistakes of a task that are no exhibits of the zoo.

    Parameters
    ----------
    task : str

    Returns
    -------
    list of (str, list of (str, str))
        What to ask, and the names with their hints about which to ask it.

    Raises
    ------
    ValueError
        If there is no such task.

    Examples
    --------
    >>> question, mistakes = others("A1.step_size")[0]
    >>> mistakes[0][0]
    'arguments-exchanged'
    """
    expect(task)
    return by_question(found_by_measuring(task))


def expect(task):
    if task not in TASKS:
        raise ValueError(
            f"task is {task!r}; expected one of {', '.join(TASKS)}."
        )


@cache
def found_by_measuring(task):
    """Triples of name, hint and question, each once, in the order of kinds."""
    return tuple(
        dict.fromkeys(
            (name, hint(task, name), ask(task, kind, name))
            for kind, names in names_by_kind(task).items()
            for name in names
        )
    )


def by_question(triples):
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, said, question in triples:
        groups.setdefault(question, []).append((name, said))
    return list(groups.items())


@cache
def in_common(where):
    """What several tasks share: triples as in `found_by_measuring`.

    Parameters
    ----------
    where : str
        `ANY`, what at least four tasks share that are no solvers, or
        `SOLVERS`, what else at least two solvers share.

    Returns
    -------
    tuple of (str, str, str)
    """
    elsewhere = [task for task in TASKS if task not in SOLVE]
    anywhere = stand_in(elsewhere, least=4)
    if where == ANY:
        return anywhere
    return tuple(
        each for each in stand_in(SOLVE, least=2) if each not in anywhere
    )


def stand_in(tasks, least):
    """The triples that stand in at least so many of these tasks."""
    all_of_them = [each for task in tasks for each in found_by_measuring(task)]
    return tuple(
        each
        for each in dict.fromkeys(all_of_them)
        if all_of_them.count(each) >= least
    )


def only_in(task):
    """The triples of a task that are not printed for several at once."""
    once = {*in_common(ANY), *in_common(SOLVERS)}
    return tuple(each for each in found_by_measuring(task) if each not in once)


def rows(task):
    """The mistakes of a task: what it looks like, what is said, what to ask.

    Parameters
    ----------
    task : str
        Such as "A1.pegasos".

    Returns
    -------
    list of (str, str, str, str)
        Of each exhibit its name, symptom, hint and question.

    Raises
    ------
    ValueError
        If there is no such task.

    Examples
    --------
    >>> name, symptom, hint, question = rows("A1.step_size")[1]
    >>> print(name, question, sep="\\n")
    step-without-lambda
    Halve λ: how should the step change, and how does yours?
    """
    expect(task)
    return [
        (one.name, one.symptom, one.hint, QUESTIONS[one.name])
        for one in ZOO
        if one.task == task
    ]


def sheet(task):
    """The mistakes of the zoo in a task, in Markdown for a phone as well.

    Parameters
    ----------
    task : str

    Returns
    -------
    str
        Empty if the zoo has none of this task.

    Examples
    --------
    >>> "- Ask: Halve λ: how should" in sheet("A1.step_size")
    True
    """
    return "\n\n".join(
        f"**{name}.** {symptom}\n\n- The check: {hint}\n- Ask: {question}\n"
        f"- Answer: {REPLIES[name]}"
        for name, symptom, hint, question in rows(task)
    )


def measured(place):
    """The mistakes found by measuring that are printed here, in Markdown.

    Parameters
    ----------
    place : str
        A task, `ANY` or `SOLVERS`.

    Returns
    -------
    str
        Empty if there is nothing that stands in this task alone.

    Raises
    ------
    ValueError
        If there is no such task.

    Examples
    --------
    >>> "- **returns-nothing**: " in measured(ANY)
    True
    >>> "**step-does-not-fall**" in measured("A1.step_size")
    True
    """
    if place in (ANY, SOLVERS):
        return as_lists(in_common(place))
    expect(place)
    told = as_lists(only_in(place))
    if place not in OF_A_TASK:
        return told
    own = f"Whatever the report says. {asked(OF_A_TASK[place])}"
    return "\n\n".join(filter(None, [own, told]))


def as_lists(triples):
    """A list under each question, and one of those with a question alone."""
    groups = by_question(map(told_apart(triples), triples))
    lists = [
        f"{asked(question)}\n\n"
        + "\n".join(f"- **{name}**: {said}" for name, said in sorted(each))
        for question, each in groups
        if len(each) > 1
    ]
    alone = sorted(
        f"- **{name}**: {said} {asked(question)}"
        for question, [(name, said), *more] in groups
        if not more
    )
    if alone:
        lists.append("\n".join(["Each with its own question:\n", *alone]))
    return "\n\n".join(lists)


def asked(question):
    """The question, with what is right in brackets if it is known."""
    right = f" ({ANSWERS[question]})" if question in ANSWERS else ""
    return f"Ask: *{question}*{right}"


def told_apart(triples):
    """Puts the tasks behind a name that stands in these triples twice.

    Its hint or its question is another in other tasks.
    """
    names = [name for name, *_ in triples]

    def marked(triple):
        name, said, question = triple
        if names.count(name) == 1:
            return triple
        tasks = [task for task in TASKS if triple in found_by_measuring(task)]
        return name, f"({', '.join(tasks)}) {said}", question

    return marked


def places():
    """Where each mistake stands on the sheet.

    Returns
    -------
    dict of str to list of str
        By name, in alphabetical order: tasks, `ANY` or `SOLVERS`.

    Examples
    --------
    >>> places()["returns-nothing"], places()["wrong-sign"]
    (['any task'], ['A1.step', 'A1.pegasos', 'every solver'])
    """
    found: dict[str, list[str]] = {}
    for task in TASKS:
        for name, *_ in [*rows(task), *only_in(task)]:
            found.setdefault(name, []).append(task)
    for where in (ANY, SOLVERS):
        for name, *_ in in_common(where):
            found.setdefault(name, []).append(where)
    return {
        name: list(dict.fromkeys(found[name]))
        for name in sorted(found, key=str.lower)
    }


def index():
    """All names with where they stand, by their first letters, in Markdown.

    Returns
    -------
    str

    Examples
    --------
    >>> index()[:36]
    '**a.** a-row-never-drawn (A1.visits)'
    """
    by_letter = {}
    for name, where in places().items():
        entry = f"{name} ({', '.join(where)})"
        by_letter.setdefault(name[0].lower(), []).append(entry)
    return "\n\n".join(
        f"**{letter}.** {'; '.join(entries)}"
        for letter, entries in by_letter.items()
    )
