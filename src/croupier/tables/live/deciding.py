"""Decisions: a player's, made in time or ahead, or the table's for him."""

from collections.abc import Hashable

from msgspec.structs import replace

from croupier.play.contract.wants import At, Choice, Decision
from croupier.refusal import Refused
from croupier.tables.live.effects import Notify
from croupier.tables.live.holds import ask, known
from croupier.tables.live.inputs import Decided
from croupier.tables.live.notices import DecisionTaken, HandDecided, ResolvedDecision
from croupier.tables.live.phases import DEALT_PHASES, WINDOW_PHASES
from croupier.tables.live.round_play import RoundPlay
from croupier.tables.live.state import Change, ChoiceCounts, PendingHold, State, TablePlayer

BY_PLAYER = ("player", "ahead")


def decided(change: Change, given: Decided) -> Change:
    """A player decides; where more must be staked it counts when that is held."""
    player = known(change.state, given.player)
    choice = Choice(given.action, given.stake_minor)
    if want := open_to(change.state, player, given.at, given.turn):
        return taken_by(change, player, want, choice, "player")
    _check_ahead(change.state, player, given, choice)
    return _keep_ahead(change, player, given.at, choice)


def open_to(state: State, player: TablePlayer, at: At, turn: int | None = None) -> Decision | None:
    """The player's decision that waits there.

    Refused when it is made, the window is over, or the player meant an earlier `turn`.
    """
    if state.phase not in WINDOW_PHASES:
        return None
    want = playing(state).decision(player.name, at)
    if want is None:
        return None
    if turn not in (None, state.turn):
        raise Refused("not_your_turn", box=at.box, hand=at.hand)
    if at in [made.at for made in player.decided]:
        raise Refused("decided_already")
    if player.asked:
        raise Refused("hold_not_answered", hold=player.asked.hold)
    if state.window is None or state.window.over:
        raise Refused("time_out")
    return want


def taken_by(change: Change, player: TablePlayer, want: Decision, choice: Choice, by: str) -> Change:
    """Refused as the round refuses it; else it is made, or its cost asked for."""
    option = playing(change.state).chosen(player.name, want, choice)
    less = choice.stake_minor if choice.stake_minor != option.cost_minor else None
    cost_minor = option.cost_minor if less is None else less
    made = ResolvedDecision(want.to, choice.action, less, cost_minor, by)
    if not cost_minor:
        return taken(change, player, made)
    return ask(change, player, PendingHold(player.holds + 1, cost_minor, decision=made))


def taken(change: Change, player: TablePlayer, made: ResolvedDecision) -> Change:
    """The decision counts, and is told: to the player, and where hands lie on seats to everybody."""
    state, window = change.state, change.state.window
    assert window is not None
    chosen = window.chosen
    if made.by in BY_PLAYER:
        play = playing(state)
        chosen = _counted(chosen, play.situation(play.group(player.name), made.at), made.action)
    window = replace(window, missing=window.missing - 1, chosen=chosen)
    change = change.player(replace(player, decided=(*player.decided, made)), window=window)
    change = change.do(Notify(player.name, DecisionTaken(made)))
    return change.tell(HandDecided(made.at, made.action, made.by)) if state.setup.seats else change


def _counted(chosen: ChoiceCounts, situation: Hashable, action: str) -> ChoiceCounts:
    counts = chosen.get(situation, {})
    return {**chosen, situation: {**counts, action: counts.get(action, 0) + 1}}


def held(change: Change, player: TablePlayer, asked: PendingHold) -> Change:
    assert asked.decision is not None
    return taken(change, replace(player, held_minor=player.held_minor + asked.amount_minor), asked.decision)


def refused(change: Change, player: TablePlayer, asked: PendingHold) -> Change:
    """Not covered: the table decides instead (003)."""
    assert asked.decision is not None
    at = asked.decision.at
    play = playing(change.state)
    want = play.decision(player.name, at)
    assert want is not None
    return taken(change, player, auto(change.state, player.name, want, asked.decision.action))


def auto(state: State, name: str, want: Decision, uncovered: str = "") -> ResolvedDecision:
    """What the table decides for a player."""
    choice = state.setup.live.default_choice(playing(state).round_of(name), want, uncovered)
    return ResolvedDecision(want.to, choice.action, None, 0, "low_balance" if uncovered else "time_out")


def _check_ahead(state: State, player: TablePlayer, given: Decided, choice: Choice) -> None:
    """At a table of seats a decision may be made ahead, if it can be valid when the hand's turn comes."""
    at, check = given.at, state.setup.live.check_ahead
    own = state.setup.seats and any(wager.box == at.box for wager in player.bet)
    stale = given.turn is not None and given.turn < state.unchanged_since.get(at.box, 0)
    if check is None or not own or stale or state.phase not in DEALT_PHASES:
        raise Refused("not_your_turn", box=at.box, hand=at.hand)
    check(playing(state).round_of(player.name), at, choice)


def _keep_ahead(change: Change, player: TablePlayer, at: At, choice: Choice) -> Change:
    """It waits for his turn; what he said before for that hand is forgotten."""
    others = tuple(item for item in player.ahead if item[0] != at)
    return change.player(replace(player, ahead=(*others, (at, choice))))


def playing(state: State) -> RoundPlay:
    assert state.play is not None, f"no cards in {state.phase}"
    return state.play
