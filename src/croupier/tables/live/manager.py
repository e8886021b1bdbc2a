"""Effects of the manager's inputs, and the opening of the next round."""

from msgspec.structs import replace

from croupier.refusal import Refused
from croupier.tables.limits import with_limits
from croupier.tables.live.effects import RequestRound, RequestShuffle
from croupier.tables.live.inputs import (
    Delayed,
    LimitsSet,
    Paused,
    Resumed,
    RoundNamed,
    TableClosed,
    TableOpened,
)
from croupier.tables.live.notices import Notice
from croupier.tables.live.players import remove_absent, reset_players
from croupier.tables.live.state import Change, phase_entered


def open_table(change: Change, _given: TableOpened) -> Change:
    """Request a shuffle of all shoes, or the first round if there are none.

    At an open table, cancel an earlier TableClosed.
    """
    if change.state.phase != "closed":
        return change.put(closing=False)
    shoes = change.state.setup.cards.shoes
    change = change.put(closing=False, ready_shoes=frozenset[int](), shoe=0, cut_card=False, after_cut=0)
    if not shoes:
        return request_round(change)
    return change.enter("shuffling").emit(*map(RequestShuffle, range(shoes)))


def close_now(change: Change) -> Change:
    """Close the table; its shoes are discarded, so nothing can be corrected any more."""
    return change.enter("closed", checkpoint=None)


def close_after_round(change: Change, _given: TableClosed) -> Change:
    if change.state.phase == "closed":
        raise Refused("table_closed")
    return change.put(closing=True)


def pause(change: Change, given: Paused) -> Change:
    """Stop the clock until the table is resumed or the round is voided."""
    state = change.state
    if state.paused:
        raise Refused("paused")
    left_ms = None if state.deadline_ms is None else state.deadline_ms - state.now_ms
    change = change.put(paused=given.reason, left_ms=left_ms, deadline_ms=None)
    return change.broadcast(Notice("paused", given.reason)).broadcast(phase_entered(change.state))


def resume(change: Change, _given: Resumed) -> Change:
    """Restart the clock, and clear the pending request so that it is made again."""
    state = change.state
    if not state.paused:
        raise Refused("not_paused")
    change = change.put(paused="", left_ms=None, wanted="").wait(state.left_ms)
    return change.broadcast(Notice("resumed", state.paused)).broadcast(phase_entered(change.state))


def restart(change: Change, away_ms: int) -> Change:
    """Postpone the deadline by the time for which the server was stopped."""
    change = _extend_deadline(change, away_ms)
    return change.broadcast(Notice("restarted", "")).broadcast(phase_entered(change.state))


def delay(change: Change, given: Delayed) -> Change:
    """Postpone the deadline by the time for which inputs waited."""
    change = _extend_deadline(change, given.ms)
    return change.broadcast(phase_entered(change.state))


def _extend_deadline(change: Change, ms: int) -> Change:
    deadline_ms = change.state.deadline_ms
    return change if deadline_ms is None else change.put(deadline_ms=deadline_ms + ms)


def set_limits(change: Change, given: LimitsSet) -> Change:
    """Set the limits that apply from the next round."""
    setup = change.state.next_setup or change.state.setup
    table = with_limits(setup.table, given.limits, given.side_limits, given.kind_limits, given.table_limits)
    return change.put(next_setup=replace(setup, table=table))


def request_round(change: Change) -> Change:
    return change.enter("opening").emit(RequestRound())


def name_round(change: Change, given: RoundNamed) -> Change:
    if change.state.phase != "opening":
        raise Refused("no_round_opens")
    return open_bets(change.put(round=given.round))


def open_bets(change: Change) -> Change:
    """Clear the table, remove absent players and apply new limits."""
    change = remove_absent(change)
    state = change.state
    setup = state.next_setup or state.setup
    if state.next_setup:
        change = change.put(setup=setup, next_setup=None).broadcast(Notice("limits", ""))
    green_ms = setup.timings.betting_ms - setup.timings.warning_ms
    change = change.put(players=reset_players(state.players), play=None, opened_ms=state.now_ms)
    change = change.put(turn=0, unchanged_since={})
    return change.enter("betting", green_ms)
