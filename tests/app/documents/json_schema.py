"""Check a value against the subset of JSON Schema draft 7 that the documents use.

An unknown keyword is an error, so that no rule of a schema is ignored silently.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

Check = Callable[[Any, Any, dict[str, Any], Any], Iterator[str]]
ANNOTATIONS = {
    *("$schema", "$id", "$comment", "title", "description", "default", "examples", "format", "deprecated"),
    *("definitions", "discriminator", "additionalItems"),
}
TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}


def errors(value: Any, schema: Any, root: Any) -> list[str]:
    """Return the errors of a value; references resolve within `root`."""
    if isinstance(schema, bool):
        return [] if schema else ["nothing is allowed here"]
    if "$ref" in schema:
        return errors(value, resolved(schema["$ref"], root), root)
    unknown = set(schema) - set(CHECKS) - ANNOTATIONS - {"then", "else", "patternProperties"}
    assert not unknown, f"unknown keywords {unknown}"
    return [
        error for key in schema if key in CHECKS for error in CHECKS[key](value, schema[key], schema, root)
    ]


def resolved(reference: str, root: Any) -> Any:
    """Resolve a reference within the document; raise KeyError if it has no target."""
    assert reference.startswith("#"), reference
    for part in reference.removeprefix("#").split("/")[1:]:
        root = root[part.replace("~1", "/").replace("~0", "~")]
    return root


def _type(value: Any, of: Any, _schema: Any, _root: Any) -> Iterator[str]:
    if not any(TYPES[each](value) for each in ([of] if isinstance(of, str) else of)):
        yield f"{value!r} isn't of type {of}"


def _enum(value: Any, of: Any, _schema: Any, _root: Any) -> Iterator[str]:
    if value not in of:
        yield f"{value!r} isn't one of {of}"


def _properties(value: Any, of: Any, schema: Any, root: Any) -> Iterator[str]:
    for name, each in of.items():
        if isinstance(value, dict) and name in value:
            yield from (f"{name}: {error}" for error in errors(value[name], each, root))


def _patterns(value: Any, of: Any, _schema: Any, root: Any) -> Iterator[str]:
    for pattern, each in of.items():
        for name in (name for name in (value if isinstance(value, dict) else ()) if re.search(pattern, name)):
            yield from (f"{name}: {error}" for error in errors(value[name], each, root))


def _additional(value: Any, of: Any, schema: Any, root: Any) -> Iterator[str]:
    patterns = schema.get("patternProperties", {})
    for name in value if isinstance(value, dict) else ():
        if name not in schema.get("properties", {}) and not any(re.search(each, name) for each in patterns):
            yield from (f"{name}: {error}" for error in errors(value[name], of, root))


def _required(value: Any, of: Any, _schema: Any, _root: Any) -> Iterator[str]:
    yield from (f"{name} is missing" for name in of if isinstance(value, dict) and name not in value)


def _items(value: Any, of: Any, _schema: Any, root: Any) -> Iterator[str]:
    for at, each in enumerate(value if isinstance(value, list) else ()):
        if isinstance(of, dict | bool) or at < len(of):
            schema = of if isinstance(of, dict | bool) else of[at]
            yield from (f"[{at}]: {error}" for error in errors(each, schema, root))


def _all_of(value: Any, of: Any, _schema: Any, root: Any) -> Iterator[str]:
    for each in of:
        yield from errors(value, each, root)


def _count_of(value: Any, of: Any, root: Any) -> tuple[int, list[str]]:
    found = [errors(value, each, root) for each in of]
    return sum(not each for each in found), min(found, key=len)


def _any_of(value: Any, of: Any, _schema: Any, root: Any) -> Iterator[str]:
    fitting, nearest = _count_of(value, of, root)
    if not fitting:
        yield f"fits no alternative: {nearest}"


def _one_of(value: Any, of: Any, _schema: Any, root: Any) -> Iterator[str]:
    fitting, nearest = _count_of(value, of, root)
    if fitting != 1:
        yield f"fits {fitting} alternatives: {nearest}"


def _not(value: Any, of: Any, _schema: Any, root: Any) -> Iterator[str]:
    if not errors(value, of, root):
        yield f"fits {of}"


def _if(value: Any, of: Any, schema: Any, root: Any) -> Iterator[str]:
    branch = "else" if errors(value, of, root) else "then"
    yield from errors(value, schema.get(branch, True), root)


def _names(value: Any, of: Any, _schema: Any, root: Any) -> Iterator[str]:
    for name in value if isinstance(value, dict) else ():
        yield from errors(name, of, root)


def _bound(kind: str, holds: Callable[[Any, Any], bool]) -> Check:
    def check(value: Any, of: Any, _schema: Any, _root: Any) -> Iterator[str]:
        if TYPES[kind](value) and not holds(value, of):
            yield f"{value!r} is out of bounds ({of})"

    return check


CHECKS: dict[str, Check] = {
    "type": _type,
    "enum": _enum,
    "const": lambda value, of, schema, root: _enum(value, [of], schema, root),
    "properties": _properties,
    "patternProperties": _patterns,
    "additionalProperties": _additional,
    "propertyNames": _names,
    "required": _required,
    "items": _items,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
    "minimum": _bound("number", lambda value, of: value >= of),
    "maximum": _bound("number", lambda value, of: value <= of),
    "exclusiveMinimum": _bound("number", lambda value, of: value > of),
    "exclusiveMaximum": _bound("number", lambda value, of: value < of),
    "minLength": _bound("string", lambda value, of: len(value) >= of),
    "maxLength": _bound("string", lambda value, of: len(value) <= of),
    "pattern": _bound("string", lambda value, of: bool(re.search(of, value))),
    "minItems": _bound("array", lambda value, of: len(value) >= of),
    "maxItems": _bound("array", lambda value, of: len(value) <= of),
    "uniqueItems": _bound("array", lambda value, of: not of or len({repr(x) for x in value}) == len(value)),
}
