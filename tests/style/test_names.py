"""Type names are unique: no class or alias is defined in two modules."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "croupier"
PLAYER, STAFF = "protocol/wire/", "protocol/staff_wire.py"
PROTOCOL_PAIRS = frozenset(
    ("Command", "Hello", "Me", "Message", "No", "Ok", "Ping", "Pong", "Upgrade", "Welcome")
)
"""Names that the player protocol and the staff protocol share on purpose."""


def sources() -> dict[str, str]:
    """Return the text of each module outside the games, by its path in the package."""
    paths = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}
    return {
        name: path.read_text(encoding="utf-8")
        for name, path in paths.items()
        if not name.startswith(("games/", "static/"))
    }


def types(source: str) -> Iterator[str]:
    """Yield the public classes and type aliases that a module defines at its top level."""
    for statement in ast.parse(source).body:
        match statement:
            case ast.ClassDef(name=name):
                yield from (name,) if not name.startswith("_") else ()
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                if name[0].isupper() and not name.isupper() and "_" not in name:
                    yield name


def is_pair(name: str, modules: Iterable[str]) -> bool:
    """Return whether a name is defined once in each of the two protocols and nowhere else."""
    player, staff = sorted(modules, key=lambda module: module == STAFF)[:2]
    return name in PROTOCOL_PAIRS and player.startswith(PLAYER) and staff == STAFF


def duplicates(modules: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the modules of each name that is defined twice."""
    definitions: defaultdict[str, list[str]] = defaultdict(list)
    for module, source in modules.items():
        for name in types(source):
            definitions[name].append(module)
    return {
        name: sorted(locations)
        for name, locations in definitions.items()
        if len(locations) > 1 and not (len(locations) == 2 and is_pair(name, locations))
    }


def test_no_type_name_is_defined_twice() -> None:
    assert duplicates(sources()) == {}


def test_planted_duplicates_are_detected() -> None:
    planted = {"a.py": "class Round: ...", "b.py": "Round = int | str", "c.py": "Rounds: type = int"}
    assert duplicates(planted) == {"Round": ["a.py", "b.py"]}


def test_a_pair_is_allowed_in_the_two_protocols_only() -> None:
    player, staff = {"protocol/wire/commands.py": "class Ping: ..."}, {STAFF: "class Ping: ..."}
    assert duplicates(player | staff) == {}
    assert duplicates(player | {"bench/play.py": "class Ping: ..."})
    assert duplicates(player | staff | {"bench/play.py": "class Ping: ..."})
    assert duplicates({"protocol/wire/live.py": "class Bet: ...", STAFF: "class Bet: ..."})


def test_constants_functions_and_private_types_are_ignored() -> None:
    source = "LIMIT = 1\nclass _Hidden: ...\ndef Make(): ...\n_Alias = int\nT_max = 3"
    assert list(types(source)) == []


def test_every_pair_is_defined_in_both_protocols() -> None:
    modules = sources()
    player = {name for module, text in modules.items() if module.startswith(PLAYER) for name in types(text)}
    assert player & set(types(modules[STAFF])) == PROTOCOL_PAIRS
