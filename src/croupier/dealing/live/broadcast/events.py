"""The machine's public effects as events of the protocol, for motion, sound and the screen reader's log."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from croupier.dealing.live.broadcast.player_views import PlayerRecord
from croupier.dealing.live.steps import TableStep
from croupier.play.contract.live import Path
from croupier.play.driving.dealing import RoundStep
from croupier.protocol.wire import RoundEvent
from croupier.rounds import round_events
from croupier.tables.live.effects import Broadcast
from croupier.tables.live.notices import (
    HandDecided,
    Notice,
    PhaseEntered,
    SeatOccupied,
    SeatVacated,
    StepShown,
)
from croupier.tables.live.phases import Phase

_PHASES: Mapping[Phase, RoundEvent] = {
    "betting": RoundEvent("opened"),
    "warning": RoundEvent("last_seconds"),
    "no_more_bets": RoundEvent("no_more_bets"),
    "shuffling": RoundEvent("shuffling"),
    "closed": RoundEvent("closed"),
    "pause": RoundEvent("ended"),
}
"""Phases whose start is an event of its own; the others show in the events that follow."""


class ScopedEvent(NamedTuple):
    """An event of the groups on these paths; no paths: of everyone."""

    event: RoundEvent
    paths: tuple[Path, ...] = ()

    def concerns(self, group: Path) -> bool:
        """Return whether the group, which may have forked since, is on one of the paths."""
        return not self.paths or any(group[: len(path)] == path for path in self.paths)


def table_events(step: TableStep, players: Mapping[str, PlayerRecord]) -> Iterator[ScopedEvent]:
    """Yield the events of a step.

    A phase that follows a notice hasn't started: it is repeated with its new deadline.
    """
    repeats = False
    for effect in step.effects:
        if isinstance(effect, Broadcast):
            if not (repeats and isinstance(effect.what, PhaseEntered)):
                paths = effect.what.paths if isinstance(effect.what, StepShown) else ()
                yield from (ScopedEvent(event, paths) for event in _events(step, effect, players))
            repeats = isinstance(effect.what, Notice) and effect.what.what != "limits"


def _events(step: TableStep, effect: Broadcast, players: Mapping[str, PlayerRecord]) -> Iterator[RoundEvent]:
    match effect.what:
        case PhaseEntered(phase):
            if phase in _PHASES:
                yield _PHASES[phase]
        case StepShown(text, _):
            assert step.want is not None, f"{text} was requested"
            answer = step.want.parse(text.partition(" ")[2])
            labels = step.after.setup.table.labels
            yield round_events.step_event(RoundStep(step.want, answer), labels)
        case SeatOccupied(seat, player):
            yield RoundEvent("seat_taken", seat, name=players[player].name)
        case SeatVacated(seat):
            yield RoundEvent("seat_left", seat)
        case HandDecided(at, action, by):
            yield RoundEvent("decided", at.box, at.hand, action=action, by=by)
        case Notice(what, reason):
            yield RoundEvent(what, reason=reason)  # type: ignore[arg-type]
