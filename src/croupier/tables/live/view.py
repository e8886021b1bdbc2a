"""Views of a live table: projections of the state for players, watchers and the dealer.

A player's bets are hidden from others until the close, and at a shared deal always. A view is made for a
group of players; a player's own part is in TablePlayer.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from croupier.play.contract.live import Path
from croupier.play.contract.wants import Choice
from croupier.tables.live.phases import DEALT_PHASES, Light, Phase, light
from croupier.tables.live.state import State

UNIT_MINOR = 100
"""The stake on every bet in the view of a shared deal."""
UNLIMITED_MINOR = 2**53
"""A balance that covers everything: clients compare costs with their own balance."""


class Clock(Struct, frozen=True):
    """The phase of the round. `left_ms` replaces `deadline_ms` while the table is paused."""

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
    """The dealer's view: the open request, the occupied seats and, after the close, the round.

    `dealt`: the answers that a manager can still correct; see RoundCheckpoint.
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
        ask=state.ask,
        players=len(state.players),
        seats=_seats(state),
        round=shared_view(state, next(groups(state))),
        dealt=state.checkpoint.dealt if state.checkpoint else (),
        shoe=state.shoe,
        cut_card=state.cut_card,
    )


def group(state: State, player: str) -> Path:
    """Return the group of a viewer: their path at a shared deal, the first path for a watcher.

    At a table of seats there is one group.
    """
    return state.play.group(player) if state.play else ()


def groups(state: State) -> Iterator[Path]:
    """Yield all groups, with or without viewers."""
    yield from state.play.groups if state.play else ((),)


def shared_view(state: State, group: Path) -> Struct | None:
    """Return the game's view for a group: UNIT_MINOR on every bet, or the real stakes at seats.

    None until the bets are closed. It omits a bet that no player has if the deal can't settle it.
    """
    if state.play is None or state.phase not in (*DEALT_PHASES, "pause"):
        return None
    round_ = state.play.shown_round(group, UNIT_MINOR)
    if state.setup.seats and state.window:
        round_ = _decided(state, round_)
    return state.setup.table.game.show(round_, UNLIMITED_MINOR)


def _decided(state: State, round_: Any) -> Any:
    """Apply the decisions of the open window: at a table of seats each is broadcast at once."""
    made = [one for player in state.players.values() for one in player.decisions]
    for one in sorted(made, key=lambda one: one.at):
        want = next(want for want in round_.wants() if want.to == one.at)
        round_ = round_.answer(want, Choice(one.action, one.stake_minor))
    return round_


def result(state: State) -> str:
    """Return the result of the round just settled, in the game's word for the lobby; otherwise empty."""
    if state.play is None or state.phase != "pause":
        return ""
    return state.setup.live.result(state.play.shown_round(next(groups(state)), UNIT_MINOR))


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
