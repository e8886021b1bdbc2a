"""Decision windows: choices made ahead, players who left, and auto-decisions at the time-out."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from croupier.play.contract.wants import Choice, Decision
from croupier.refusal import Refused
from croupier.tables.live.deciding import auto_decision, current_play, open_decision, resolve, take_choice
from croupier.tables.live.effects import Notify
from croupier.tables.live.notices import DecisionTaken, HandDecided, ResolvedDecision
from croupier.tables.live.phases import WINDOW_PHASES, Phase
from croupier.tables.live.round_play import DecidedGroup, PendingGroup, RoundPlay
from croupier.tables.live.state import Change, DecisionWindow, RoundCheckpoint, State, TablePlayer

Resolved = tuple[ResolvedDecision, ...]


def open_window(change: Change) -> Change:
    """Open a window for the pending decisions, and resolve those that need no waiting."""
    play = current_play(change.state)
    timings, live = change.state.setup.timings, change.state.setup.live
    first = next(iter(play.open.values()))[0]
    offer = any(option.action in live.offers for option in first.options)
    phase: Phase = "offer" if offer else "decisions"
    wait_ms = timings.offer_ms if offer else timings.decision_ms
    change = change.advance_turn().enter(phase, wait_ms, window=DecisionWindow(play.decision_count))
    ready = [player for player in change.state.players.values() if player.ahead or player.left]
    for player in ready:
        change = _apply_ahead(change, player)
    for player in ready:
        change = decide_for_absent(change, player.name)
    return change


def _apply_ahead(change: Change, player: TablePlayer) -> Change:
    """Use the player's choices made ahead if it is their turn; each counts for one decision only."""
    for at, choice in player.ahead:
        player = change.state.players[player.name]
        if player.pending_hold or (want := open_decision(change.state, player, at)) is None:
            continue
        player = replace(player, ahead=tuple(item for item in player.ahead if item[0] != at))
        change = change.put_player(player)
        with suppress(Refused):  # not on offer for these cards: the player decides in the window
            change = take_choice(change, player, want, choice, "ahead")
    return change


def decide_for_absent(change: Change, name: str) -> Change:
    """Resolve the decisions of a player who left, as soon as no hold of theirs is pending."""
    player = change.state.players.get(name)
    if player is None or not player.left or player.pending_hold or change.state.phase not in WINDOW_PHASES:
        return change
    wants = current_play(change.state).decisions(name)
    for decision in _auto_decisions(change.state, name, player.decisions, wants):
        change = resolve(change, change.state.players[name], decision)
    return change


def close_window(change: Change) -> Change:
    """Resolve the missing decisions with auto-decisions, and continue the play.

    The work is done once for all players with the same pending decisions and choices.
    """
    state, play, before = change.state, current_play(change.state), dict(change.state.players.items())
    missing, notices, window = dict[str, Resolved](), list[Notify](), list[DecidedGroup]()
    for names, wants, asked in _same_choices(before, play):
        decisions = before[names[0]].decisions
        autos = _auto_decisions(state, names[0], decisions, wants)
        choices = {made.at: Choice(made.action, made.stake_minor) for made in (*decisions, *autos)}
        window.append(DecidedGroup(names, choices, asked))
        if asked and autos:
            notices += [Notify(name, what) for what in map(DecisionTaken, autos) for name in names]
            missing |= dict.fromkeys(names, autos)
        if state.setup.seats:
            change = _broadcast_hands(change, autos)
    play = play.after_window(window)
    change = change.advance_turn({at.box for group in window for at in group.choices})
    players = state.players.each(partial(_after_window, missing))
    checkpoint = RoundCheckpoint(play, state.unseen)
    return change.put(players=players, play=play, window=None, checkpoint=checkpoint).emit(*notices)


def _after_window(missing: Mapping[str, Resolved], player: TablePlayer) -> TablePlayer:
    made = player.decisions + missing.get(player.name, ())
    earlier = player.earlier_decisions + made
    return replace(player, decisions=(), earlier_decisions=earlier) if made else player


def _same_choices(players: Mapping[str, TablePlayer], play: RoundPlay) -> Iterator[PendingGroup]:
    """Split the pending groups into players who made the same choices."""
    for names, wants, asked in play.pending:
        groups = defaultdict[Hashable, list[str]](list)
        for name in names:
            choices: tuple[Hashable, ...] = ()
            for made in players[name].decisions:
                choices += ((made.at, made.action, made.stake_minor),)
            groups[choices].append(name)
        yield from (PendingGroup(group, wants, asked) for group in groups.values())


def _broadcast_hands(change: Change, autos: Iterable[ResolvedDecision]) -> Change:
    for made in autos:
        change = change.broadcast(HandDecided(made.at, made.action, made.by))
    return change


def decision_costs(state: State) -> Iterator[tuple[TablePlayer, int]]:
    """Yield each player with decisions in the open window, and the total held for these."""
    for player in state.players.values():
        if player.decisions:
            yield player, sum(made.cost_minor for made in player.decisions)


def _auto_decisions(state: State, name: str, decisions: Resolved, wants: Iterable[Decision]) -> Resolved:
    made = {decision.at for decision in decisions}
    return tuple(auto_decision(state, name, want) for want in wants if want.to not in made)
