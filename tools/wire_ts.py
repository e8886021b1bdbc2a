"""Generates the TypeScript types of the players' protocol, the staff's, and each game's views.

    python -m tools.wire_ts            # writes the files
    python -m tools.wire_ts --check    # exit status 1 when a committed file is out of date

Messages from the server always have every field. Messages that only the browser sends (structs that forbid
unknown fields and aren't part of anything sent by the server) may omit fields that have a default.

A game's own types are written to its client folder, if it has one.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import indent
from types import ModuleType, UnionType
from typing import Any, Literal, get_origin

from msgspec import Struct
from msgspec.inspect import (
    BoolType,
    DictType,
    Field,
    FloatType,
    IntType,
    LiteralType,
    NoneType,
    StrType,
    StructType,
    Type,
    VarTupleType,
    type_info,
)
from msgspec.inspect import UnionType as Either

from croupier.app.documents.schemas import field_docs, structs_of
from croupier.games import games
from croupier.protocol import staff_wire, wire

SOURCES = Path(__file__).parents[1] / "web" / "src"


def _module_of(view: type[Struct]) -> ModuleType:
    """Return a module with the view's name that contains nothing but this struct."""
    module = ModuleType(view.__module__)
    setattr(module, view.__name__, view)
    return module


GAMES = {
    SOURCES / "games" / name / "wire.ts": _module_of(game.view)
    for name, game in games().items()
    if (SOURCES / "games" / name).is_dir()
}
FILES = {SOURCES / "wire.ts": wire, SOURCES / "staff" / "wire.ts": staff_wire, **GAMES}
PLAYERS = "import type * as players from '{up}wire';"
"""The import of types that are shared with the players' protocol."""
HEAD = "// Made from {name} by `python -m tools.wire_ts`: change it there."

Names = dict[str, str]
"""Maps a type in TypeScript to its name."""


def main() -> None:
    """Write the files; with `--check`, compare them to the committed ones."""
    for file in FILES:
        text = of_file(file)
        if "--check" not in sys.argv[1:]:
            file.write_text(text)
        elif file.read_text() != text:
            sys.exit(f"{file} is out of date: run `python -m tools.wire_ts`")


def of_file(file: Path) -> str:
    """Return the content of a file."""
    module = FILES[file]
    up = "../" * (len(file.relative_to(SOURCES).parts) - 1)
    return typescript(module) if module is wire else typescript(module, players=wire, up=up)


def typescript(module: ModuleType, players: ModuleType | None = None, up: str = "../") -> str:
    """Generate the structs of `module`, those they contain, and the unions that are named there.

    Types that `players` also has are imported from its file, at `up` from here; types of other games are left
    to their files.
    """
    messages = _messages(module)
    sent = {struct.cls for message in messages if not _is_command(message) for struct in structs_of(message)}
    theirs = {cls for message in _messages(players) for cls in _own_structs(players, message)}
    own = {cls: struct for message in messages for cls, struct in _own_structs(module, message).items()}
    own = {cls: struct for cls, struct in own.items() if cls not in theirs}
    known = {cls.__name__: cls.__name__ for cls in theirs} | _names(players, theirs)
    aliases = dict(_names(module, own).items() - known.items())
    hidden = {cls.__name__ for cls in own}
    names = {text: f"players.{name}" for text, name in known.items() if text not in hidden} | aliases
    body = [
        *(f"export const PROTOCOL = {module.PROTOCOL};" for _ in range(hasattr(module, "PROTOCOL"))),
        *(_alias(module, name, text) for text, name in sorted(aliases.items(), key=_by_name)),
        *(_interface(struct, names, complete=cls in sent) for cls, struct in own.items()),
        "",
    ]
    code = [line for line in "\n".join(body).splitlines() if not line.lstrip().startswith("/**")]
    imported = [PLAYERS.format(up=up)] if any("players." in line for line in code) else []
    return "\n".join([HEAD.format(name=module.__name__), *imported, *body])


def _own_structs(module: ModuleType | None, message: Type) -> dict[type, StructType]:
    """Return the structs in a message that belong to the protocol itself or to the module's own game."""
    game_ = _game(module.__name__) if module else ""
    return {
        struct.cls: struct for struct in structs_of(message) if _game(struct.cls.__module__) in ("", game_)
    }


def _game(module: str) -> str:
    """Return the game that a module belongs to; "" if none."""
    found = re.match(r"croupier\.games\.(\w+)", module)
    return found[1] if found else ""


def _alias(module: ModuleType, name: str, text: str) -> str:
    """Declare a named union; a union of all games' views has only their common fields."""
    views = type_info(getattr(module, name)) if hasattr(module, name) else None
    if isinstance(views, Either) and all(_is_view(part) for part in views.types):
        return _common(name, [part for part in views.types if isinstance(part, StructType)])
    return f"export type {name} = {text};"


def _is_view(part: Type) -> bool:
    return isinstance(part, StructType) and bool(_game(part.cls.__module__))


def _common(name: str, views: Sequence[StructType]) -> str:
    """Declare the fields that all views share, and their tag."""
    every = [{(field.encode_name, _type_text(field.type, {})) for field in view.fields} for view in views]
    shared = set.intersection(*every)
    fields = [f"readonly {field}: {text};" for field, text in sorted(shared)]
    body = indent("\n".join([f"readonly {views[0].tag_field}: string;", *fields]), "  ")
    return f"/** The fields common to the views of all games. */\nexport interface {name} {{\n{body}\n}}"


def _by_name(alias: tuple[str, str]) -> str:
    return alias[1]


def _messages(module: ModuleType | None) -> list[Type]:
    return [type_info(value) for value in vars(module or object).values() if _is_message(value)]


def _names(module: ModuleType | None, structs: Iterable[type]) -> Names:
    """Return the names of unions, literals and aliases in the module and in the modules of the structs."""
    modules = [*(sys.modules[cls.__module__] for cls in structs), *([module] if module else [])]
    return {_type_text(type_info(alias), {}): name for each in modules for name, alias in _aliases(each)}


def _is_message(value: Any) -> bool:
    """Return whether `value` is a message struct rather than a base class."""
    return _is_struct(value) and not (value is Struct or value.__subclasses__())


def _is_command(message: Type) -> bool:
    return isinstance(message, StructType) and message.forbid_unknown_fields


def _aliases(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Yield the module's own names: unions, literals, and second names of structs."""
    for name, value in vars(module).items():
        renamed = _is_struct(value) and value.__name__ != name
        union = isinstance(value, UnionType) and all(map(_is_struct, value.__args__))
        if renamed or union or get_origin(value) is Literal:
            yield name, value


def _is_struct(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Struct)


def _interface(struct: StructType, names: Names, *, complete: bool) -> str:
    """Declare a struct; `complete`: the sender omits no field."""
    docs = field_docs(struct.cls)
    tag = [f'readonly {struct.tag_field}: "{struct.tag}";'] if struct.tag_field else []
    always = complete and not struct.cls.__struct_config__.omit_defaults
    fields = [
        _jsdoc(docs.get(field.name)) + _field(field, names, optional=not (field.required or always))
        for field in struct.fields
    ]
    body = indent("\n".join(tag + fields), "  ")
    return f"\n{_jsdoc(struct.cls.__doc__)}export interface {struct.cls.__name__} {{\n{body}\n}}"


def _field(field: Field, names: Names, *, optional: bool) -> str:
    return f"readonly {field.encode_name}{'?' if optional else ''}: {_type_text(field.type, names)};"


def _type_text(of: Type, names: Names) -> str:
    """Write a type in TypeScript. Raises TypeError for a type that the protocol doesn't use."""
    match of:
        case StructType():
            text = of.cls.__name__
        case LiteralType():
            text = " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in of.values)
        case Either():
            text = _either(of.types, names)
        case VarTupleType():
            text = f"ReadonlyArray<{_type_text(of.item_type, names)}>"
        case DictType():
            text = f"Readonly<Record<string, {_type_text(of.value_type, names)}>>"
        case _:
            text = _PLAIN.get(type(of), "")
    if not text:
        raise TypeError(f"no TypeScript is known for {of}")
    return names.get(text, text)


def _either(types: Sequence[Type], names: Names) -> str:
    """Use a union's name, also if it is combined with null."""
    some = [part for part in types if not isinstance(part, NoneType)]
    name = names.get(" | ".join(_type_text(part, {}) for part in some))
    texts = [name] if name else [_type_text(part, names) for part in some]
    return " | ".join([*texts, *(["null"] if len(some) < len(types) else [])])


_PLAIN: dict[type[Type], str] = {
    BoolType: "boolean",
    FloatType: "number",
    IntType: "number",
    NoneType: "null",
    StrType: "string",
}


def _jsdoc(doc: str | None) -> str:
    return f"/** {' '.join(doc.split())} */\n" if doc else ""


if __name__ == "__main__":
    main()
