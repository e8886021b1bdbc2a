"""What may be seen of a live table: a projection made anew from the state, for whoever looks.

Nobody's bets are seen by another before the bets are closed; where everybody shares one deal, never. A view
is made for a group, of the table's own parts; what else is a player's own stands in his record.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from croupier.play.contract.live import Path
from croupier.play.contract.wants import Choice
from croupier.tables.live.phases import DEALT_PHASES, Light, Phase, light
from croupier.tables.live.state import State

UNIT_MINOR = 100
"""The stake on every bet in what a group sees, where all share one deal."""
UNLIMITED_MINOR = 2**53
"""A balance that covers everything: each viewer knows his own."""


class Clock(Struct, frozen=True):
    """Where the round is. `left_ms` instead of `deadline_ms` while the table is paused."""

    phase: Phase
    light: Light
    deadline_ms: int | None
    left_ms: int | None
    paused: str
    round: str
    number: str


class SeatView(Struct, frozen=True):
    seat: int
    player: str


class DealerView(Struct, frozen=True):
    """For who deals: what is wanted, which seats are taken, and since the close what lies on the table.

    `dealt`: what a manager can still correct, the answers since the last window closed or a fresh shoe's
    first card.
    """

    v: int
    clock: Clock
    wanted: str
    ask: int
    players: int
    seats: tuple[SeatView, ...]
    round: Struct | None
    dealt: tuple[str, ...]
    shoe: int
    cut_card: bool


def dealer_view(state: State) -> DealerView:
    return DealerView(
        v=state.v,
        clock=_clock(state),
        wanted=state.wanted,
        ask=state.asks,
        players=len(state.players),
        seats=_seats(state),
        round=shared_view(state, next(groups(state))),
        dealt=state.cut.dealt if state.cut else (),
        shoe=state.shoe,
        cut_card=state.cut_card,
    )


def group(state: State, player: str) -> Path:
    """Viewers of one group see the same: the path they went, where all share one deal; else all do.

    Who only watches looks at the first path.
    """
    return state.play.group(player) if state.play else ()


def groups(state: State) -> Iterator[Path]:
    """The groups there are now, whether or not anybody looks."""
    yield from state.play.groups if state.play else ((),)


def shared_view(state: State, group: Path) -> Struct | None:
    """The game's own view as a group sees it: UNIT_MINOR on every bet, or at seats the stakes that lie there.

    None until the bets are closed. The deal of a bet that nobody has may not settle it: it is left out.
    """
    if state.play is None or state.phase not in (*DEALT_PHASES, "pause"):
        return None
    round_ = state.play.shown(group, UNIT_MINOR)
    if state.setup.seats and state.window:
        round_ = _decided(state, round_)
    return state.setup.table.game.show(round_, UNLIMITED_MINOR)


def _decided(state: State, round_: Any) -> Any:
    """At a table of seats everybody is told each decision at once: what is decided isn't offered any more."""
    made = [one for player in state.players.values() for one in player.decided]
    for one in sorted(made, key=lambda one: one.at):
        want = next(want for want in round_.wants() if want.to == one.at)
        round_ = round_.answer(want, Choice(one.action, one.stake_minor))
    return round_


def result(state: State) -> str:
    """What came up in the round that has just been settled, in the game's word for the lobby; else empty."""
    if state.play is None or state.phase != "pause":
        return ""
    return state.setup.live.result(state.play.shown(next(groups(state)), UNIT_MINOR))


def _clock(state: State) -> Clock:
    return Clock(
        state.phase,
        light(state.phase, state.paused),
        state.deadline_ms,
        state.left_ms,
        state.paused,
        state.round,
        state.number,
    )


def _seats(state: State) -> tuple[SeatView, ...]:
    return tuple(SeatView(seat, name) for seat, name in state.seats.items())
