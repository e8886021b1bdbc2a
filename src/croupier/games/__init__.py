"""The games of the house, found by their folders: a new game is one new folder with a `GAME`."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from croupier.play.contract.game import Game, Table
from croupier.play.tables.files import read_tables
from croupier.play.tables.toml_blocks import InvalidFile


@cache
def games() -> dict[str, Game]:
    """Every game by its name."""
    found = map(_game, (module.name for module in iter_modules(__path__)))
    return {game.name: game for game in found}


def _game(name: str) -> Game:
    game = getattr(import_module(f"{__name__}.{name}"), "GAME", None)
    if not isinstance(game, Game):
        raise InvalidFile(f"games/{name} has no GAME")
    return game


@cache
def published_tables() -> dict[str, Table]:
    """The tables that come with the games, by id. InvalidFile when two games bring a table of one name."""
    tables: dict[str, Table] = {}
    for game in games().values():
        brought = read_tables(game.variants, games(), f"{game.name}/variants.toml")
        for name in brought.keys() & tables.keys():
            raise InvalidFile(f"{game.name}/variants.toml: [{name}] is a table of {tables[name].game.name}'s")
        tables |= brought
    return tables


def add_folder(folder: str) -> None:
    """The games of another folder join the house's own; they import themselves as `croupier.games.NAME` too.

    To be called before anything has asked for the games. InvalidFile when the folder has none, or one that
    can't be used.
    """
    own, theirs = ({module.name for module in iter_modules(path)} for path in (__path__, [folder]))
    if not theirs:
        raise InvalidFile(f"{folder} has no games: a game is a folder in it with an __init__.py and a GAME")
    for name in sorted(own & theirs):
        raise InvalidFile(f"{folder}/{name}: the house has a game of that name; give yours another")
    __path__.append(folder)
    games.cache_clear()
    published_tables.cache_clear()
    published_tables()
