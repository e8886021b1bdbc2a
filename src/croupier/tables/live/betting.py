"""Bets: placed, changed and undone while the light is green or yellow, the money held from that moment."""

from collections.abc import Sequence

from msgspec.structs import replace

from croupier.play.contract.amounts import StakeLimits
from croupier.play.contract.bets import Wager
from croupier.refusal import Refused
from croupier.tables.limits import check_limits
from croupier.tables.live.effects import Notify
from croupier.tables.live.holds import ask, drop, known, release, staked
from croupier.tables.live.inputs import Placed, Undone
from croupier.tables.live.notices import BetAccepted, BetNotCovered
from croupier.tables.live.phases import BETTING_PHASES
from croupier.tables.live.round_play import Wagers
from croupier.tables.live.state import Change, PendingHold, State, TablePlayer

UNDO_MOST = 100
"""Bets kept for Undone, so that nobody fills the memory by clicking."""


def placed(change: Change, given: Placed) -> Change:
    """The bet is checked; less is given back at once, more counts when it is held."""
    player = better(change.state, given.player)
    wagers, at_maximum = stopped(change.state, player, given.wagers)
    check(change.state, player, wagers)
    same = wagers == player.bet or sorted(wagers) == sorted(player.bet)
    before = player.before if same else (*player.before, player.bet)[-UNDO_MOST:]
    return _changed(change, player, wagers, before, at_maximum)


def undone(change: Change, given: Undone) -> Change:
    player = better(change.state, given.player)
    if not player.before:
        raise Refused("nothing_to_undo")
    return _changed(change, player, player.before[-1], player.before[:-1])


def _changed(
    change: Change,
    player: TablePlayer,
    bet: Wagers,
    before: tuple[Wagers, ...],
    at_maximum: tuple[str, ...] = (),
) -> Change:
    more = staked(bet) - player.held_minor
    asked = PendingHold(player.holds + 1, max(0, more), bet, before, at_maximum)
    if more > 0:
        return ask(change, player, asked)
    return stands(*release(change, player, -more), asked)


def stands(change: Change, player: TablePlayer, asked: PendingHold) -> Change:
    """The bet counts from now on, and is covered."""
    assert asked.bet is not None
    said = BetAccepted(player.held_minor, asked.at_maximum)
    return change.player(replace(player, bet=asked.bet, before=asked.before)).do(Notify(player.name, said))


def held(change: Change, player: TablePlayer, asked: PendingHold) -> Change:
    return stands(change, replace(player, held_minor=player.held_minor + asked.amount_minor), asked)


def refused(change: Change, player: TablePlayer) -> Change:
    return change.player(player).do(Notify(player.name, BetNotCovered(player.held_minor)))


def returned(change: Change, player: TablePlayer) -> Change:
    """Before the close, the bets of a player who is away are void: all of it goes back (003)."""
    change = drop(change, player)
    player = replace(change.state.players[player.name], bet=(), before=())
    change, player = release(change, player, player.held_minor)
    return change.player(player)


def better(state: State, name: str) -> TablePlayer:
    """The player, if he may change his bet now."""
    player = known(state, name)
    if state.phase not in BETTING_PHASES:
        raise Refused("bets_closed")
    if not player.device:
        raise Refused("not_at_the_table", player=name)
    if player.restricted:
        raise Refused("restricted", rule=player.restricted)
    if player.asked:
        raise Refused("hold_not_answered", hold=player.asked.hold)
    return player


def stopped(state: State, player: TablePlayer, wagers: Sequence[Wager]) -> tuple[Wagers, tuple[str, ...]]:
    """The wagers, none over its maximum, and the bets that were stopped there."""
    limits = state.setup.table.limits_in[player.currency]
    over = tuple(
        [bet for _, bet, stake_minor in wagers if bet in limits and stake_minor > limits[bet].max_minor]
    )
    if not over:
        return tuple(wagers), ()
    return tuple([_stopped(wager, limits.get(wager.bet)) for wager in wagers]), over


def _stopped(wager: Wager, limits: StakeLimits | None) -> Wager:
    over = limits is not None and wager.stake_minor > limits.max_minor
    return wager._replace(stake_minor=limits.max_minor) if limits and over else wager


def check(state: State, player: TablePlayer, wagers: Wagers) -> None:
    """Refused for bets that the table doesn't have or take together, stakes outside limits, others' seats."""
    if not wagers:
        return
    table, seats = state.setup.table, state.setup.seats
    for wager in wagers if seats else ():
        if state.seats.get(wager.box) != player.name:
            raise Refused("not_your_seat", seat=wager.box)
    table.game.check_wagers(table.rules, wagers)
    check_limits(table, player.currency, wagers)
