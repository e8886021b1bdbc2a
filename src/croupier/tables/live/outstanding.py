"""What was asked of the driver and isn't answered yet."""

from croupier.tables.live.effects import Effect, Hold, Raise, RequestCard, RequestRound, RequestShuffle
from croupier.tables.live.state import State, TablePlayer


def outstanding(state: State) -> tuple[Effect, ...]:
    """What was asked of the driver and isn't answered yet: to be asked again after a restart."""
    asked = [_asked(state, player) for player in state.players.values() if player.asked]
    dropped = [
        Hold(player, dropped.currency, round_, hold, dropped.amount_minor)
        for (player, round_, hold), dropped in state.dropped.items()
    ]
    return (*asked, *dropped, *_of_the_floor(state))


def _asked(state: State, player: TablePlayer) -> Effect:
    assert player.asked is not None
    kind = Hold if player.asked.decision is None else Raise
    return kind(player.name, player.currency, state.round, player.asked.hold, player.asked.amount_minor)


def _of_the_floor(state: State) -> tuple[Effect, ...]:
    if state.phase == "opening":
        return (RequestRound(),)
    if state.phase == "closed":
        return ()
    unready = {*range(state.setup.cards.shoes)} - state.ready
    in_use = set() if state.phase == "shuffling" else {state.shoe}
    shuffles = tuple(map(RequestShuffle, sorted(unready - in_use)))
    if state.paused or state.want is None:
        return shuffles
    return (*shuffles, RequestCard(state.want, state.wanted, state.asks))
