"""Money set aside: asked for, given back, and what becomes of an answer that comes too late."""

from msgspec.structs import replace

from croupier.play.contract.bets import Wager
from croupier.refusal import Refused
from croupier.tables.live.effects import Hold, Raise, Release
from croupier.tables.live.inputs import HoldPlaced, HoldRefused
from croupier.tables.live.state import CancelledHold, Change, PendingHold, State, TablePlayer


def known(state: State, name: str) -> TablePlayer:
    """The player's record; Refused when he isn't at the table."""
    player = state.players.get(name)
    if player is None:
        raise Refused("not_at_the_table", player=name)
    return player


def staked(wagers: tuple[Wager, ...]) -> int:
    return sum([wager.stake_minor for wager in wagers])


def ask(change: Change, player: TablePlayer, asked: PendingHold) -> Change:
    """Asks the driver to set aside more: Held or HoldRefused answers."""
    kind = Hold if asked.decision is None else Raise
    waiting = replace(player, asked=asked, holds=asked.hold)
    effect = kind(player.name, player.currency, change.state.round, asked.hold, asked.amount_minor)
    return change.player(waiting, pending=change.state.pending + 1).do(effect)


def release(change: Change, player: TablePlayer, amount_minor: int) -> tuple[Change, TablePlayer]:
    """Gives back so much of what is set aside, nothing for 0; and the player, to be put."""
    if not amount_minor:
        return change, player
    assert 0 < amount_minor <= player.held_minor, f"{player.name}: {amount_minor} of {player.held_minor}"
    after = replace(player, held_minor=player.held_minor - amount_minor, holds=player.holds + 1)
    effect = Release(player.name, player.currency, change.state.round, after.holds, amount_minor)
    return change.do(effect), after


def drop(change: Change, player: TablePlayer) -> Change:
    """His hold that isn't answered is needed no more: if it succeeds, it is given back at once."""
    if player.asked is None:
        return change
    key = (player.name, change.state.round, player.asked.hold)
    dropped = {**change.state.dropped, key: CancelledHold(player.currency, player.asked.amount_minor)}
    return change.player(replace(player, asked=None), dropped=dropped, pending=change.state.pending - 1)


def answer(
    change: Change, given: HoldPlaced | HoldRefused
) -> tuple[Change, TablePlayer, PendingHold] | Change:
    """The player, who asks for nothing any more, to be put, and what he had asked for.

    A change only, when it had been dropped.
    """
    state, key = change.state, (given.player, given.round, given.hold)
    if key in state.dropped:
        return _too_late(change, given, state.dropped[key])
    player = state.players.get(given.player)
    asked = player.asked if player and given.round == state.round else None
    if player is None or asked is None or asked.hold != given.hold:
        raise Refused("no_such_hold", player=given.player, hold=given.hold)
    return change.put(pending=state.pending - 1), replace(player, asked=None), asked


def _too_late(change: Change, given: HoldPlaced | HoldRefused, dropped: CancelledHold) -> Change:
    """What was set aside in vain is given back, under the number it was set aside with."""
    key = (given.player, given.round, given.hold)
    change = change.put(dropped={k: other for k, other in change.state.dropped.items() if k != key})
    if isinstance(given, HoldRefused):
        return change
    return change.do(Release(given.player, dropped.currency, given.round, given.hold, dropped.amount_minor))
