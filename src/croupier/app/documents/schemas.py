"""JSON Schemas of the protocol's types, described by their docstrings and those of their fields."""

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

from croupier.gateway.cookies import HOST_ONLY
from croupier.protocol.refusals import Audience, codes_for

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/{name}"


def components(types: Iterable[Any]) -> dict[str, Schema]:
    """Return the schemas of these types and all of their parts, by name."""
    every = list(types)
    _, found = msgspec.json.schema_components(every, ref_template=REFERENCE)
    structs = {struct.cls.__name__: struct.cls for each in every for struct in structs_of(type_info(each))}
    return {name: _described(schema, structs[name]) for name, schema in sorted(found.items())}


def structs_of(of: Type) -> Iterator[StructType]:
    """Yield the structs that a type consists of, with itself last."""
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
    """Return descriptions of fields: general ones, and those of each type."""
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
    """Add a description, wrapping a reference, since JSON Schema draft 7 ignores its siblings."""
    if not description:
        return schema
    return {"description": description, **({"allOf": [schema]} if "$ref" in schema else schema)}


def field_docs(cls: type) -> dict[str, str]:
    """Return the docstrings of the fields of a class and its bases, by field."""
    structs = [base for base in reversed(cls.__mro__) if issubclass(base, Struct) and base is not Struct]
    return {field: doc for base in structs for field, doc in _own_docs(base).items()}


def _own_docs(cls: type) -> dict[str, str]:
    """Return the docstrings of the fields that a class itself defines; none without source code."""
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
    """Join the lines of each paragraph."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def refusals(audience: Audience) -> Schema:
    """Return the schema of refusals, with one alternative per code."""
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
    """Restrict the schema of a record with `code` and `args` to the registered codes."""
    return {**schema, **refusals(audience)}


def session_scheme(kind: str, cookie: str) -> Schema:
    """Return the security scheme of a session cookie; the two standards have different names for its kind."""
    return {
        "type": kind,
        "in": "cookie",
        "name": cookie,
        "description": "Session cookie, set by signing in over HTTP: HttpOnly, SameSite=Strict. Over HTTPS "
        f"its name is `{HOST_ONLY}{cookie}`.",
    }
