"""Requests to the driver that are still unanswered."""

from croupier.tables.live.effects import Effect, Hold, RequestCard, RequestRound, RequestShuffle
from croupier.tables.live.holds import hold_effect
from croupier.tables.live.state import State


def outstanding(state: State) -> tuple[Effect, ...]:
    """Return the unanswered requests, to be made again after a restart."""
    pending = [
        hold_effect(state, player, player.pending_hold)
        for player in state.players.values()
        if player.pending_hold
    ]
    cancelled = [
        Hold(player, held.currency, round_, hold, held.amount_minor, held.amount_minor)
        for (player, round_, hold), held in state.cancelled_holds.items()
    ]
    return (*pending, *cancelled, *_table_requests(state))


def _table_requests(state: State) -> tuple[Effect, ...]:
    if state.phase == "opening":
        return (RequestRound(),)
    if state.phase == "closed":
        return ()
    unready = {*range(state.setup.cards.shoes)} - state.ready_shoes
    in_use = set() if state.phase == "shuffling" else {state.shoe}
    shuffles = tuple(map(RequestShuffle, sorted(unready - in_use)))
    if state.paused or state.want is None:
        return shuffles
    return (*shuffles, RequestCard(state.want, state.wanted, state.ask))
