"""The registry of games, found by their folders: a game is a folder with a `GAME`."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from croupier.play.contract.amounts import CURRENCIES, Currency
from croupier.play.contract.game import Game, Table
from croupier.play.tables.files import read_tables
from croupier.play.tables.toml_blocks import InvalidFile


@cache
def games() -> dict[str, Game]:
    """Return all games by name."""
    found = map(_game, (module.name for module in iter_modules(__path__)))
    return {game.name: game for game in found}


def _game(name: str) -> Game:
    game = getattr(import_module(f"{__name__}.{name}"), "GAME", None)
    if not isinstance(game, Game):
        raise InvalidFile(f"games/{name} has no GAME")
    return game


def published_tables(currencies: Mapping[str, Currency] = CURRENCIES) -> dict[str, Table]:
    """Return the games' own tables by id, with limits in these currencies.

    InvalidFile if two games have a table of the same name, or if the currencies don't have its limits.
    """
    return _published_tables(tuple(currencies.values()))


@cache
def _published_tables(currencies: tuple[Currency, ...]) -> dict[str, Table]:
    tables: dict[str, Table] = {}
    by_code = {currency.code: currency for currency in currencies}
    for game in games().values():
        added = read_tables(game.variants, games(), f"{game.name}/variants.toml", by_code)
        for name in added.keys() & tables.keys():
            raise InvalidFile(f"{game.name}/variants.toml: [{name}] is a table of {tables[name].game.name}'s")
        tables |= added
    return tables


def add_folder(folder: str) -> None:
    """Add the games of another folder; they are importable as `croupier.games.NAME` too.

    Call it before any use of `games`. InvalidFile if the folder has no game or an invalid one.
    """
    own, theirs = ({module.name for module in iter_modules(path)} for path in (__path__, [folder]))
    if not theirs:
        raise InvalidFile(f"{folder} has no games: a game is a folder in it with an __init__.py and a GAME")
    for name in sorted(own & theirs):
        raise InvalidFile(f"{folder}/{name}: croupier has a game of that name; choose another")
    __path__.append(folder)
    games.cache_clear()
    _published_tables.cache_clear()
    published_tables()
