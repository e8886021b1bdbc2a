"""Requests to the driver that are still unanswered."""

from croupier.tables.live.effects import Effect, Hold, Raise, RequestCard, RequestRound, RequestShuffle
from croupier.tables.live.state import State, TablePlayer


def outstanding(state: State) -> tuple[Effect, ...]:
    """Return the unanswered requests, to be made again after a restart."""
    pending = [_hold(state, player) for player in state.players.values() if player.pending_hold]
    cancelled = [
        Hold(player, held.currency, round_, hold, held.amount_minor)
        for (player, round_, hold), held in state.cancelled_holds.items()
    ]
    return (*pending, *cancelled, *_table_requests(state))


def _hold(state: State, player: TablePlayer) -> Effect:
    hold = player.pending_hold
    assert hold is not None
    kind = Hold if hold.decision is None else Raise
    return kind(player.name, player.currency, state.round, hold.hold, hold.amount_minor)


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
