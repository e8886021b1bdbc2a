"""Compiled automata, cached between commands."""

import sys
from typing import Any

from croupier.cache import sources_digest
from croupier.maths.cache_entries import cached
from croupier.maths.exact.automaton import Automaton, Ends
from croupier.maths.exact.compile import compile_automaton
from croupier.play.contract.game import Game

SOURCES = ("equipment", "games", "maths", "play")
"""Packages that results are computed by; an edit to any of their files invalidates the cache."""


def cached_automaton(
    game: Game, rules: Any, strategy: str, *, reuse_shoe: bool = False, side: str = ""
) -> Automaton[Ends]:
    """Return the automaton of one of the game's named strategies. Raises ValueError for an unknown name."""
    assert game.model is not None, f"{game.name} has no model to compile"
    if strategy not in game.model.strategies:
        raise ValueError(f"no strategy {strategy!r}; allowed are: {', '.join(game.model.strategies)}")
    strategy = game.model.side_bets[side].strategy if side else strategy
    make = game.model.strategies[strategy]
    key = (sources_digest(*SOURCES), sys.version, game.name, repr(rules), strategy, reuse_shoe, side)
    return cached(
        "automaton",
        key,
        Automaton[Ends],
        lambda: compile_automaton(game, rules, make(rules), reuse_shoe=reuse_shoe, side=side),
    )
