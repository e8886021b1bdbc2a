"""croupier: the open platform for casino table games.

>>> import croupier
>>> croupier.table("live_baccarat").exact().best.strategy
'banker'

A game's name is its tables: `croupier.blackjack.table("infinite")`. See `croupier.api`.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.api import Study, table, table_names

__all__ = ["Study", "table", "table_names"]
__version__ = "0.1.0"
__date__ = "2026-11-21"
"""The day this version of the server was finished; shown on every table's rules page."""


def __getattr__(name: str) -> Any:
    """Import the mathematics on first use: a server that only deals doesn't need it."""
    if name in __all__:
        return getattr(_api(), name)
    if not name.startswith("_") and find_spec(f"croupier.games.{name}"):
        return _api().of_game(name)
    raise AttributeError(f"croupier has no {name!r}")


def _api() -> Any:
    """Import the mathematics; ModuleNotFoundError says how to install it."""
    import_module("croupier.extras").require("maths")
    return import_module("croupier.api")
