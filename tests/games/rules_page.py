"""Draws `docs/rules/tables.md`: `python -m tests.games.rules_page > docs/rules/tables.md`."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from croupier.games import games, published_tables
from croupier.play.game import Game, Table

HEAD = """\
# The published tables, field by field

Drawn from each game's `variants.toml` by `tests/games/rules_page.py`; a test holds it current. What a field
decides is said in the game's `rules.py`, which clauses it tells on the game's own page here."""


def page() -> str:
    """A section a game."""
    return "\n".join([HEAD, *(line for game in games().values() for line in _section(game))]) + "\n"


def _section(game: Game) -> Iterator[str]:
    """A row a field, a column a table; fields that are lists of lines, as paytables are, stand below."""
    tables = {name: table for name, table in published_tables().items() if table.game is game}
    values = {
        field: [getattr(table.rules, field) for table in tables.values()]
        for field in game.rules.__struct_fields__
    }
    lists = [field for field, each in values.items() if any(map(_is_list, each))]
    limits = _row(["limits, smallest units", *map(_limits, tables.values())])
    yield from ("", f"## {game.title}", "", *_head(tables))
    yield from (_field(field, each) for field, each in values.items() if field not in lists)
    yield limits
    if lists:
        yield from ("", *_head(tables), *(_field(field, values[field]) for field in lists))


def _field(field: str, values: Iterable[Any]) -> str:
    return _row([f"`{field}`", *map(_cell, values)])


def _is_list(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(line, str) for line in value)


def _cell(value: Any) -> str:
    if isinstance(value, tuple):
        return _numbers(value) or ", ".join(map(str, value)) or "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _numbers(value: tuple[Any, ...]) -> str:
    """A run of whole numbers by its ends; empty: it is no such run."""
    run = len(value) > 3 and isinstance(value[0], int) and value == tuple(range(value[0], value[-1] + 1))
    return f"{value[0]}-{value[-1]}" if run else ""


def _limits(table: Table) -> str:
    each = table.limits.items()
    return "; ".join(f"{code} {limits.min_minor:,}-{limits.max_minor:,}" for code, limits in each)


def _head(tables: Collection[str]) -> Iterator[str]:
    yield _row(["field", *(f"`{name}`" for name in tables)])
    yield "|---" * (len(tables) + 1) + "|"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print(page(), end="")
