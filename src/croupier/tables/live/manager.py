"""The manager's inputs, and the opening of the next round."""

from msgspec.structs import replace

from croupier.refusal import Refused
from croupier.tables.limits import with_limits
from croupier.tables.live.effects import RequestRound, RequestShuffle
from croupier.tables.live.inputs import (
    LimitsSet,
    Paused,
    Resumed,
    RoundNamed,
    TableClosed,
    TableOpened,
)
from croupier.tables.live.notices import Notice
from croupier.tables.live.players import cleared, swept
from croupier.tables.live.state import Change, phase_entered


def opened(change: Change, _given: TableOpened) -> Change:
    """All shoes are shuffled anew; a wheel or dice are ready. A table that was to be closed stays open."""
    if change.state.phase != "closed":
        return change.put(closing=False)
    shoes = change.state.setup.cards.shoes
    change = change.put(closing=False, ready=frozenset[int](), shoe=0, cut_card=False, after_cut=0)
    if not shoes:
        return opening(change)
    return change.enter("shuffling").do(*map(RequestShuffle, range(shoes)))


def shut(change: Change) -> Change:
    """The table closes: its shoes are done with, and nothing of them is corrected any more."""
    return change.enter("closed", cut=None)


def closed(change: Change, _given: TableClosed) -> Change:
    if change.state.phase == "closed":
        raise Refused("table_closed")
    return change.put(closing=True)


def paused(change: Change, given: Paused) -> Change:
    """Nothing goes on, and no time is lost, until the table is resumed or the round voided."""
    state = change.state
    if state.paused:
        raise Refused("paused")
    left_ms = None if state.deadline_ms is None else state.deadline_ms - state.now_ms
    change = change.put(paused=given.reason, left_ms=left_ms, deadline_ms=None)
    return change.tell(Notice("paused", given.reason)).tell(phase_entered(change.state))


def resumed(change: Change, _given: Resumed) -> Change:
    """Who deals is asked again."""
    state = change.state
    if not state.paused:
        raise Refused("not_paused")
    change = change.put(paused="", left_ms=None, wanted="").wait(state.left_ms)
    return change.tell(Notice("resumed", state.paused)).tell(phase_entered(change.state))


def restarted(change: Change, away_ms: int) -> Change:
    """The time that the house was shut is given back."""
    state = change.state
    if state.deadline_ms is not None:
        change = change.put(deadline_ms=state.deadline_ms + away_ms)
    return change.tell(Notice("restarted", "")).tell(phase_entered(change.state))


def limits_set(change: Change, given: LimitsSet) -> Change:
    """From the next round on."""
    setup = change.state.next_setup or change.state.setup
    table = with_limits(setup.table, given.limits, given.side_limits, given.kind_limits, given.table_limits)
    return change.put(next_setup=replace(setup, table=table))


def opening(change: Change) -> Change:
    return change.enter("opening").do(RequestRound())


def named(change: Change, given: RoundNamed) -> Change:
    if change.state.phase != "opening":
        raise Refused("no_round_opens")
    return bets_open(change.put(round=given.round))


def bets_open(change: Change) -> Change:
    """A clean table; who is away has left it; limits that the manager set are in force."""
    change = swept(change)
    state = change.state
    setup = state.next_setup or state.setup
    if state.next_setup:
        change = change.put(setup=setup, next_setup=None).tell(Notice("limits", ""))
    green_ms = setup.waits.betting_ms - setup.waits.warning_ms
    change = change.put(players=cleared(state.players), play=None, opened_ms=state.now_ms)
    change = change.put(turn=0, unchanged_since={})
    return change.enter("betting", green_ms)
