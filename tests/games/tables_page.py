"""Generate `docs/rules/tables.md`: `python -m tests.games.tables_page > docs/rules/tables.md`."""

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from croupier.games import games, published_tables
from croupier.play.contract.game import Game, PublishedReturn, RulesVersion
from croupier.play.tables.files import TableFields
from croupier.play.tables.toml_blocks import convert, fields

HEAD = """\
# The published tables, field by field

Generated from each game's `variants.toml` by `tests/games/tables_page.py`; a test keeps it current. For
each game, this page lists the fields of the tables, with stakes in the main unit of each currency, then the
fields of the rules. Fields that no table of the game sets are omitted. The game's `rules.py` describes what
each field of the rules decides, and the game's page lists the clauses that it implements."""


def page() -> str:
    """Return the page, with a section for each game."""
    return "\n".join([HEAD, *(line for game in games().values() for line in _section(game))]) + "\n"


def _section(game: Game) -> Iterator[str]:
    """Yield tables with a row for each field: of the table, of its rules, and of its paytables."""
    tables = {name: table for name, table in published_tables().items() if table.game is game}
    values = {
        field: [getattr(table.rules, field) for table in tables.values()]
        for field in game.rules.__struct_fields__
    }
    paytables = [field for field, by_table in values.items() if any(map(_is_list, by_table))]
    yield from ("", f"## {game.title}", "", *_header(tables), *_table_fields(game), "", *_header(tables))
    yield from (_field(field, by_table) for field, by_table in values.items() if field not in paytables)
    if paytables:
        yield from ("", *_header(tables), *(_field(field, values[field]) for field in paytables))


def _table_fields(game: Game) -> Iterator[str]:
    """Yield the fields of a table beside its rules, with a row for each kind of limit."""
    blocks = tomllib.loads(game.variants).values()
    names = fields(TableFields)
    table_fields = [
        convert({key: value for key, value in block.items() if key in names}, TableFields) for block in blocks
    ]
    for field in names[1:]:
        values = [getattr(table, field) for table in table_fields]
        if field == "kind_limits":
            yield from _kind_limits(values)
        elif any(values):
            yield _field(field, values)


def _kind_limits(limits: Sequence[Mapping[str, Mapping[str, str]]]) -> Iterator[str]:
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
            return _number_range(value) or _joined(value) or "none"
        case _:
            return str(value)


def _joined(values: tuple[Any, ...]) -> str:
    match values:
        case (PublishedReturn(), *_):
            return "; ".join(f"{line.bet} {line.percent} % of {line.of}" for line in values)
        case (RulesVersion(), *_):
            return "; ".join(f"{line.version}: {line.changes}" for line in values)
        case (tuple(), *_):
            return "; ".join(" and ".join(bets) for bets in values)
        case _:
            return ", ".join(map(str, values))


def _number_range(value: tuple[Any, ...]) -> str:
    """Return a run of whole numbers as its ends, or an empty text for other values."""
    run = len(value) > 3 and isinstance(value[0], int) and value == tuple(range(value[0], value[-1] + 1))
    return f"{value[0]}-{value[-1]}" if run else ""


def _header(tables: Collection[str]) -> Iterator[str]:
    yield _row(["field", *(f"`{name}`" for name in tables)])
    yield "|---" * (len(tables) + 1) + "|"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print(page(), end="")
