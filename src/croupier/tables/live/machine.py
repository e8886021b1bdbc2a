"""One step of a live table: elapsed deadlines first, then the input, then everything that follows from it."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from croupier.refusal import Refused
from croupier.tables.live import (
    betting,
    dealing,
    deciding,
    holds,
    inputs,
    manager,
    players,
    settling,
    shoes,
    windows,
)
from croupier.tables.live.effects import Effect, Refusal
from croupier.tables.live.inputs import AnyInput, Delayed, HoldPlaced, HoldRefused, Left, Restarted
from croupier.tables.live.phases import Phase
from croupier.tables.live.state import Change, State

InputHandler = Callable[[Change, Any], Change]
PhaseHandler = Callable[[Change], Change]


def step(state: State, given: AnyInput, now_ms: int) -> tuple[State, tuple[Effect, ...]]:
    """Return the state after an input at `now_ms`, and the effects in the order to carry them out.

    A forbidden input yields the effect Refusal and the very same state, unless a deadline had passed. The
    driver records each input that returns another state.
    """
    change = _pass_deadlines(state, given, now_ms)
    try:
        after = _handle(change, given, now_ms)
    except Refused as no:
        refusal = Refusal(getattr(given, "player", ""), no.code, no.rule, no.args_)
        return change.state, (*change.effects, refusal)
    return after.state, after.effects


def _pass_deadlines(state: State, given: AnyInput, now_ms: int) -> Change:
    """Handle every deadline up to now, so a bet that arrives after the close is refused."""
    change = Change(state)
    while _is_due(change.state, now_ms) and not isinstance(given, Restarted | Delayed):
        change = change.put(now_ms=now_ms)
        change = advance(ON_DEADLINE[change.state.phase](change))
    return change


def _is_due(state: State, now_ms: int) -> bool:
    return state.deadline_ms is not None and now_ms >= state.deadline_ms


def _handle(change: Change, given: AnyInput, now_ms: int) -> Change:
    if change.state.paused and isinstance(given, REFUSED_WHEN_PAUSED):
        raise Refused("paused")
    # The table's time never goes back, even if the clock was set back.
    away_ms = max(0, now_ms - change.state.now_ms)
    change = change.put(now_ms=now_ms) if away_ms else change
    if isinstance(given, Restarted):
        return advance(manager.restart(change, away_ms))
    return advance(ON_INPUT[type(given)](change, given))


def advance(change: Change) -> Change:
    """Continue until an input or a deadline is needed. A paused table doesn't continue."""
    while not change.state.paused and (handler := IN_PHASE.get(change.state.phase)):
        after = handler(change)
        if after is change:
            break
        change = after
    return change


def _tick(change: Change, _given: object = None) -> Change:
    return change


def _hold_placed(change: Change, given: HoldPlaced) -> Change:
    answer = holds.take_answer(change, given)
    if isinstance(answer, Change):
        return answer
    change, player, hold = answer
    if hold.decision is None:
        return betting.hold_placed(change, player, hold)
    return windows.decide_for_absent(deciding.hold_placed(change, player, hold), player.name)


def _hold_refused(change: Change, given: HoldRefused) -> Change:
    answer = holds.take_answer(change, given)
    if isinstance(answer, Change):
        return answer
    change, player, hold = answer
    if hold.decision is None:
        return betting.hold_refused(change, player)
    return windows.decide_for_absent(deciding.hold_refused(change, player, hold), player.name)


def _leave(change: Change, given: Left) -> Change:
    return windows.decide_for_absent(players.leave(change, given), given.player)


def _no_more_bets(change: Change) -> Change:
    """Wait for every hold; without any bet, skip the round."""
    if change.state.pending_holds:
        return change
    if any(player.bet for player in change.state.players.values()):
        return dealing.start_dealing(change)
    return manager.close_now(change) if change.state.closing else manager.request_round(change)


def _window(change: Change) -> Change:
    """Close the window when every decision is made or the time is up, and no hold is pending."""
    window = change.state.window
    assert window is not None
    if change.state.pending_holds or (window.missing and not window.timed_out):
        return change
    return dealing.continue_dealing(windows.close_window(change))


def _settlement(change: Change) -> Change:
    """Settle at once, unless there is time to correct the last card."""
    return settling.settle(change) if change.state.deadline_ms is None else change


def _opening(change: Change) -> Change:
    return manager.close_now(change) if change.state.closing else change


def _window_timed_out(change: Change) -> Change:
    window = change.state.window
    assert window is not None
    return change.put(window=replace(window, timed_out=True), deadline_ms=None)


ON_INPUT: dict[type, InputHandler] = {
    inputs.Joined: players.join,
    inputs.Disconnected: players.disconnect,
    inputs.Left: _leave,
    inputs.SatDown: players.sit_down,
    inputs.StoodUp: players.stand_up,
    inputs.Restricted: players.restrict,
    inputs.Placed: betting.place_bet,
    inputs.Undone: betting.undo_bet,
    inputs.Decided: deciding.decide,
    inputs.HoldPlaced: _hold_placed,
    inputs.HoldRefused: _hold_refused,
    inputs.Dealt: dealing.deal,
    inputs.SpinInvalid: dealing.repeat_spin,
    inputs.CutCard: dealing.cut_card_out,
    inputs.Shuffled: shoes.shuffled,
    inputs.Ticked: _tick,
    inputs.RoundNamed: manager.name_round,
    inputs.TableOpened: manager.open_table,
    inputs.TableClosed: manager.close_after_round,
    inputs.Paused: manager.pause,
    inputs.Resumed: manager.resume,
    inputs.Delayed: manager.delay,
    inputs.Voided: settling.void,
    inputs.Corrected: dealing.correct,
    inputs.LimitsSet: manager.set_limits,
}
REFUSED_WHEN_PAUSED = (inputs.Placed, inputs.Undone, inputs.Decided, inputs.Dealt, inputs.SpinInvalid)
IN_PHASE: dict[Phase, PhaseHandler] = {
    "shuffling": shoes.start_shoe,
    "opening": _opening,
    "no_more_bets": _no_more_bets,
    "dealing": dealing.continue_dealing,
    "dealer": dealing.continue_dealing,
    "offer": _window,
    "decisions": _window,
    "settlement": _settlement,
}
"""The next action of each phase that needs no input; it returns the same change when there is none."""
ON_DEADLINE: dict[Phase, PhaseHandler] = {
    "betting": lambda change: change.enter("warning", change.state.setup.timings.warning_ms),
    "warning": lambda change: change.enter("no_more_bets"),
    "offer": _window_timed_out,
    "decisions": _window_timed_out,
    "settlement": settling.settle,
    "pause": shoes.after_pause,
}
