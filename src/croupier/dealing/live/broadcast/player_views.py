"""Personal views: made of the machine's record of a player, and of a record that the broadcaster keeps."""

from dataclasses import dataclass, field
from itertools import starmap
from typing import NamedTuple, Protocol

from croupier.admission.balances import NOTHING
from croupier.dealing.live.broadcast.encoding_cache import EncodingCache
from croupier.protocol.wire import PlayerDecision, PlayerResult, PlayerState, StakeResult
from croupier.rounds.round_events import stakes
from croupier.tables.live.effects import Settle, Void
from croupier.tables.live.round_play import Wagers
from croupier.tables.live.scaling import ScaledLines
from croupier.tables.live.state import TablePlayer

Ended = tuple[Settle | Void, str]
"""The end of a player's round, and the game number."""


class CashAndStakes(Protocol):
    """A player's balance in one currency."""

    @property
    def cash_minor(self) -> int: ...

    @property
    def in_play_minor(self) -> int: ...

    @property
    def unknown(self) -> bool: ...


class PlayerHistory(NamedTuple):
    """A player's last bet at the table, and how their last round ended."""

    bet: Wagers = ()
    ended: Ended | None = None


NO_HISTORY = PlayerHistory()


class PlayerView(NamedTuple):
    """The part of a personal view that isn't in the machine's record, at the state that is published."""

    history: PlayerHistory
    at_maximum: tuple[str, ...]
    balance: CashAndStakes


def _result(ended: Ended) -> PlayerResult:
    end, number = ended
    if isinstance(end, Void):
        staked = end.staked_minor
        return PlayerResult(end.round, number, staked, staked, True, end.reason, ())
    of_stakes = (
        end.lines.each(StakeResult) if isinstance(end.lines, ScaledLines) else starmap(StakeResult, end.lines)
    )
    return PlayerResult(end.round, number, end.staked_minor, end.returned_minor, False, "", tuple(of_stakes))


@dataclass(slots=True)
class PlayerRecord:
    """The facts about a player that a live table's messages need.

    `name`: as others see it. `balance`: at the player's last personal view.
    """

    name: str
    history: PlayerHistory = NO_HISTORY
    at_maximum: tuple[str, ...] = ()
    balance: CashAndStakes = NOTHING
    seen_ms: int = 0
    stakes: EncodingCache[Wagers] = field(default_factory=lambda: EncodingCache(stakes))
    result: EncodingCache[Ended] = field(default_factory=lambda: EncodingCache(_result))


def player_state(
    player: TablePlayer, seats: tuple[int, ...], record: PlayerRecord, view: PlayerView, *, bets_open: bool
) -> PlayerState:
    """Return a player's personal view, made of their own records and no other's."""
    ended = view.history.ended
    return PlayerState(
        currency=player.currency,
        balance_minor=view.balance.cash_minor,
        in_play_minor=view.balance.in_play_minor,
        seats=seats,
        stakes=record.stakes(player.bet),
        held_minor=player.held_minor,
        can_undo=bets_open and bool(player.earlier_bets),
        at_maximum=view.at_maximum,
        made=_decisions(player),
        last_stakes=record.stakes(view.history.bet),
        result=record.result(ended) if ended else None,
        unknown=view.balance.unknown,
    )


def _decisions(player: TablePlayer) -> tuple[PlayerDecision, ...]:
    made = [PlayerDecision(*made.at, made.action, made.by, False) for made in player.earlier_decisions]
    if player.decisions or player.ahead:  # few have any, of the thousands that are sent at once
        made += [PlayerDecision(*made.at, made.action, made.by, True) for made in player.decisions]
        made += [PlayerDecision(*at, choice.action, "ahead", True) for at, choice in player.ahead]
    return tuple(made)
