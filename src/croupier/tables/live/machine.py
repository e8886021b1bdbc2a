"""One step of a live table: time first, then what came in, then all that follows from it."""

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
from croupier.tables.live.inputs import AnyInput, HoldPlaced, HoldRefused, Left, Restarted
from croupier.tables.live.phases import Phase
from croupier.tables.live.state import Change, State

InputHandler = Callable[[Change, Any], Change]
PhaseHandler = Callable[[Change], Change]


def step(state: State, given: AnyInput, now_ms: int) -> tuple[State, tuple[Effect, ...]]:
    """The state after an input at that time, and what is to be done, in order.

    What a rule forbids is the effect Refusal and changes nothing; the very same state comes back, unless
    its deadline had passed. An input after which the state is another is to be recorded.
    """
    change = _timed(state, given, now_ms)
    try:
        after = _after(change, given, now_ms)
    except Refused as no:
        refusal = Refusal(getattr(given, "player", ""), no.code, no.rule, no.args_)
        return change.state, (*change.effects, refusal)
    return after.state, after.effects


def _timed(state: State, given: AnyInput, now_ms: int) -> Change:
    """After all deadlines up to now; a bet that comes after the close finds it closed."""
    change = Change(state)
    while _due(change.state, now_ms) and not isinstance(given, Restarted):
        change = change.put(now_ms=now_ms)
        change = advance(TIME_UP[change.state.phase](change))
    return change


def _due(state: State, now_ms: int) -> bool:
    return state.deadline_ms is not None and now_ms >= state.deadline_ms


def _after(change: Change, given: AnyInput, now_ms: int) -> Change:
    if change.state.paused and isinstance(given, REFUSED_WHEN_PAUSED):
        raise Refused("paused")
    # A clock that was set back stands still until it is where it was.
    away_ms = max(0, now_ms - change.state.now_ms)
    change = change.put(now_ms=now_ms) if away_ms else change
    if isinstance(given, Restarted):
        return advance(manager.restarted(change, away_ms))
    return advance(HANDLERS[type(given)](change, given))


def advance(change: Change) -> Change:
    """All that follows without another input. Nothing does while the table is paused."""
    while not change.state.paused and (follows := GOING_ON.get(change.state.phase)):
        after = follows(change)
        if after is change:
            break
        change = after
    return change


def _nothing(change: Change, _given: object = None) -> Change:
    return change


def _held(change: Change, given: HoldPlaced) -> Change:
    answer = holds.answer(change, given)
    if isinstance(answer, Change):
        return answer
    change, player, asked = answer
    if asked.decision is None:
        return betting.held(change, player, asked)
    return windows.of_the_gone(deciding.held(change, player, asked), player.name)


def _hold_refused(change: Change, given: HoldRefused) -> Change:
    answer = holds.answer(change, given)
    if isinstance(answer, Change):
        return answer
    change, player, asked = answer
    if asked.decision is None:
        return betting.refused(change, player)
    return windows.of_the_gone(deciding.refused(change, player, asked), player.name)


def _left(change: Change, given: Left) -> Change:
    return windows.of_the_gone(players.left(change, given), given.player)


def _bets_closed(change: Change) -> Change:
    """Every hold is answered first; with no bet at all, another round is opened."""
    if change.state.pending:
        return change
    if any(player.bet for player in change.state.players.values()):
        return dealing.started(change)
    return manager.shut(change) if change.state.closing else manager.opening(change)


def _window(change: Change) -> Change:
    """Closes when everybody has decided or the time is up, and every hold is answered."""
    window = change.state.window
    assert window is not None
    if change.state.pending or (window.missing and not window.over):
        return change
    return dealing.going_on(windows.closed(change))


def _settlement(change: Change) -> Change:
    """At once, unless the last card may still be corrected."""
    return settling.settled(change) if change.state.deadline_ms is None else change


def _opening(change: Change) -> Change:
    return manager.shut(change) if change.state.closing else change


def _window_over(change: Change) -> Change:
    window = change.state.window
    assert window is not None
    return change.put(window=replace(window, over=True), deadline_ms=None)


HANDLERS: dict[type, InputHandler] = {
    inputs.Joined: players.joined,
    inputs.Disconnected: players.disconnected,
    inputs.Left: _left,
    inputs.SatDown: players.sat,
    inputs.StoodUp: players.stood_up,
    inputs.Restricted: players.restricted,
    inputs.Placed: betting.placed,
    inputs.Undone: betting.undone,
    inputs.Decided: deciding.decided,
    inputs.HoldPlaced: _held,
    inputs.HoldRefused: _hold_refused,
    inputs.Dealt: dealing.dealt,
    inputs.SpinInvalid: dealing.no_spin,
    inputs.CutCard: dealing.cut_card,
    inputs.Shuffled: shoes.shuffled,
    inputs.Ticked: _nothing,
    inputs.RoundNamed: manager.named,
    inputs.TableOpened: manager.opened,
    inputs.TableClosed: manager.closed,
    inputs.Paused: manager.paused,
    inputs.Resumed: manager.resumed,
    inputs.Voided: settling.voided,
    inputs.Corrected: dealing.corrected,
    inputs.LimitsSet: manager.limits_set,
}
REFUSED_WHEN_PAUSED = (inputs.Placed, inputs.Undone, inputs.Decided, inputs.Dealt, inputs.SpinInvalid)
GOING_ON: dict[Phase, PhaseHandler] = {
    "shuffling": shoes.next_shoe,
    "opening": _opening,
    "no_more_bets": _bets_closed,
    "dealing": dealing.going_on,
    "dealer": dealing.going_on,
    "insurance": _window,
    "decisions": _window,
    "settlement": _settlement,
}
"""What each phase does as soon as it can."""
TIME_UP: dict[Phase, PhaseHandler] = {
    "betting": lambda change: change.enter("warning", change.state.setup.waits.warning_ms),
    "warning": lambda change: change.enter("no_more_bets"),
    "insurance": _window_over,
    "decisions": _window_over,
    "settlement": settling.settled,
    "pause": shoes.after_pause,
}
"""What each phase does when its deadline has come."""
