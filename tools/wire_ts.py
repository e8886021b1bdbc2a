"""The TypeScript types of what goes over the wire: of the players', of the staff's, and of each game's views.

    python -m tools.wire_ts            # writes the files
    python -m tools.wire_ts --check    # exit status 1 when a committed file is out of date

What the server sends always has every field. What only the browser sends (a struct that forbids
unknown fields, and that nothing sent is made of) may leave out a field that has a default.

A game's own types go into its client folder, where it has one; the house knows what all views have in common.
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


def _alone(view: type[Struct]) -> ModuleType:
    """A module that has this struct and nothing else, called as the one where it stands."""
    module = ModuleType(view.__module__)
    setattr(module, view.__name__, view)
    return module


GAMES = {
    SOURCES / "games" / name / "wire.ts": _alone(game.view)
    for name, game in games().items()
    if (SOURCES / "games" / name).is_dir()
}
FILES = {SOURCES / "wire.ts": wire, SOURCES / "staff" / "wire.ts": staff_wire, **GAMES}
PLAYERS = "import type * as players from '{up}wire';"
"""For what others have from the players' wire."""
HEAD = "// Made from {name} by `python -m tools.wire_ts`: change it there."

Names = dict[str, str]
"""The name of a type that has one, by the type written out."""


def main() -> None:
    """Write the files; with `--check`, compare them to the committed ones."""
    for file in FILES:
        text = of_file(file)
        if "--check" not in sys.argv[1:]:
            file.write_text(text)
        elif file.read_text() != text:
            sys.exit(f"{file} is out of date: run `python -m tools.wire_ts`")


def of_file(file: Path) -> str:
    """What is to be in that file."""
    module = FILES[file]
    up = "../" * (len(file.relative_to(SOURCES).parts) - 1)
    return typescript(module) if module is wire else typescript(module, players=wire, up=up)


def typescript(module: ModuleType, players: ModuleType | None = None, up: str = "../") -> str:
    """The structs of `module`, those they are made of, and the unions that have a name there.

    What `players` has too is taken from its file, `up` from here. What is another room's is left to that.
    """
    messages = _messages(module)
    sent = {struct.cls for message in messages if not _commanding(message) for struct in structs_of(message)}
    theirs = {cls for message in _messages(players) for cls in _of_room(players, message)}
    own = {cls: struct for message in messages for cls, struct in _of_room(module, message).items()}
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


def _of_room(module: ModuleType | None, message: Type) -> dict[type, StructType]:
    """What a message is made of, as far as it is of the module's own room: the house, or one game."""
    room = _game(module.__name__) if module else ""
    return {
        struct.cls: struct for struct in structs_of(message) if _game(struct.cls.__module__) in ("", room)
    }


def _game(module: str) -> str:
    """The game in whose folder a module is; empty: it is the house's."""
    found = re.match(r"croupier\.games\.(\w+)", module)
    return found[1] if found else ""


def _alias(module: ModuleType, name: str, text: str) -> str:
    """A union by its name; of the views of all games only what they have in common."""
    views = type_info(getattr(module, name)) if hasattr(module, name) else None
    if isinstance(views, Either) and all(_is_view(part) for part in views.types):
        return _common(name, [part for part in views.types if isinstance(part, StructType)])
    return f"export type {name} = {text};"


def _is_view(part: Type) -> bool:
    return isinstance(part, StructType) and bool(_game(part.cls.__module__))


def _common(name: str, views: Sequence[StructType]) -> str:
    """The fields that all of these have, and what tells them apart."""
    every = [{(field.encode_name, _written(field.type, {})) for field in view.fields} for view in views]
    shared = set.intersection(*every)
    fields = [f"readonly {field}: {text};" for field, text in sorted(shared)]
    body = indent("\n".join([f"readonly {views[0].tag_field}: string;", *fields]), "  ")
    return f"/** What the views of all games have in common. */\nexport interface {name} {{\n{body}\n}}"


def _by_name(alias: tuple[str, str]) -> str:
    return alias[1]


def _messages(module: ModuleType | None) -> list[Type]:
    return [type_info(value) for value in vars(module or object).values() if _is_message(value)]


def _names(module: ModuleType | None, structs: Iterable[type]) -> Names:
    """What unions, literals and second names are called there and where these structs are from."""
    modules = [*(sys.modules[cls.__module__] for cls in structs), *([module] if module else [])]
    return {_written(type_info(alias), {}): name for each in modules for name, alias in _aliases(each)}


def _is_message(value: Any) -> bool:
    """Whether `value` is a struct that is sent: the bases, which others extend, are not."""
    return _is_struct(value) and not (value is Struct or value.__subclasses__())


def _commanding(message: Type) -> bool:
    return isinstance(message, StructType) and message.forbid_unknown_fields


def _aliases(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """What `module` gives a name of its own: unions, literals, a struct under a second name."""
    for name, value in vars(module).items():
        renamed = _is_struct(value) and value.__name__ != name
        union = isinstance(value, UnionType) and all(map(_is_struct, value.__args__))
        if renamed or union or get_origin(value) is Literal:
            yield name, value


def _is_struct(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Struct)


def _interface(struct: StructType, names: Names, *, complete: bool) -> str:
    """`complete`: the sender leaves no field out."""
    docs = field_docs(struct.cls)
    tag = [f'readonly {struct.tag_field}: "{struct.tag}";'] if struct.tag_field else []
    fields = [
        _jsdoc(docs.get(field.name)) + _field(field, names, optional=not (complete or field.required))
        for field in struct.fields
    ]
    body = indent("\n".join(tag + fields), "  ")
    return f"\n{_jsdoc(struct.cls.__doc__)}export interface {struct.cls.__name__} {{\n{body}\n}}"


def _field(field: Field, names: Names, *, optional: bool) -> str:
    return f"readonly {field.encode_name}{'?' if optional else ''}: {_written(field.type, names)};"


def _written(of: Type, names: Names) -> str:
    """The TypeScript of a type; TypeError for one that the wire has had no need of."""
    match of:
        case StructType():
            text = of.cls.__name__
        case LiteralType():
            text = " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in of.values)
        case Either():
            text = _either(of.types, names)
        case VarTupleType():
            text = f"ReadonlyArray<{_written(of.item_type, names)}>"
        case DictType():
            text = f"Readonly<Record<string, {_written(of.value_type, names)}>>"
        case _:
            text = _PLAIN.get(type(of), "")
    if not text:
        raise TypeError(f"no TypeScript is known for {of}")
    return names.get(text, text)


def _either(types: Sequence[Type], names: Names) -> str:
    """A union that has a name goes by it, also where there may be nothing instead."""
    some = [part for part in types if not isinstance(part, NoneType)]
    name = names.get(" | ".join(_written(part, {}) for part in some))
    texts = [name] if name else [_written(part, names) for part in some]
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
