"""Make a course of your own: other questions than the public ones.

    python tasks.py course --secret KEY [--students ROSTER] [--out COURSE]

COURSE/hand-out gets the notebooks to give out, COURSE/private the solutions
to grade with and the marking guide. With a roster, every student gets
questions of their own. All of it is derived from KEY: the same KEY and the
same id give the same notebook, and without KEY nobody can tell which.
"""

import argparse
import hmac
import itertools
import sys
from pathlib import Path

from pegasos_edu.grading.extra import needed

with needed(__name__):
    import nbformat

    from pegasos_edu.coursework.asked import (
        number_of_variants,
        numbered,
        sentence,
    )
    from pegasos_edu.grading import tables
    from pegasos_edu.grading.handed_out import guide
    from pegasos_edu.grading.handed_out.wording import rewrite
    from pegasos_edu.grading.judging.sources import STUDENTS
    from pegasos_edu.grading.release import ASSIGNMENTS
    from pegasos_edu.grading.running import course
    from pegasos_edu.grading.terms import rules
    from pegasos_edu.grading.terms.roster import (
        ROSTER,
        BadRoster,
        read_roster,
        write_roster,
    )

SHORTEST_KEY = 16
HAND_OUT, PRIVATE = "hand-out", "private"
TABLE = "variants.csv"
COLUMNS = ["student", "assignment", "number", "asks"]


def digest(key, *parts):
    """A number that nobody can tell without the key.

    Parameters
    ----------
    key : str
    *parts : str or int
        What the number is for.

    Returns
    -------
    int
        Below 2²⁵⁶.

    Examples
    --------
    >>> digest("k", "a1", "ada") == digest("k", "a1", "bob")
    False
    """
    # Each part with its length: "a1", "2" must not be taken for "a12".
    message = "".join(f"{len(str(part))}:{part}" for part in parts)
    made = hmac.digest(key.encode(), message.encode(), "sha256")
    return int.from_bytes(made)


def seeds(key, assignment, student):
    """Seeds without end; each below 2³¹, as some generators want them."""
    for number in itertools.count():
        yield digest(key, assignment, student, "seed", number) % 2**31


def variant_of(key, assignment, student=""):
    """The variant of an assignment that a student gets.

    Parameters
    ----------
    key : str
    assignment : str
        Such as "a1".
    student : str
        "" for the variant of a whole class.

    Returns
    -------
    Variant

    Examples
    --------
    >>> variant_of("k", "a4", "ada") == variant_of("k", "a4", "ada")
    True
    """
    return numbered(
        assignment.upper(),
        digest(key, assignment, student, "asks"),
        next(seeds(key, assignment, student)),
    )


def solution_of(key, public, assignment, student=""):
    """The solution notebook of a student, or of the class.

    Parameters
    ----------
    key : str
    public : NotebookNode
        The public solution.
    assignment, student : str

    Returns
    -------
    NotebookNode
    """
    hidden = itertools.islice(seeds(key, assignment, student), 1, None)
    variant = variant_of(key, assignment, student)
    return rewrite(public, assignment, variant, hidden)


def write_notebook(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = nbformat.writes(notebook).rstrip("\n") + "\n"
    path.write_text(text, "utf-8", newline="\n")


def write_course(key, public, folder, students):
    """Write the notebooks of a course.

    Parameters
    ----------
    key : str
    public : path
        The public solutions: aN/aN.ipynb.
    folder : path
        Of the course.
    students : list of str
        Their ids; none for one variant for all.

    Returns
    -------
    list of dict
        The table of variants, a line for each student and assignment.
    """
    config = course.configure(folder, public)
    lines = []
    for path in sorted(Path(public).glob("*/*.ipynb")):
        name = path.stem
        original = nbformat.read(path, as_version=4)
        for student in ["", *students]:
            solution = solution_of(key, original, name, student)
            own = Path(STUDENTS, student) if student else Path()
            write_notebook(
                solution,
                folder / PRIVATE / "solutions" / own / name / path.name,
            )
            if student or not students:
                write_notebook(
                    course.students_version(config, solution),
                    folder / HAND_OUT / student / path.name,
                )
                lines.append(line_of(key, name, student))
    return lines


def line_of(key, assignment, student):
    """A student's line in the table of variants."""
    number = digest(key, assignment, student, "asks")
    return {
        "student": student,
        "assignment": assignment,
        "number": number % number_of_variants(assignment.upper()),
        "asks": sentence(variant_of(key, assignment, student).asks()),
    }


def other_secret(folder, key, students):
    """Whether a course was made with another secret; it is not overwritten.

    The table of variants is compared, so nothing of the secret is kept.
    """
    path = folder / PRIVATE / TABLE
    if not path.exists():
        return False
    known = {
        (one["student"], one["assignment"]): one
        for one in tables.read_table(path)
    }
    return any(
        line_of(key, assignment, student)["asks"] != one["asks"]
        for (student, assignment), one in known.items()
        if student in {"", *students}
    )


def how_many_share(lines):
    """Sentences on how many students share what is asked of them."""
    said = []
    for name in sorted({line["assignment"] for line in lines}):
        numbers = [ln["number"] for ln in lines if ln["assignment"] == name]
        said.append(
            f"{name}: {len(numbers)} students, {len(set(numbers))} of "
            f"{number_of_variants(name.upper())} different questions."
        )
    return said


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="python tasks.py course",
        description="Make a course with other questions than the public ones.",
    )
    parser.add_argument(
        "--secret",
        required=True,
        help=f"at least {SHORTEST_KEY} characters that nobody can guess; "
        f"the course can be made again with them only",
    )
    parser.add_argument(
        "--students",
        type=Path,
        help="a roster: a table with a line for each student, who then get "
        "questions of their own",
    )
    parser.add_argument(
        "--id",
        default="id",
        help="the roster's column that names each student's folder of "
        "submissions (default: %(default)s)",
    )
    parser.add_argument("--out", type=Path, default=Path("course"))
    parser.add_argument(
        "--solutions", type=Path, default=ASSIGNMENTS / "solutions"
    )
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse(arguments)
    key, folder = options.secret, options.out
    if len(key) < SHORTEST_KEY:
        sys.exit(
            f"The secret has {len(key)} characters; expected at least "
            f"{SHORTEST_KEY} that nobody can guess, such as "
            f'`python -c "import secrets; print(secrets.token_hex())"` '
            f"prints."
        )
    if not sorted(options.solutions.glob("*/*.ipynb")):
        sys.exit(
            f"There are no solutions in {options.solutions}; expected "
            f"aN/aN.ipynb there."
        )
    private = folder / PRIVATE
    try:
        students = (
            read_roster(options.students, options.id)
            if options.students
            else []
        )
        private.mkdir(parents=True, exist_ok=True)
        private.chmod(0o700)
        chosen = rules.read_or_begin(private / rules.NAME)
    except (BadRoster, rules.BadRules) as problem:
        sys.exit(str(problem))
    names = [student.id for student in students]
    if other_secret(folder, key, names):
        sys.exit(
            f"{folder} was made with another secret; expected that one, or "
            f"another folder after --out."
        )
    lines = write_course(key, options.solutions, folder, names)
    tables.write_table(private / TABLE, COLUMNS, lines)
    if students:
        write_roster(private / ROSTER, students)
        print("\n".join(how_many_share(lines)))
    guide.write_guide(
        private / "marking.md",
        options.solutions,
        # Those of the class are nobody's where each has questions of an own.
        options.solutions if students else private / "solutions",
        chosen,
    )
    rules.write_for_students(folder / HAND_OUT / "rules.md", chosen)
    print(
        f"Give out {folder / HAND_OUT}, keep {private} to yourself, and "
        f"grade with --solutions {private / 'solutions'}."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
