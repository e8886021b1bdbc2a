"""Bets: placed, changed and undone while they are open. Each stake is held as soon as it is placed."""

from collections.abc import Sequence

from msgspec.structs import replace

from croupier.play.contract.amounts import StakeLimits
from croupier.play.contract.bets import Wager
from croupier.refusal import Refused
from croupier.tables.limits import check_limits
from croupier.tables.live.effects import Notify
from croupier.tables.live.holds import cancel_hold, known_player, release, request_hold, total_stake
from croupier.tables.live.inputs import Placed, Undone
from croupier.tables.live.notices import BetAccepted, BetNotCovered
from croupier.tables.live.phases import BETTING_PHASES
from croupier.tables.live.round_play import Wagers
from croupier.tables.live.state import Change, PendingHold, State, TablePlayer

UNDO_MAX = 100
"""The maximum number of earlier bets kept for Undone: it bounds the memory of a player."""


def place_bet(change: Change, given: Placed) -> Change:
    """Release what a smaller bet no longer needs, or request a hold for a larger one."""
    player = betting_player(change.state, given.player)
    wagers, at_maximum = capped(change.state, player, given.wagers)
    same = wagers == player.bet or sorted(wagers) == sorted(player.bet)
    earlier = player.earlier_bets if same else (*player.earlier_bets, player.bet)[-UNDO_MAX:]
    return _change_bet(change, player, wagers, earlier, at_maximum)


def undo_bet(change: Change, given: Undone) -> Change:
    player = betting_player(change.state, given.player)
    if not player.earlier_bets:
        raise Refused("nothing_to_undo")
    return _change_bet(change, player, player.earlier_bets[-1], player.earlier_bets[:-1])


def _change_bet(
    change: Change,
    player: TablePlayer,
    bet: Wagers,
    earlier: tuple[Wagers, ...],
    at_maximum: tuple[str, ...] = (),
) -> Change:
    """Check the bet, wherever it comes from, and hold or release the difference."""
    check_wagers(change.state, player, bet)
    more = total_stake(bet) - player.held_minor
    hold = PendingHold(player.holds + 1, max(0, more), bet, earlier, at_maximum)
    if more > 0:
        return request_hold(change, player, hold)
    return accept_bet(*release(change, player, -more), hold)


def accept_bet(change: Change, player: TablePlayer, hold: PendingHold) -> Change:
    """Make the bet of `hold` the player's bet: it is covered."""
    assert hold.bet is not None
    notice = BetAccepted(player.held_minor, hold.at_maximum)
    player = replace(player, bet=hold.bet, earlier_bets=hold.earlier_bets)
    return change.put_player(player).emit(Notify(player.name, notice))


def hold_placed(change: Change, player: TablePlayer, hold: PendingHold) -> Change:
    return accept_bet(change, replace(player, held_minor=player.held_minor + hold.amount_minor), hold)


def hold_refused(change: Change, player: TablePlayer) -> Change:
    return change.put_player(player).emit(Notify(player.name, BetNotCovered(player.held_minor)))


def return_bet(change: Change, player: TablePlayer) -> Change:
    """Void the bet of a player who is away before the close, and release all of it (003)."""
    change = cancel_hold(change, player)
    player = replace(change.state.players[player.name], bet=(), earlier_bets=())
    change, player = release(change, player, player.held_minor)
    return change.put_player(player)


def betting_player(state: State, name: str) -> TablePlayer:
    """Return the player; Refused when they may not change their bet now."""
    player = known_player(state, name)
    if state.phase not in BETTING_PHASES:
        raise Refused("bets_closed")
    if not player.device:
        raise Refused("not_at_the_table", player=name)
    if player.restricted:
        raise Refused("restricted", rule=player.restricted)
    if player.pending_hold:
        raise Refused("hold_not_answered", hold=player.pending_hold.hold)
    return player


def capped(state: State, player: TablePlayer, wagers: Sequence[Wager]) -> tuple[Wagers, tuple[str, ...]]:
    """Return the wagers with each stake reduced to its maximum, and the bets that were reduced."""
    limits = state.setup.table.limits_in[player.currency]
    over = tuple(
        [bet for _, bet, stake_minor in wagers if bet in limits and stake_minor > limits[bet].max_minor]
    )
    if not over:
        return tuple(wagers), ()
    return tuple([_capped(wager, limits.get(wager.bet)) for wager in wagers]), over


def _capped(wager: Wager, limits: StakeLimits | None) -> Wager:
    over = limits is not None and wager.stake_minor > limits.max_minor
    return wager._replace(stake_minor=limits.max_minor) if limits and over else wager


def check_wagers(state: State, player: TablePlayer, wagers: Wagers) -> None:
    """Raise Refused for a bet not offered, a forbidden combination, a limit, or another player's seat."""
    if not wagers:
        return
    table, seats = state.setup.table, state.setup.seats
    for wager in wagers if seats else ():
        if state.seats.get(wager.box) != player.name:
            raise Refused("not_your_seat", seat=wager.box)
    table.game.check_wagers(table.rules, wagers)
    check_limits(table, player.currency, wagers)
