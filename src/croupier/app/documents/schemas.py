"""JSON Schemas of the wire's types, described by their docstrings and by the strings under their fields."""

import ast
import inspect
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import pairwise
from textwrap import dedent
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.inspect import DictType, StructType, Type, UnionType, VarTupleType, type_info

from croupier.protocol.refusals import Audience, codes_for

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/{name}"


def components(types: Iterable[Any]) -> dict[str, Schema]:
    """Return the schemas of these types and of all they are made of, by name."""
    every = list(types)
    _, found = msgspec.json.schema_components(every, ref_template=REFERENCE)
    structs = {struct.cls.__name__: struct.cls for each in every for struct in structs_of(type_info(each))}
    return {name: _described(schema, structs[name]) for name, schema in sorted(found.items())}


def structs_of(of: Type) -> Iterator[StructType]:
    """Return the structs that a type is made of, itself last."""
    match of:
        case StructType():
            yield from (struct for field in of.fields for struct in structs_of(field.type))
            yield of
        case UnionType():
            yield from (struct for part in of.types for struct in structs_of(part))
        case VarTupleType():
            yield from structs_of(of.item_type)
        case DictType():
            yield from structs_of(of.value_type)


@cache
def meanings() -> dict[str, dict[str, str]]:
    """Return what fields mean, by their type and in general."""
    return tomllib.loads((files(__package__) / "fields.toml").read_text(encoding="utf-8"))


def _described(schema: Schema, struct: type[Struct]) -> Schema:
    own = {field: one_line(text) for field, text in field_docs(struct).items()}
    docs = meanings()["fields"] | own | meanings().get(struct.__name__, {})
    properties = {
        field: _with_description(of, docs.get(field, "")) for field, of in schema["properties"].items()
    }
    description = one_line(struct.__doc__) if struct.__doc__ else struct.__name__
    return {**schema, "description": description, "properties": properties}


def _with_description(schema: Schema, description: str) -> Schema:
    """Add a description; JSON Schema's draft 7 takes nothing beside a reference."""
    if not description:
        return schema
    return {"description": description, **({"allOf": [schema]} if "$ref" in schema else schema)}


def field_docs(cls: type) -> dict[str, str]:
    """Return the strings under a class's fields and its bases', by field."""
    structs = [base for base in reversed(cls.__mro__) if issubclass(base, Struct) and base is not Struct]
    return {field: doc for base in structs for field, doc in _own_docs(base).items()}


def _own_docs(cls: type) -> dict[str, str]:
    """Return the strings under the fields that a class itself defines; none where there is no source."""
    try:
        (definition,) = ast.parse(dedent(inspect.getsource(cls))).body
    except OSError:
        return {}
    assert isinstance(definition, ast.ClassDef)
    return {
        field.target.id: doc.value.value
        for field, doc in pairwise(definition.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(doc, ast.Expr)
        and isinstance(doc.value, ast.Constant)
        and isinstance(doc.value.value, str)
    }


def one_line(text: str) -> str:
    """Return a docstring's paragraphs, each on one line."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def refusals(audience: Audience) -> Schema:
    """Return the schema of a code and its arguments, one alternative a code."""
    return {
        "oneOf": [
            {
                "title": name,
                "description": code.meaning,
                "type": "object",
                "properties": {"code": {"const": name}, "args": code.schema()},
                "required": ["code", "args"],
            }
            for name, code in codes_for(audience).items()
        ]
    }


def with_refusals(schema: Schema, audience: Audience) -> Schema:
    """Return the schema of a record with `code` and `args`, held to the registered codes."""
    return {**schema, **refusals(audience)}
