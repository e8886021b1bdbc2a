"""Decision windows: what was decided ahead, whom nobody waits for, and what the time-out decides."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from croupier.play.contract.wants import Choice, Decision
from croupier.refusal import Refused
from croupier.tables.live.deciding import auto, open_to, playing, taken, taken_by
from croupier.tables.live.effects import Notify
from croupier.tables.live.notices import DecisionTaken, HandDecided, ResolvedDecision
from croupier.tables.live.phases import WINDOW_PHASES, Phase
from croupier.tables.live.round_play import DecidedGroup, PendingGroup, RoundPlay
from croupier.tables.live.state import Change, Checkpoint, DecisionWindow, State, TablePlayer


def opened(change: Change) -> Change:
    """A window opens for every decision the play waits for."""
    play = playing(change.state)
    waits, live = change.state.setup.waits, change.state.setup.live
    first = next(iter(play.open.values()))[0]
    offer = any(option.action in live.offers for option in first.options)
    phase: Phase = "insurance" if offer else "decisions"
    wait_ms = waits.insurance_ms if offer else waits.decision_ms
    change = change.next_turn().enter(phase, wait_ms, window=DecisionWindow(play.asked))
    own = [player for player in change.state.players.values() if player.ahead or player.gone]
    for player in own:
        change = _by_ahead(change, player)
    for player in own:
        change = of_the_gone(change, player.name)
    return change


def _by_ahead(change: Change, player: TablePlayer) -> Change:
    """What he said ahead, if it is his turn and it is on offer; it is said for one decision only."""
    for at, choice in player.ahead:
        player = change.state.players[player.name]
        if player.asked or (want := open_to(change.state, player, at)) is None:
            continue
        player = replace(player, ahead=tuple(item for item in player.ahead if item[0] != at))
        change = change.player(player)
        with suppress(Refused):  # not on offer for these cards: he decides when he is asked
            change = taken_by(change, player, want, choice, "ahead")
    return change


def of_the_gone(change: Change, name: str) -> Change:
    """Nobody waits for a player who left: the table decides at once, once his last hold is answered."""
    player = change.state.players.get(name)
    if player is None or not player.gone or player.asked or change.state.phase not in WINDOW_PHASES:
        return change
    for made in _missing(change.state, name, player.decided, playing(change.state).decisions(name)):
        change = taken(change, change.state.players[name], made)
    return change


def closed(change: Change) -> Change:
    """The window is closed: the table decides what wasn't decided, and the play goes on.

    What follows is worked out once for all who waited for the same and decided the same.
    """
    state, play, before = change.state, playing(change.state), dict(change.state.players.items())
    missing, notices, window = dict[str, tuple[ResolvedDecision, ...]](), list[Notify](), list[DecidedGroup]()
    for names, wants, asked in _alike(before, play):
        decided = before[names[0]].decided
        autos = _missing(state, names[0], decided, wants)
        choices = {made.at: Choice(made.action, made.stake_minor) for made in (*decided, *autos)}
        window.append(DecidedGroup(names, choices, asked))
        if asked and autos:
            notices += [Notify(name, what) for what in map(DecisionTaken, autos) for name in names]
            missing |= dict.fromkeys(names, autos)
        if state.setup.seats:
            change = _hands_told(change, autos)
    play = play.decided(window)
    change = change.next_turn({at.box for alike in window for at in alike.choices})
    players = state.players.each(partial(_closed_for, missing))
    return change.put(players=players, play=play, window=None, cut=Checkpoint(play, state.unseen)).do(
        *notices
    )


def _closed_for(missing: Mapping[str, tuple[ResolvedDecision, ...]], player: TablePlayer) -> TablePlayer:
    made = player.decided + missing.get(player.name, ())
    return replace(player, decided=(), made=player.made + made) if made else player


def _alike(players: Mapping[str, TablePlayer], play: RoundPlay) -> Iterator[PendingGroup]:
    """Those who waited for the same and decided the same, and what they waited for."""
    for names, wants, asked in play.waiting:
        alike = defaultdict[Hashable, list[str]](list)
        for name in names:
            decided: tuple[Hashable, ...] = ()
            for made in players[name].decided:
                decided += ((made.at, made.action, made.stake_minor),)
            alike[decided].append(name)
        yield from (PendingGroup(together, wants, asked) for together in alike.values())


def _hands_told(change: Change, autos: Iterable[ResolvedDecision]) -> Change:
    for made in autos:
        change = change.tell(HandDecided(made.at, made.action, made.by))
    return change


def dropped(state: State) -> Iterator[tuple[TablePlayer, int]]:
    """What each player set aside for the decisions of the open window."""
    for player in state.players.values():
        if player.decided:
            yield player, sum(made.cost_minor for made in player.decided)


def _missing(
    state: State, name: str, decided: tuple[ResolvedDecision, ...], wants: Iterable[Decision]
) -> tuple[ResolvedDecision, ...]:
    places = {made.at for made in decided}
    return tuple(auto(state, name, want) for want in wants if want.to not in places)
