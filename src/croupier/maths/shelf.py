"""Compiled automata kept on disk between commands, each under a hash of all that it was made from."""

import sys
from contextlib import suppress
from hashlib import sha256
from os import getpid
from pathlib import Path
from typing import Any

import msgspec

from croupier.cache import cache_folder, sources_digest
from croupier.maths.automaton import Automaton, Ends
from croupier.maths.compile import compiled
from croupier.play.game import Game

SOURCES = ("equipment", "games", "maths", "play")
"""The rooms that an automaton is made in: an edit to any of their files makes it anew."""


def automaton_of(
    game: Game, rules: Any, strategy: str, *, shoe_goes_on: bool = False, side: str = ""
) -> Automaton[Ends]:
    """The automaton of one of the game's named strategies. ValueError names those there are."""
    assert game.model is not None, f"{game.name} has no model to compile"
    if strategy not in game.model.strategies:
        raise ValueError(f"no strategy {strategy!r}; allowed are: {', '.join(game.model.strategies)}")
    strategy = game.model.sides[side].strategy if side else strategy
    place = cache_folder() / f"{_key(game, rules, strategy, shoe_goes_on, side)}.msgpack"
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.msgpack.decode(place.read_bytes(), type=Automaton[Ends])
    player = game.model.strategies[strategy](rules)
    made = compiled(game, rules, player, shoe_goes_on=shoe_goes_on, side=side)
    _keep(place, made)
    return made


def _keep(place: Path, automaton: Automaton[Ends]) -> None:
    """Whole or not at all; where nothing can be kept it is made again next time."""
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        written = place.with_suffix(f".{getpid()}")
        written.write_bytes(msgspec.msgpack.encode(automaton))
        written.replace(place)


def _key(game: Game, rules: Any, strategy: str, shoe_goes_on: bool, side: str) -> str:
    told = (sources_digest(SOURCES), sys.version, game.name, repr(rules), strategy, shoe_goes_on, side)
    return sha256(repr(told).encode()).hexdigest()
