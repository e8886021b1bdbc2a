"""Find every refusal in the sources, with its code, arguments and place."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

SOURCES = Path(__file__).parents[3] / "src"
CODE_AT = {"Refused": 0, "No": 1, "Problem": 0}
"""Constructors that take a code, and the position of that argument."""


class RaisedRefusal(NamedTuple):
    """A place that refuses; `args` is None if they aren't literal."""

    code: str
    args: frozenset[str] | None
    place: str


def raised() -> list[RaisedRefusal]:
    """Return all refusals of the sources; raise AssertionError for an unknown code."""
    return [found for path in sorted(SOURCES.rglob("*.py")) for found in _in_file(path)]


def _in_file(path: Path) -> Iterator[RaisedRefusal]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and (position := CODE_AT.get(_called(node.func))) is not None:
            place = f"{path.relative_to(SOURCES)}:{node.lineno}"
            for code in _codes(node.args[position], path) if len(node.args) > position else ():
                yield RaisedRefusal(code, _args(node), place)


def _called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _codes(code: ast.expr, path: Path) -> Iterator[str]:
    """Yield the codes that an expression may evaluate to."""
    match code:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp():
            yield from _codes(code.body, path)
            yield from _codes(code.orelse, path)
        case ast.Name(id=name):
            module = import_module(".".join(path.relative_to(SOURCES).with_suffix("").parts))
            if isinstance(value := getattr(module, name, None), str):
                yield value
        case ast.Attribute(attr="code"):
            return
        case ast.Attribute(value=ast.Name(id=imported), attr=name):
            module = import_module(".".join(path.relative_to(SOURCES).with_suffix("").parts))
            if isinstance(value := getattr(getattr(module, imported, None), name, None), str):
                yield value
        case _:
            raise AssertionError(f"{path}:{code.lineno}: the code of a refusal must be written out")


def _args(call: ast.Call) -> frozenset[str] | None:
    match call.args[1:]:
        case [*_, ast.Dict(keys=keys)]:
            return frozenset(str(key.value) for key in keys if isinstance(key, ast.Constant))
        case _ if any(keyword.arg is None for keyword in call.keywords):
            return None
        case _:
            return frozenset(keyword.arg for keyword in call.keywords if keyword.arg)
