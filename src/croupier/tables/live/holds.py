"""Holds of players' money: requested, released, cancelled, and answers to cancelled ones."""

from msgspec.structs import replace

from croupier.play.contract.bets import Wager
from croupier.refusal import Refused
from croupier.tables.live.effects import Hold, Raise, Release
from croupier.tables.live.inputs import HoldPlaced, HoldRefused
from croupier.tables.live.state import CancelledHold, Change, PendingHold, State, TablePlayer


def known_player(state: State, name: str) -> TablePlayer:
    """Return the player; Refused when they aren't at the table."""
    player = state.players.get(name)
    if player is None:
        raise Refused("not_at_the_table", player=name)
    return player


def total_stake(wagers: tuple[Wager, ...]) -> int:
    return sum([wager.stake_minor for wager in wagers])


def request_hold(change: Change, player: TablePlayer, hold: PendingHold) -> Change:
    """Ask the driver to hold more; HoldPlaced or HoldRefused answers."""
    waiting = replace(player, pending_hold=hold, holds=hold.hold)
    effect = hold_effect(change.state, player, hold)
    return change.put_player(waiting, pending_holds=change.state.pending_holds + 1).emit(effect)


def hold_effect(state: State, player: TablePlayer, hold: PendingHold) -> Hold | Raise:
    of = player.name, player.currency, state.round, hold.hold, hold.amount_minor
    return Raise(*of) if hold.decision else Hold(*of, player.held_minor + hold.amount_minor)


def release(change: Change, player: TablePlayer, amount_minor: int) -> tuple[Change, TablePlayer]:
    """Release this much of the held money, nothing for 0. The caller puts the returned player."""
    if not amount_minor:
        return change, player
    assert 0 < amount_minor <= player.held_minor, f"{player.name}: {amount_minor} of {player.held_minor}"
    after = replace(player, held_minor=player.held_minor - amount_minor, holds=player.holds + 1)
    effect = Release(player.name, player.currency, change.state.round, after.holds, amount_minor)
    return change.emit(effect), after


def cancel_hold(change: Change, player: TablePlayer) -> Change:
    """Cancel the player's pending hold: if it is still placed, it is released at once."""
    if player.pending_hold is None:
        return change
    key = (player.name, change.state.round, player.pending_hold.hold)
    cancelled = CancelledHold(player.currency, player.pending_hold.amount_minor)
    return change.put_player(
        replace(player, pending_hold=None),
        cancelled_holds={**change.state.cancelled_holds, key: cancelled},
        pending_holds=change.state.pending_holds - 1,
    )


def take_answer(
    change: Change, given: HoldPlaced | HoldRefused
) -> tuple[Change, TablePlayer, PendingHold] | Change:
    """Return the change, the player without their pending hold, to be put by the caller, and that hold.

    Only the change, when the hold had been cancelled.
    """
    state, key = change.state, given.key
    if key in state.cancelled_holds:
        return _late_answer(change, given, state.cancelled_holds[key])
    player = state.players.get(given.player)
    hold = player.pending_hold if player and given.round == state.round else None
    if player is None or hold is None or hold.hold != given.hold:
        raise Refused("no_such_hold", player=given.player, hold=given.hold)
    return change.put(pending_holds=state.pending_holds - 1), replace(player, pending_hold=None), hold


def _late_answer(change: Change, given: HoldPlaced | HoldRefused, cancelled: CancelledHold) -> Change:
    """Release a cancelled hold that was placed, under the number it was placed with."""
    others = {key: hold for key, hold in change.state.cancelled_holds.items() if key != given.key}
    change = change.put(cancelled_holds=others)
    if isinstance(given, HoldRefused):
        return change
    effect = Release(given.player, cancelled.currency, given.round, given.hold, cancelled.amount_minor)
    return change.emit(effect)
