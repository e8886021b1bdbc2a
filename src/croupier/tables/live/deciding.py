"""Decisions: a player's, in time or ahead, and the table's auto-decisions."""

from collections.abc import Hashable

from msgspec.structs import replace

from croupier.play.contract.wants import At, Choice, Decision
from croupier.refusal import Refused
from croupier.tables.live.effects import Notify
from croupier.tables.live.holds import known_player, request_hold
from croupier.tables.live.inputs import Decided
from croupier.tables.live.notices import DecisionTaken, HandDecided, ResolvedDecision
from croupier.tables.live.phases import DEALT_PHASES, WINDOW_PHASES
from croupier.tables.live.round_play import RoundPlay
from croupier.tables.live.state import Change, ChoiceCounts, PendingHold, State, TablePlayer

BY_PLAYER = ("player", "ahead")


def decide(change: Change, given: Decided) -> Change:
    """Take a player's decision; one that costs more counts once its hold is placed."""
    player = known_player(change.state, given.player)
    choice = Choice(given.action, given.stake_minor)
    if want := open_decision(change.state, player, given.at, given.turn):
        return take_choice(change, player, want, choice, "player")
    _check_ahead(change.state, player, given, choice)
    return _keep_ahead(change, player, given.at, choice)


def open_decision(state: State, player: TablePlayer, at: At, turn: int | None = None) -> Decision | None:
    """Return the player's open decision for that hand, if there is one.

    Refused when it is already made, the window is over, or the player answered an earlier `turn`.
    """
    if state.phase not in WINDOW_PHASES:
        return None
    want = current_play(state).decision(player.name, at)
    if want is None:
        return None
    if turn not in (None, state.turn):
        raise Refused("not_your_turn", box=at.box, hand=at.hand)
    if at in [decision.at for decision in player.decisions]:
        raise Refused("decided_already")
    if player.pending_hold:
        raise Refused("hold_not_answered", hold=player.pending_hold.hold)
    if state.window is None or state.window.timed_out:
        raise Refused("time_out")
    return want


def take_choice(change: Change, player: TablePlayer, want: Decision, choice: Choice, by: str) -> Change:
    """Resolve the decision, or request a hold for its cost; Refused when it isn't on offer."""
    option = current_play(change.state).checked_option(player.name, want, choice)
    less = choice.stake_minor if choice.stake_minor != option.cost_minor else None
    cost_minor = option.cost_minor if less is None else less
    decision = ResolvedDecision(want.to, choice.action, less, cost_minor, by)
    if not cost_minor:
        return resolve(change, player, decision)
    return request_hold(change, player, PendingHold(player.holds + 1, cost_minor, decision=decision))


def resolve(change: Change, player: TablePlayer, decision: ResolvedDecision) -> Change:
    """Record the decision and notify the player; at a table of seats, broadcast it."""
    state, window = change.state, change.state.window
    assert window is not None
    counts = window.choice_counts
    if decision.by in BY_PLAYER:
        play = current_play(state)
        situation = play.situation(play.group(player.name), decision.at)
        counts = _counted(counts, situation, decision.action)
    window = replace(window, missing=window.missing - 1, choice_counts=counts)
    player = replace(player, decisions=(*player.decisions, decision))
    change = change.put_player(player, window=window).emit(Notify(player.name, DecisionTaken(decision)))
    if not state.setup.seats:
        return change
    return change.broadcast(HandDecided(decision.at, decision.action, decision.by))


def _counted(counts: ChoiceCounts, situation: Hashable, action: str) -> ChoiceCounts:
    actions = counts.get(situation, {})
    return {**counts, situation: {**actions, action: actions.get(action, 0) + 1}}


def hold_placed(change: Change, player: TablePlayer, hold: PendingHold) -> Change:
    assert hold.decision is not None
    return resolve(change, replace(player, held_minor=player.held_minor + hold.amount_minor), hold.decision)


def hold_refused(change: Change, player: TablePlayer, hold: PendingHold) -> Change:
    """Resolve the uncovered decision with the table's auto-decision (003)."""
    assert hold.decision is not None
    want = current_play(change.state).decision(player.name, hold.decision.at)
    assert want is not None
    return resolve(change, player, auto_decision(change.state, player.name, want, hold.decision.action))


def auto_decision(state: State, name: str, want: Decision, uncovered: str = "") -> ResolvedDecision:
    """Return the table's decision for a player who made none, or whose choice `uncovered` wasn't covered."""
    choice = state.setup.live.default_choice(current_play(state).round_of(name), want, uncovered)
    return ResolvedDecision(want.to, choice.action, None, 0, "low_balance" if uncovered else "time_out")


def _check_ahead(state: State, player: TablePlayer, given: Decided, choice: Choice) -> None:
    """Raise Refused unless this is a table of seats at which the choice can be valid at the hand's turn."""
    at, check = given.at, state.setup.live.check_ahead
    own = state.setup.seats and any(wager.box == at.box for wager in player.bet)
    stale = given.turn is not None and given.turn < state.unchanged_since.get(at.box, 0)
    if check is None or not own or stale or state.phase not in DEALT_PHASES:
        raise Refused("not_your_turn", box=at.box, hand=at.hand)
    check(current_play(state).round_of(player.name), at, choice)


def _keep_ahead(change: Change, player: TablePlayer, at: At, choice: Choice) -> Change:
    """Keep the choice for the hand's turn, in place of an earlier one for the same hand."""
    others = tuple(item for item in player.ahead if item[0] != at)
    return change.put_player(replace(player, ahead=(*others, (at, choice))))


def current_play(state: State) -> RoundPlay:
    assert state.play is not None, f"no cards in {state.phase}"
    return state.play
