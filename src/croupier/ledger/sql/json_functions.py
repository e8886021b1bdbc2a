"""Functions on JSON in the infrequent queries, in the words of each store."""

from collections.abc import Collection
from typing import Any

from msgspec import json
from sqlalchemy import ColumnElement, Text, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.sql.selectable import TableValuedAlias


class JsonText(FunctionElement[str]):
    """The text at a path, such as `details.player`, in a column of JSON."""

    inherit_cache = True
    type = Text()

    def __init__(self, column: ColumnElement[str], path: str) -> None:
        super().__init__(column, *map(literal, path.split(".")))


@compiles(JsonText, "sqlite")
def _sqlite_text(element: JsonText, compiler: Any, **options: Any) -> str:
    column, *path = [compiler.process(clause, **options) for clause in element.clauses]
    steps = " || '.' || ".join(path)
    return f"json_extract({column}, '$.' || {steps})"


@compiles(JsonText, "postgresql")
def _postgresql_text(element: JsonText, compiler: Any, **options: Any) -> str:
    column, *path = [compiler.process(clause, **options) for clause in element.clauses]
    return f"json_extract_path_text(CAST({column} AS json), {', '.join(path)})"


class JsonNumbers(FunctionElement[str]):
    """The elements of a JSON array, as a table."""

    inherit_cache = True


@compiles(JsonNumbers, "sqlite")
def _sqlite_numbers(element: JsonNumbers, compiler: Any, **options: Any) -> str:
    return f"json_each({compiler.process(element.clauses, **options)})"


@compiles(JsonNumbers, "postgresql")
def _postgresql_numbers(element: JsonNumbers, compiler: Any, **options: Any) -> str:
    return f"json_array_elements_text(CAST({compiler.process(element.clauses, **options)} AS json))"


def json_numbers(numbers: Collection[int]) -> TableValuedAlias:
    """Return a table of numbers as texts, in its column `value`; any number of them is one parameter."""
    return JsonNumbers(literal(json.encode([*numbers]).decode())).table_valued("value")
