"""Who is at the table, on which device, and on which seat."""

from collections.abc import Collection

from msgspec.structs import replace

from croupier.refusal import Refused
from croupier.tables.live.betting import returned
from croupier.tables.live.effects import Notify
from croupier.tables.live.holds import known
from croupier.tables.live.inputs import Disconnected, Joined, Left, Restricted, SatDown, StoodUp
from croupier.tables.live.notices import DeviceReplaced, SeatOccupied, SeatVacated
from croupier.tables.live.phases import BETTING_PHASES
from croupier.tables.live.player_map import PlayerMap
from croupier.tables.live.state import Change, State, TablePlayer


def joined(change: Change, given: Joined) -> Change:
    """New at the table, back at it, or on a second device: the first is left (003)."""
    if given.currency not in change.state.setup.table.limits:
        raise Refused("no_such_currency", currency=given.currency)
    player = change.state.players.get(given.player)
    if player is None:
        return change.player(TablePlayer(given.player, given.currency, given.device))
    if player.currency != given.currency and _at_risk(player):
        raise Refused("in_play")
    if player.device and player.device != given.device:
        change = change.do(Notify(player.name, DeviceReplaced(given.device)))
    return change.player(replace(player, device=given.device, currency=given.currency, gone=False))


def disconnected(change: Change, given: Disconnected) -> Change:
    """Nothing, when he has opened the table on another device meanwhile."""
    player = known(change.state, given.player)
    if player.device != given.device:
        return change
    return _away(change, replace(player, device=""))


def left(change: Change, given: Left) -> Change:
    """His seats are free at once, or when what he has at risk is settled.

    Who has had money set aside is known until the round is over: its holds are counted on if he comes back.
    """
    change = _away(change, replace(known(change.state, given.player), device="", gone=True))
    player = change.state.players[given.player]
    if player.holds:
        return change if _at_risk(player) else _freed(change, seats_of(change.state, player.name))
    return removed(change, {player.name})


def _away(change: Change, player: TablePlayer) -> Change:
    change = change.player(player)
    return returned(change, player) if change.state.phase in BETTING_PHASES else change


def sat(change: Change, given: SatDown) -> Change:
    state, player = change.state, known(change.state, given.player)
    if not 0 <= given.seat < state.setup.seats:
        raise Refused("no_such_seat", seat=given.seat, seats=state.setup.seats)
    if given.seat in state.seats:
        raise Refused("seat_taken", seat=given.seat)
    if len(seats_of(state, player.name)) >= state.setup.seats_each:
        raise Refused("no_more_seats", seats=state.setup.seats_each)
    seats = dict(sorted({**state.seats, given.seat: player.name}.items()))
    return change.put(seats=seats).tell(SeatOccupied(given.seat, player.name))


def stood_up(change: Change, given: StoodUp) -> Change:
    """Refused once the seat has a bet that can't be taken back."""
    state, player = change.state, known(change.state, given.player)
    if state.seats.get(given.seat) != player.name:
        raise Refused("not_your_seat", seat=given.seat)
    if _at_risk(player):
        if state.phase not in BETTING_PHASES:
            raise Refused("in_play")
        change = returned(change, player)
    return _freed(change, [given.seat])


def restricted(change: Change, given: Restricted) -> Change:
    return change.player(replace(known(change.state, given.player), restricted=given.rule))


def swept(change: Change) -> Change:
    """Between rounds: whoever is away is no longer at the table, and his seats are free."""
    return removed(change, {player.name for player in change.state.players.values() if not player.device})


def removed(change: Change, names: Collection[str]) -> Change:
    change = change.put(players=change.state.players.without(names))
    return _freed(change, [seat for seat, name in change.state.seats.items() if name in names])


def _freed(change: Change, seats: list[int]) -> Change:
    for seat in seats:
        rest = {other: name for other, name in change.state.seats.items() if other != seat}
        change = change.put(seats=rest).tell(SeatVacated(seat))
    return change


def seats_of(state: State, name: str) -> list[int]:
    return [seat for seat, owner in state.seats.items() if owner == name]


def _at_risk(player: TablePlayer) -> bool:
    return bool(player.held_minor or player.asked)


def cleared(players: PlayerMap[TablePlayer]) -> PlayerMap[TablePlayer]:
    """The players as a new round finds them."""
    return players.each(_cleared)


def _cleared(player: TablePlayer) -> TablePlayer:
    return TablePlayer(player.name, player.currency, player.device, player.gone, player.restricted)
