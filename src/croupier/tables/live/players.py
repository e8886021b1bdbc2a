"""The players at the table: their devices, seats and restrictions."""

from collections.abc import Collection

from msgspec.structs import replace

from croupier.refusal import Refused
from croupier.tables.live.betting import return_bet
from croupier.tables.live.effects import Notify
from croupier.tables.live.holds import known_player
from croupier.tables.live.inputs import Disconnected, Joined, Left, Restricted, SatDown, StoodUp
from croupier.tables.live.notices import DeviceReplaced, SeatOccupied, SeatVacated
from croupier.tables.live.phases import BETTING_PHASES
from croupier.tables.live.player_map import PlayerMap
from croupier.tables.live.state import Change, State, TablePlayer


def join(change: Change, given: Joined) -> Change:
    """Add the player, or connect them again; a second device replaces the first (003)."""
    if given.currency not in change.state.setup.table.limits:
        raise Refused("no_such_currency", currency=given.currency)
    player = change.state.players.get(given.player)
    if player is None:
        return change.put_player(TablePlayer(given.player, given.currency, given.device))
    if player.currency != given.currency and _at_risk(player):
        raise Refused("in_play")
    if player.device and player.device != given.device:
        change = change.emit(Notify(player.name, DeviceReplaced(given.device)))
    return change.put_player(replace(player, device=given.device, currency=given.currency, left=False))


def disconnect(change: Change, given: Disconnected) -> Change:
    """Disconnect the player, unless another device has replaced this one."""
    player = known_player(change.state, given.player)
    if player.device != given.device:
        return change
    return _away(change, replace(player, device=""))


def leave(change: Change, given: Left) -> Change:
    """Vacate the player's seats at once, or once the stakes at risk are settled.

    A player who had holds in this round is kept until it is over: the hold numbers must continue if the
    player returns.
    """
    change = _away(change, replace(known_player(change.state, given.player), device="", left=True))
    player = change.state.players[given.player]
    if player.holds:
        return change if _at_risk(player) else _vacate(change, seats_of(change.state, player.name))
    return remove(change, {player.name})


def _away(change: Change, player: TablePlayer) -> Change:
    change = change.put_player(player)
    return return_bet(change, player) if change.state.phase in BETTING_PHASES else change


def sit_down(change: Change, given: SatDown) -> Change:
    state, player = change.state, known_player(change.state, given.player)
    if not 0 <= given.seat < state.setup.seats:
        raise Refused("no_such_seat", seat=given.seat, seats=state.setup.seats)
    if given.seat in state.seats:
        raise Refused("seat_taken", seat=given.seat)
    if len(seats_of(state, player.name)) >= state.setup.seats_each:
        raise Refused("no_more_seats", seats=state.setup.seats_each)
    seats = dict(sorted({**state.seats, given.seat: player.name}.items()))
    return change.put(seats=seats).broadcast(SeatOccupied(given.seat, player.name))


def stand_up(change: Change, given: StoodUp) -> Change:
    """Vacate the seat, and return an open bet; Refused while the player's stakes are in play."""
    state, player = change.state, known_player(change.state, given.player)
    if state.seats.get(given.seat) != player.name:
        raise Refused("not_your_seat", seat=given.seat)
    if _at_risk(player):
        if state.phase not in BETTING_PHASES:
            raise Refused("in_play")
        change = return_bet(change, player)
    return _vacate(change, [given.seat])


def restrict(change: Change, given: Restricted) -> Change:
    return change.put_player(replace(known_player(change.state, given.player), restricted=given.rule))


def remove_absent(change: Change) -> Change:
    """Remove every player without a device, between rounds."""
    return remove(change, {player.name for player in change.state.players.values() if not player.device})


def remove(change: Change, names: Collection[str]) -> Change:
    change = change.put(players=change.state.players.without(names))
    return _vacate(change, [seat for seat, name in change.state.seats.items() if name in names])


def _vacate(change: Change, seats: list[int]) -> Change:
    for seat in seats:
        rest = {other: name for other, name in change.state.seats.items() if other != seat}
        change = change.put(seats=rest).broadcast(SeatVacated(seat))
    return change


def seats_of(state: State, name: str) -> list[int]:
    return [seat for seat, owner in state.seats.items() if owner == name]


def _at_risk(player: TablePlayer) -> bool:
    return bool(player.held_minor or player.pending_hold)


def reset_players(players: PlayerMap[TablePlayer]) -> PlayerMap[TablePlayer]:
    """Return the players without their bets and decisions, for a new round."""
    return players.each(_reset)


def _reset(player: TablePlayer) -> TablePlayer:
    return TablePlayer(player.name, player.currency, player.device, player.left, player.restricted)
