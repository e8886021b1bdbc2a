"""What a live table remembers of each player beside the machine's record of him."""

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from croupier.play.contract.bets import Wager
from croupier.protocol.wire import PlayerDecision, PlayerState
from croupier.runtime.balances import NOTHING
from croupier.runtime.live.broadcast.encoded_stakes import Ended, Kept, result, write
from croupier.runtime.round_events import stakes
from croupier.tables.live.state import TablePlayer

Wagers = tuple[Wager, ...]


class Money(Protocol):
    """What a player has of a currency."""

    @property
    def cash_minor(self) -> int: ...

    @property
    def in_play_minor(self) -> int: ...


def _written(wagers: Wagers) -> bytes:
    return write(stakes(wagers))


class Past(NamedTuple):
    """What rounds have left of a player: his bet in the last one he bet in, and the last one that ended."""

    bet: Wagers = ()
    ended: Ended | None = None


class Part(NamedTuple):
    """What is a player's own at one state of the table, beside the machine's record of them.

    It is taken when that state is told, and doesn't change when it takes a while to reach the player.
    """

    past: Past
    at_maximum: tuple[str, ...]
    held: Money


@dataclass(slots=True)
class Place:
    """`name` is what others see of him; `held` what he had when he was told something of his own last.

    `stakes` and `result` write what is told of his bets and of what became of them.
    """

    name: str
    past: Past = field(default_factory=Past)
    at_maximum: tuple[str, ...] = ()
    held: Money = NOTHING
    seen_ms: int = 0
    stakes: Kept[Wagers] = field(default_factory=lambda: Kept(_written))
    result: Kept[Ended] = field(default_factory=lambda: Kept(result))


def mine(
    player: TablePlayer, seats: tuple[int, ...], place: Place, part: Part, *, bets_open: bool
) -> PlayerState:
    """A player's own part of the table: made of his own records and no other's.

    `part` is what he has there, or will have once his round has ended.
    """
    return PlayerState(
        currency=player.currency,
        balance_minor=part.held.cash_minor,
        in_play_minor=part.held.in_play_minor,
        seats=seats,
        stakes=place.stakes(player.bet),
        held_minor=player.held_minor,
        can_undo=bets_open and bool(player.before),
        at_maximum=part.at_maximum,
        made=_made(player),
        last_stakes=place.stakes(part.past.bet),
        result=place.result(part.past.ended) if part.past.ended else None,
    )


def _made(player: TablePlayer) -> tuple[PlayerDecision, ...]:
    """Thousands are told at once, most of whom have nothing waiting."""
    made = [PlayerDecision(*made.at, made.action, made.by, False) for made in player.made]
    if player.decided or player.ahead:
        made += [PlayerDecision(*made.at, made.action, made.by, True) for made in player.decided]
        made += [PlayerDecision(*at, choice.action, "ahead", True) for at, choice in player.ahead]
    return tuple(made)
