"""Which answers are alike, whatever their names, comments and layout are.

    python tasks.py similar SUBMISSIONS [--solutions SOLUTIONS]

From the code of each answer comments and spaces are taken out, and names,
numbers and texts are all made the same; what a library calls its functions
stays. What is left is cut into runs of `SHINGLE` signs. Cells that were given
out do not count, nor do the lines an answer began with, nor what a good part
of the class wrote. A pair is reported if
the share of the shorter one's runs that the other has, too, is at least
`BOUND`, or if both are the same to the letter, however many wrote that. The
solution notebook is compared as well.

A report is no proof: to a narrow question there are few answers. It says
where to look.
"""

import argparse
import builtins
import copy
import io
import keyword
import sys
import tokenize
from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from pegasos_edu.grading.extra import needed
from pegasos_edu.grading.tables import say

with needed(__name__):
    from nbformat import NotebookNode
    from nbgrader.preprocessors import ClearSolutions

    from pegasos_edu.grading import broken_pipe, temporary
    from pegasos_edu.grading.handed_back.gradebooks import read_course
    from pegasos_edu.grading.judging.cells import without_hidden_tests
    from pegasos_edu.grading.judging.reading import Refused, read_notebook
    from pegasos_edu.grading.judging.restore import (
        give_marks_back,
        id_of,
        is_answer,
        text_of,
    )
    from pegasos_edu.grading.judging.sources import read_solution, sources_of
    from pegasos_edu.grading.release import ASSIGNMENTS
    from pegasos_edu.grading.running.course import configure
    from pegasos_edu.grading.taken_in.collect import find_submission
    from pegasos_edu.grading.taken_in.downloads import handed_in
    from pegasos_edu.grading.terms.roster import (
        BadRoster,
        add_options,
        read_roster,
    )
    from pegasos_edu.grading.terms.rules import BadRules

SHINGLE = 10  # signs in a run
BOUND = 0.6  # the share of runs from which on a pair is reported
LEAST = 30  # runs an answer must have to be compared
# What more than this share of a class wrote is how one writes it, not a copy;
# in a class of at least so many.
COMMON, CLASS = 0.25, 8
SOLUTION = "the solution"
LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
# From Python 3.12 on, the text in an f-string has a kind of its own.
FSTRING = getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)
KNOWN = {*keyword.kwlist, *dir(builtins)} - {"_"}


@dataclass(frozen=True)
class Sign:
    """What is left of a word of code, and the line it stands in."""

    text: str
    line: int


def signs(source):
    """The signs of some code, without comments, layout and names.

    Parameters
    ----------
    source : str
        It need not be whole: what cannot be read ends it.

    Returns
    -------
    list of Sign

    Examples
    --------
    >>> [sign.text for sign in signs("total = np.sum(x)  # add")]
    ['n', '=', 'n', '.', 'sum', '(', 'n', ')']
    """
    found, before = [], []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in LAYOUT:
                continue
            found.append(Sign(normal(token, before), token.start[0]))
            before.append(token.string)
    except (tokenize.TokenError, SyntaxError):
        pass
    return found


def normal(token, before):
    """What is left of a word of code.

    A name stays if it is Python's, or a library's: one behind a dot that is
    not behind `self`. Nobody can change those.
    """
    if token.type == tokenize.NUMBER:
        return "0"
    if token.type in (tokenize.STRING, FSTRING):
        return "s"
    if token.type != tokenize.NAME or token.string in KNOWN:
        return token.string
    behind_a_dot = before[-1:] == ["."] and before[-2:-1] != ["self"]
    return token.string if behind_a_dot else "n"


def runs(found):
    """The runs of `SHINGLE` signs, and where each begins.

    Parameters
    ----------
    found : list of Sign

    Returns
    -------
    list of tuple of str
    """
    texts = [sign.text for sign in found]
    return [
        tuple(texts[i : i + SHINGLE]) for i in range(len(texts) - SHINGLE + 1)
    ]


@dataclass(frozen=True)
class Work:
    """The answers of one student to one assignment.

    Attributes
    ----------
    student : str
    cells : list of str
        The code of each answer.
    runs : frozenset
        The runs of all of them, without those given out.
    """

    student: str
    cells: list
    runs: frozenset


def work_of(student, cells, given=frozenset()):
    """The work in some cells.

    Parameters
    ----------
    student : str
    cells : list of str
    given : set
        Runs that do not count.

    Returns
    -------
    Work
    """
    found = frozenset(run for cell in cells for run in runs(signs(cell)))
    return Work(student, cells, found - given)


def without_common(found):
    """Works without the runs that many of them have.

    Parameters
    ----------
    found : list of Work

    Returns
    -------
    list of Work
    """
    if len(found) < CLASS:
        return found
    often = Counter(run for work in found for run in work.runs)
    most = COMMON * len(found)
    common = {run for run, times in often.items() if times > most}
    return [replace(work, runs=work.runs - common) for work in found]


def share(one, other):
    """The share of the shorter one's runs that the other has, too.

    Parameters
    ----------
    one, other : Work

    Returns
    -------
    float
        From 0 to 1; 0 if one of them is too short to tell.
    """
    fewer = min(len(one.runs), len(other.runs))
    return len(one.runs & other.runs) / fewer if fewer >= LEAST else 0.0


def passages(one, other):
    """The lines of one that stand, but for names, in the other.

    Parameters
    ----------
    one, other : Work

    Returns
    -------
    list of str
        "…" stands where lines are left out between them.
    """
    shared, lines = one.runs & other.runs, []
    for cell in one.cells:
        found = signs(cell)
        marked = {
            sign.line
            for i, run in enumerate(runs(found))
            if run in shared
            for sign in found[i : i + SHINGLE]
        }
        text, before = cell.splitlines(), 0
        for number in sorted(marked):
            if lines and any(map(str.strip, text[before : number - 1])):
                lines.append("…")
            lines.append(text[number - 1])
            before = number
    return lines


# From the folder of submissions


def code_answers(cells, wanted):
    """The code in the cells that students were to change."""
    return [
        text_of(cell)
        for cell in cells
        if id_of(cell) in wanted and cell.get("cell_type") == "code"
    ]


def extra_code(cells, known):
    """The code in cells that a student added."""
    return [
        text_of(cell)
        for cell in cells
        if id_of(cell) not in known and cell.get("cell_type") == "code"
    ]


def works(everybody, solutions, assignment):
    """What was handed in for an assignment, and the solutions.

    Parameters
    ----------
    everybody : list of HandedIn
    solutions : path
    assignment : str

    Returns
    -------
    list of Work
    """
    found = []
    for one in everybody:
        submission = find_submission(one, assignment)
        if submission.path is None:
            continue
        solution = read_solution(
            sources_of(solutions, one.student), assignment
        )
        try:
            cells = read_notebook(submission.path).cells
        except Refused as refusal:
            say(f"{one.student}, {assignment}: {refusal}")
            continue
        give_marks_back(cells, solution, without_hidden_tests)
        wanted = {id_of(cell) for cell in solution if is_answer(cell)}
        given = given_out(solution, solutions)
        # Without a mark are also cells that the assignment has so.
        mine = [
            *code_answers(cells, wanted),
            *extra_code(cells, ids(solution)),
        ]
        found.append(work_of(one.student, mine, given))
    if found:
        solution = read_solution(solutions, assignment)
        wanted = {id_of(cell) for cell in solution if is_answer(cell)}
        found.append(
            work_of(
                SOLUTION,
                code_answers(solution, wanted),
                given_out(solution, solutions),
            )
        )
    return found


def ids(cells):
    return {id_of(cell) for cell in cells} - {None}


def given_out(solution, sources):
    """The runs of all code that students are given."""
    config = configure(Path(sources), sources)
    notebook = NotebookNode(cells=copy.deepcopy(solution), metadata={})
    ClearSolutions(config=config).preprocess(notebook, {})
    return {
        run
        for cell in notebook.cells
        if cell.cell_type == "code"
        for run in runs(signs(cell.source))
    }


def pairs(found, bound):
    """The pairs that are alike, the most alike first.

    Parameters
    ----------
    found : list of Work
    bound : float

    Returns
    -------
    list of (float, Work, Work)
    """
    alike = [
        (share(one, other), one, other)
        for one, other in combinations(found, 2)
    ]
    return sorted(
        (pair for pair in alike if pair[0] >= bound),
        key=lambda pair: -pair[0],
    )


def identical(found):
    """Those whose code is the same to the letter, each with the first of them.

    Of them all counts: two write the same by chance only if it is short.

    Parameters
    ----------
    found : list of Work

    Returns
    -------
    list of (float, Work, Work)
        As from `pairs`.
    """
    first: dict[tuple, Work] = {}
    return [
        (1.0, one, other)
        for other in found
        if len(other.runs) >= LEAST
        and (one := first.setdefault(code(other), other)) is not other
    ]


def code(work):
    return tuple(cell.strip() for cell in work.cells)


def all_pairs(found, bound):
    """The pairs of students, and each student with the solution.

    With the solution all counts: a class may have copied it.

    Parameters
    ----------
    found : list of Work
    bound : float

    Returns
    -------
    list of (float, Work, Work)
        As from `pairs`.
    """
    students = [work for work in found if work.student != SOLUTION]
    given = [work for work in found if work.student == SOLUTION]
    alike = identical(students) + [
        pair
        for pair in pairs(without_common(students), bound)
        if code(pair[1]) != code(pair[2])
    ]
    for solution in given:
        for work in students:
            alike += pairs([work, solution], bound)
    return sorted(alike, key=lambda pair: -pair[0])


def indented(lines):
    return "\n".join(f"    {line}" for line in lines)


def report(assignment, found, bound):
    """What is said of an assignment, as Markdown."""
    alike = all_pairs(found, bound)
    said = [
        f"## {assignment}: {len(found) - 1} answers, {len(alike)} pairs from "
        f"{bound:.0%} on"
    ]
    for part, one, other in alike:
        said.append(
            f"### {one.student} and {other.student}: {part:.0%} of the "
            f"shorter one"
        )
        said += [
            f"{each.student}:\n\n{indented(passages(each, another))}"
            for each, another in ((one, other), (other, one))
        ]
    return "\n\n".join(said)


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="python tasks.py similar",
        description="Report pairs of submissions whose code is alike.",
    )
    parser.add_argument("submissions", type=Path)
    parser.add_argument(
        "--solutions", type=Path, default=ASSIGNMENTS / "solutions"
    )
    add_options(parser)
    parser.add_argument(
        "--bound",
        type=float,
        default=BOUND,
        help="report from this share on, 0 to 1 (default: %(default)s)",
    )
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse(arguments)
    if not options.submissions.exists():
        sys.exit(f"There is no folder {options.submissions}.")
    if not 0 < options.bound <= 1:
        sys.exit(
            f"The bound is {options.bound:g}; expected a share above 0, and "
            f"1 at most."
        )
    known = sorted(path.stem for path in options.solutions.glob("*/*.ipynb"))
    if not known:
        sys.exit(
            f"There are no solutions in {options.solutions}; expected "
            f"aN/aN.ipynb there."
        )
    try:
        if options.roster:
            students = read_roster(options.roster, options.id)
        else:
            students, _ = read_course(options.solutions.parent)
    except (BadRoster, BadRules) as problem:
        sys.exit(str(problem))
    with temporary.folder(ignore_cleanup_errors=True) as place:
        everybody, said = handed_in(options.submissions, students, place)
        try:
            write(everybody, said, known, options)
            sys.stdout.flush()
        except BrokenPipeError:  # whoever reads has seen enough
            broken_pipe.let_go()
    return 0


def write(everybody, said, known, options):
    """Print the report on all assignments."""
    print("# Answers that are alike\n")
    for sentence in said:
        say(f"{sentence}\n", kept="\n")
    for name in known:
        found = works(everybody, options.solutions, name)
        if found:
            say(report(name, found, options.bound) + "\n", kept="\n")


if __name__ == "__main__":
    sys.exit(main())
