"""Mutants of the rules: cosmic-ray's operators, applied to sources in memory."""

import ast
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import cosmic_ray.plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

LEFT_OUT = (
    "NoOp",  # changes nothing
    "Eq_Is",  # small numbers, enumeration members and short strings are equal only to themselves, so that
    "Is_Eq",  # these four are nearly always equivalent
    "NotEq_IsNot",
    "IsNot_NotEq",
)
"""Endings of the names of operators that aren't used."""


UNNOTICED = ("frozen", "gc", "slots", "cache_hash")
"""Arguments of classes that save time, or forbid what mypy refuses."""
CACHES = ("cache", "lru_cache")
"""Decorators that save time."""


class Mutant(NamedTuple):
    """One change to one file, named by cosmic-ray's operator and its occurrence in the file."""

    path: str
    """From the sources' folder: croupier/games/roulette/rules.py."""
    line: int
    column: int
    operator: str
    occurrence: int
    digest: str
    """Of the unchanged file."""

    def __str__(self) -> str:
        name = self.operator.rpartition("/")[2]
        return f"{self.path}:{self.line}:{self.column} {name}#{self.occurrence}"


def digest_of(source: str) -> str:
    return sha256(source.encode()).hexdigest()[:16]


@cache
def operators() -> dict[str, Any]:
    """Return the operators that need no arguments, by name."""
    classes = {name: cosmic_ray.plugins.get_operator(name) for name in cosmic_ray.plugins.operator_names()}
    return {
        name: operator()
        for name, operator in classes.items()
        if not operator.arguments() and not name.endswith(LEFT_OUT)
    }


def mutants_of(path: str, source: str) -> Iterator[Mutant]:
    """Yield every mutant of a file, also those that change nothing."""
    nodes = list(ast_nodes(get_ast(source)))
    digest = digest_of(source)
    for name, operator in operators().items():
        starts = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        for occurrence, (line, column) in enumerate(starts):
            yield Mutant(path, line, column, name, occurrence, digest)


def mutated(mutant: Mutant, source: str) -> str | None:
    """Return the changed source; None if the change is no change of the program.

    The two syntax trees are compared without annotations, caches and what else no right program notices.
    cosmic-ray changes no strings, thus no docstrings.
    """
    changed: str | None = mutate_code(source, operators()[mutant.operator], mutant.occurrence)
    if changed is None:
        return None
    try:
        return None if _program(changed) == _program(source) else changed
    except SyntaxError:
        return None


def _program(source: str) -> str:
    """Return the syntax tree of a module without what no right program notices."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        match node:
            case ast.arg():
                node.annotation = None
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                node.returns = None
                node.decorator_list = [each for each in node.decorator_list if not _is_cache(each)]
            case ast.AnnAssign():
                node.annotation = ast.Constant(None)
            case ast.keyword() if node.arg in UNNOTICED:
                node.value = ast.Constant(None)
    return ast.dump(tree)


def _is_cache(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id in CACHES


def runs_at_import(mutant: Mutant, source: str) -> bool:
    """Return whether the mutant's line is outside the bodies of all functions."""
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    return not any(
        function.body[0].lineno <= mutant.line <= (function.end_lineno or 0) for function in functions
    )


def lines_of_statement(source: str, line: int) -> range:
    """Return the lines of the statement that a line belongs to; of a block's statement, those of its head."""
    innermost = range(line, line + 1)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            body: list[ast.stmt] = getattr(node, "body", [])
            end = body[0].lineno if body else (node.end_lineno or 0) + 1
            if line < end:
                innermost = range(node.lineno, end)
    return innermost


def shuffled(mutants: Iterable[Mutant], seed: int) -> Iterator[list[Mutant]]:
    """Yield the mutants of each place in the sources in random order, places in random order.

    A plus sign has eleven mutants and `True` has one: a sample takes one of each place.
    """
    places: defaultdict[tuple[str, int, int], list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        places[mutant.path, mutant.line, mutant.column].append(mutant)
    generator = random.Random(seed)
    order = sorted(places)
    generator.shuffle(order)
    for place in order:
        variants = sorted(places[place])
        generator.shuffle(variants)
        yield variants


def read(sources: Path, path: str) -> str:
    return (sources / path).read_text(encoding="utf-8")
