"""The sample: which mutants there are, and which of them are tried.

The mutations are cosmic-ray's. Left out are those that hardly a test could
miss (a bit operation on floats, `is` between numbers) and would only make
the score look better; variables are not exchanged.
"""

import difflib
import random
from dataclasses import dataclass

import cosmic_ray.plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

ARITHMETIC = {"Add", "Sub", "Mul", "Div", "FloorDiv", "Pow"}
BITS = {"BitOr", "BitAnd", "BitXor"}
ORDERS = {"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE"}
IDENTITIES = {"Is", "IsNot"}
OTHERS = {
    "AddNot",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "NumberReplacer",
    "RemoveDecorator",
    "ZeroIterationForLoop",
    "ReplaceUnaryOperator_Delete_USub",
    "ReplaceUnaryOperator_Delete_Not",
    "ReplaceUnaryOperator_Delete_Invert",
}


@dataclass(frozen=True)
class Mutant:
    """One mutation of one file."""

    path: str
    line: int
    column: int
    operator: str
    occurrence: int

    @property
    def name(self):
        operator = self.operator.partition("/")[2]
        return f"{self.path}:{self.line}:{self.column} {operator}"

    def source(self, root):
        """The text of the mutated module."""
        operator = cosmic_ray.plugins.get_operator(self.operator)()
        text = (root / self.path).read_text("utf-8")
        return mutate_code(text, operator, self.occurrence)

    def changed_lines(self, root):
        """Each line that goes ("-") or comes ("+"), in their order."""
        before = (root / self.path).read_text("utf-8").splitlines()
        after = self.source(root).splitlines()
        return [
            f"{line[0]} {line[2:].strip()}"
            for line in difflib.ndiff(before, after)
            if line[0] in "+-"
        ]


def is_tried(operator):
    """Whether this operator of cosmic-ray is one of ours."""
    kind, *ends = operator.partition("/")[2].split("_")
    if kind in ("ReplaceBinaryOperator", "ReplaceComparisonOperator"):
        return any(
            set(ends) <= group
            for group in (ARITHMETIC, BITS, ORDERS, IDENTITIES)
        )
    return "_".join([kind, *ends]) in OTHERS


def mutants_of(path, root):
    """All mutants of one module, in the order of its text."""
    tree = get_ast((root / path).read_text("utf-8"))
    found = []
    for name in sorted(filter(is_tried, cosmic_ray.plugins.operator_names())):
        operator = cosmic_ray.plugins.get_operator(name)()
        places = (
            start
            for node in ast_nodes(tree)
            for start, _ in operator.mutation_positions(node)
        )
        found += [
            Mutant(str(path), line, column, name, number)
            for number, (line, column) in enumerate(places)
        ]
    return sorted(found, key=lambda m: (m.line, m.column, m.operator))


def draw(area, root, seed):
    """The sample of an area: each place in the text at most once."""
    paths = sorted(
        path.relative_to(root)
        for pattern in area.files
        for path in (root / "pegasos_edu").glob(pattern)
    )
    generator = random.Random(seed)
    population = [m for path in paths for m in mutants_of(path, root)]
    by_place = {}
    for mutant in generator.sample(population, len(population)):
        place = mutant.path, mutant.line, mutant.column
        by_place.setdefault(place, mutant)
    drawn = list(by_place.values())[: area.mutants]
    return sorted(drawn, key=lambda m: (m.path, m.line, m.column))
