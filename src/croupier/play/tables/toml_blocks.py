"""Reader of TOML files with flat blocks: every key is a field of a record, without inheritance.

An invalid file is refused with the line, the field and what is allowed.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

T = TypeVar("T")
StructT = TypeVar("StructT", bound=Struct)


class InvalidFile(ValueError):
    """An invalid file; the message names file, line, field and what is allowed."""


class InvalidField(ValueError):
    """An error in a block; `field` is empty if it concerns the whole block.

    `inside` is the name of the block in the block, such as `EUR` of `[currencies.EUR]`.
    """

    def __init__(self, field: str, why: str, inside: str = "") -> None:
        super().__init__(why)
        self.field = field
        self.inside = inside


def read_blocks(text: str, file: str, read: Callable[[str, Any], T]) -> dict[str, T]:
    """Parse each block with `read` and return the results by name, in file order.

    An InvalidField from `read` becomes an InvalidFile with the position.
    """
    try:
        blocks = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidFile(f"{file}: not TOML: {error}") from None
    found = {}
    for name, block in blocks.items():
        try:
            found[name] = read(name, block)
        except InvalidField as error:
            raise located(text, file, name, error) from None
    return found


def located(text: str, file: str, block: str, error: InvalidField) -> InvalidFile:
    """Return the error of a block with its position in the file."""
    full = f"{block}.{error.inside}" if error.inside else block
    line = _line_of(text, full, error.field) or _line_of(text, block, error.inside) or 1
    where = f"[{full}]" + (f" {error.field}" if error.field else "")
    return InvalidFile(f"{file}, line {line}: {where}: {error}")


def fields(record: type[Struct]) -> tuple[str, ...]:
    return record.__struct_fields__


def check_known(block: Mapping[str, Any], allowed: Collection[str]) -> None:
    """Raise InvalidField for a key that isn't allowed."""
    for key in block:
        if key not in allowed:
            raise InvalidField(key, f"no such field; allowed are: {', '.join(allowed)}")


def convert(values: Mapping[str, Any], record: type[StructT]) -> StructT:
    """Convert the values to a record; InvalidField for an invalid value."""
    try:
        return msgspec.convert(values, record)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at `$.")
        field = re.match(r"\w*", path).group() if path else _missing(why)  # type: ignore[union-attr]
        why = re.sub(r" matching regex .*", " of another form", why)
        raise InvalidField(field, f"{why}; allowed is: {_allowed(record, field)}") from None


def _missing(why: str) -> str:
    """Return the field of msgspec's "Object missing required field `decks`"."""
    found = re.search(r"field `(\w+)`", why)
    return found.group(1) if found else ""


def _allowed(record: type[Struct], field: str) -> str:
    """Describe the values a field takes."""
    hints = get_type_hints(record, include_extras=True)
    return _describe(hints[field]) if field in hints else "the fields named in the manual"


def _describe(hint: Any) -> str:
    """Describe a type hint for an operator."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _describe_annotated(args[0], args[1])
    if origin is Literal:
        return ", ".join(repr(value) for value in args)
    if origin in (Union, UnionType):
        return " or ".join(_describe(each) for each in args if each is not NoneType)
    if origin is tuple:
        return f"a list of {_describe(args[0])}"
    if origin is dict:
        return f"{_describe(args[1])} for each currency"
    if isinstance(hint, type) and issubclass(hint, Struct):
        return f"a block with the fields {', '.join(fields(hint))}"
    return {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}[hint]


def _describe_annotated(hint: Any, meta: Meta) -> str:
    described = meta.description or _describe(hint)
    if meta.pattern and not meta.description:
        described += f" of the form {meta.pattern}"
    if meta.ge is not None or meta.le is not None:
        least = f" from {meta.ge}" if meta.ge is not None else ""
        described += least + (f" to {meta.le}" if meta.le is not None else " up")
    if meta.max_length is not None and not meta.description:
        described += f" with {meta.min_length or 0} to {meta.max_length} characters or entries"
    return described


def _line_of(text: str, table: str, field: str) -> int:
    """Return the line number of a field, from 1; of its block if it lacks the field; 0 without the block."""
    lines = text.splitlines()
    opens = re.compile(
        rf"""\s*(\[+\s*["']?{re.escape(table)}["']?\s*[\].]|["']?{re.escape(table)}["']?\s*=)"""
    )
    start = next((number for number, line in enumerate(lines) if opens.match(line)), -1)
    if start < 0:
        return 0
    for number in range(start + 1, len(lines)):
        if re.match(r"\s*\[\w", lines[number]):
            break
        if field and re.match(rf"""\s*["']?{re.escape(field)}["']?\s*[=.]""", lines[number]):
            return number + 1
    return start + 1
