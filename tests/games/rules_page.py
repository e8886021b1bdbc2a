"""Draws `docs/rules/tables.md`: `python -m tests.games.rules_page > docs/rules/tables.md`."""

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from croupier.games import games, published_tables
from croupier.play.contract.game import Game, PublishedReturn
from croupier.play.tables.files import TableFields
from croupier.play.tables.toml_blocks import convert, fields

HEAD = """\
# The published tables, field by field

Drawn from each game's `variants.toml` by `tests/games/rules_page.py`; a test holds it current. For each game
first what its tables are, with stakes in the currencies' own units, then their rules. A field of which no
table of a game says anything is left out. What a field of the rules decides is said in the game's `rules.py`,
which clauses it tells on the game's own page here."""


def page() -> str:
    """A section a game."""
    return "\n".join([HEAD, *(line for game in games().values() for line in _section(game))]) + "\n"


def _section(game: Game) -> Iterator[str]:
    """A row a field, a column a table: of the table, of its rules, and those of these that are paytables."""
    tables = {name: table for name, table in published_tables().items() if table.game is game}
    values = {
        field: [getattr(table.rules, field) for table in tables.values()]
        for field in game.rules.__struct_fields__
    }
    lists = [field for field, each in values.items() if any(map(_is_list, each))]
    yield from ("", f"## {game.title}", "", *_head(tables), *_of_tables(game), "", *_head(tables))
    yield from (_field(field, each) for field, each in values.items() if field not in lists)
    if lists:
        yield from ("", *_head(tables), *(_field(field, values[field]) for field in lists))


def _of_tables(game: Game) -> Iterator[str]:
    """What a block says beside the rules; limits of kinds are a row each."""
    blocks = tomllib.loads(game.variants).values()
    own = fields(TableFields)
    told = [
        convert({key: value for key, value in block.items() if key in own}, TableFields) for block in blocks
    ]
    for field in own[1:]:
        values = [getattr(table, field) for table in told]
        if field == "kind_limits":
            yield from _of_kinds(values)
        elif any(values):
            yield _field(field, values)


def _of_kinds(limits: Sequence[Mapping[str, Mapping[str, str]]]) -> Iterator[str]:
    for kind in dict.fromkeys(kind for table in limits for kind in table):
        yield _field(f"kind_limits.{kind}", [table.get(kind, {}) for table in limits])


def _field(field: str, values: Iterable[Any]) -> str:
    return _row([f"`{field}`", *map(_cell, values)])


def _is_list(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(line, str) for line in value)


def _cell(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case dict():
            return "; ".join(f"{name} {what}" for name, what in value.items()) or "none"
        case tuple():
            return _numbers(value) or _listed(value) or "none"
        case _:
            return str(value)


def _listed(values: tuple[Any, ...]) -> str:
    match values:
        case (PublishedReturn(), *_):
            return "; ".join(f"{line.bet} {line.percent} % of {line.of}" for line in values)
        case (tuple(), *_):
            return "; ".join(" and ".join(bets) for bets in values)
        case _:
            return ", ".join(map(str, values))


def _numbers(value: tuple[Any, ...]) -> str:
    """A run of whole numbers by its ends; empty: it is no such run."""
    run = len(value) > 3 and isinstance(value[0], int) and value == tuple(range(value[0], value[-1] + 1))
    return f"{value[0]}-{value[-1]}" if run else ""


def _head(tables: Collection[str]) -> Iterator[str]:
    yield _row(["field", *(f"`{name}`" for name in tables)])
    yield "|---" * (len(tables) + 1) + "|"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print(page(), end="")
