"""The marking guide: every written question, its model answer and samples.

It is made from the solution notebooks and from samples.toml, which stands
beside them.
"""

import re
import tomllib
from pathlib import Path

import nbformat

from pegasos_edu.grading.terms import rules as course_rules

SAMPLES = "samples.toml"
SOLUTION = re.compile(
    r"### BEGIN SOLUTION\n(.*?)\n### END SOLUTION", flags=re.DOTALL
)
LATENESS = """\
`python tasks.py grade` takes points off if you tell it when things were handed
in: write `assignment`, `student` and `handed_in` (or `days_late`), as your
learning platform shows them, into `handed_in.csv` in the folder of grades.
`scores.csv` then has the points before and after. It does not use the times of
files, which anyone can set. Canvas and Moodle can take points off by
themselves: let only one of the two do it.
"""


def questions(path):
    """The written questions of a solution notebook.

    Parameters
    ----------
    path : path

    Returns
    -------
    list of dict
        id, points, question and answer: the model answer and what each
        point is for.
    """
    found = []
    for cell in nbformat.read(path, as_version=4).cells:
        facts = cell.metadata.get("nbgrader", {})
        if cell.cell_type != "markdown" or not facts.get("grade"):
            continue
        found.append(
            {
                "id": facts["grade_id"],
                "points": facts["points"],
                "question": SOLUTION.sub("", cell.source).strip(),
                "answer": "\n".join(SOLUTION.findall(cell.source)).strip(),
            }
        )
    return found


def read_samples(solutions):
    """The sample answers: assignment -> question -> list of dict."""
    path = Path(solutions, SAMPLES)
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


def section(question, samples):
    """A question of the guide, as Markdown."""
    lines = [question["question"], question["answer"]]
    for sample in samples:
        answer = " ".join(sample["answer"].split())
        why = " ".join(sample["why"].split())
        lines.append(
            f"> {answer}\n\n**{sample['points']:g} of "
            f"{question['points']:g}.** {why}"
        )
    return "\n\n".join(lines)


def write_guide(path, public, solutions, rules):
    """Write the marking guide.

    Parameters
    ----------
    path : path
    public : path
        The public solutions, beside which the samples stand.
    solutions : path
        The solutions from which questions and model answers are taken.
    rules : dict
        As `rules.read_rules` returns them.
    """
    samples = read_samples(public)
    parts = [
        "# Marking guide\n\nNot for students.\n",
        course_rules.of_students(rules),
        f"## Lateness\n\n{LATENESS}",
        "## Marks\n\nThe grader marks code. Give each point of a written "
        "question by itself, and write it into `marks.csv` in the folder of "
        "grades: `assignment`, `student`, `task`, `mark`. The task is the "
        "name in brackets below. Where students have variants of their own, "
        "their formulas may differ from those below: "
        "`solutions/students/STUDENT` has theirs.\n",
    ]
    for notebook in sorted(Path(solutions).glob("*/*.ipynb")):
        name = notebook.stem
        title = rules.get(name, {}).get("title", name)
        parts.append(f"## {title}\n")
        for question in questions(notebook):
            given = samples.get(name, {}).get(question["id"], [])
            parts.append(
                f"### {title}: {question['points']:g} points "
                f"(`{question['id']}`)\n\n{section(question, given)}\n"
            )
    path.write_text("\n".join(parts), "utf-8")
