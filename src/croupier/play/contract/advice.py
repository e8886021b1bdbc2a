"""What a game with decisions tells a player who asks how to decide, and how their decisions are counted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from croupier.play.contract.wants import Decision


@dataclass(frozen=True, slots=True)
class GameAdvice:
    """`Any` is the game's own round: it holds no card that hasn't been seen, so no advice shows one."""

    option_values: Callable[[Any, Decision], Mapping[str, float]]
    """What each option on offer nets on average, in initial stakes, when the hand is played on at its best.

    It may take a second: it is asked in a process of its own.
    """
    kind: Callable[[Any, Decision], str]
    """The kind of decision, by which a player's own decisions are counted: one of `kinds`."""
    kinds: Mapping[str, str]
    """What the kinds are called, in the order in which they are told."""
    describe: Callable[[Any, Decision], str]
    """What is decided about, in a few words: `A-7 against 6`."""
