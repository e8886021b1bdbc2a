"""Types, arguments of refusals, and messages as text."""

import json
from typing import Any

from croupier.app.documents.schemas import Schema
from croupier.protocol.refusals import RefusalCode

WIDTH = 110


def type_text(schema: Schema) -> str:
    """Describe a JSON Schema in words, for a cell of a Markdown table."""
    match schema:
        case {"$ref": str(reference)}:
            name = reference.rpartition("/")[2]
            return f"[{name}](#record-{name.lower()})"
        case {"allOf": [*parts]} | {"anyOf": [*parts]} | {"oneOf": [*parts]}:
            return " or ".join(map(type_text, parts))
        case {"enum": [*values]}:
            return ", ".join(f"`{json.dumps(value)}`" for value in values)
        case {"type": "array"}:
            return f"array of {type_text(schema.get('items', {}))}{_range(schema, 'Items', ' items')}"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"object of {type_text(values)} by name"
        case _:
            return _plain(schema)


def _plain(schema: Schema) -> str:
    of = ("Length", " characters") if schema.get("type") == "string" else ("imum", "")
    return f"{schema.get('type', 'any')}{_range(schema, *of)}"


def _range(schema: Schema, what: str, unit: str) -> str:
    minimum, maximum = schema.get(f"min{what}"), schema.get(f"max{what}")
    if minimum is None:
        return "" if maximum is None else f", up to {int(maximum)}{unit}"
    if maximum is None:
        return f", {int(minimum)}{unit} or more"
    return f", {int(minimum)}-{int(maximum)}{unit}" if minimum else f", up to {int(maximum)}{unit}"


def arguments(code: RefusalCode) -> str:
    """List the arguments of a refusal, with optional ones in brackets."""
    return ", ".join(f"`{name}`" if name in code.required else f"[`{name}`]" for name in code.args)


def compact(value: Any, indent: str = "  ") -> str:
    """Format JSON on one line if it fits, otherwise with one member per line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + len(indent) <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    deeper = indent + "  "
    if isinstance(value, dict):
        members = [f"{json.dumps(name)}: {compact(each, deeper)}" for name, each in value.items()]
        return "{\n" + ",\n".join(deeper + member for member in members) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + compact(each, deeper) for each in value) + f"\n{indent}]"
