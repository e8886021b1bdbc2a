"""What the table's machine says happened, in the words of the wire: for motion, sound and the spoken log."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from croupier.play.contract.live import Path
from croupier.play.driving.dealing import Step
from croupier.protocol.wire import RoundEvent
from croupier.runtime import round_events
from croupier.runtime.live.broadcast.player_views import Place
from croupier.runtime.live.steps import Stepped
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
"""The phases whose beginning is something to see or hear; the others show in what they bring."""


class Did(NamedTuple):
    """What happened, and on which paths, where it isn't everybody's."""

    what: RoundEvent
    paths: tuple[Path, ...] = ()

    def concerns(self, of: Path) -> bool:
        """Whether it is told to the group on this path, which may have forked since."""
        return not self.paths or any(of[: len(path)] == path for path in self.paths)


def happenings(step: Stepped, places: Mapping[str, Place]) -> Iterator[Did]:
    """Of one step. Behind a notice the phase is said again with its new time: it doesn't begin."""
    noticed = False
    for effect in step.effects:
        if isinstance(effect, Broadcast):
            if not (noticed and isinstance(effect.what, PhaseEntered)):
                paths = effect.what.paths if isinstance(effect.what, StepShown) else ()
                yield from (Did(what, paths) for what in _told(step, effect, places))
            noticed = isinstance(effect.what, Notice) and effect.what.what != "limits"


def _told(step: Stepped, event: Broadcast, places: Mapping[str, Place]) -> Iterator[RoundEvent]:
    match event.what:
        case PhaseEntered(phase):
            if phase in _PHASES:
                yield _PHASES[phase]
        case StepShown(text, _):
            assert step.asked is not None, f"{text} was asked for"
            answer = step.asked.parse(text.partition(" ")[2])
            words = step.after.setup.table.words
            yield round_events.happening(Step(step.asked, answer), words)
        case SeatOccupied(seat, player):
            yield RoundEvent("seat_taken", seat, name=places[player].name)
        case SeatVacated(seat):
            yield RoundEvent("seat_left", seat)
        case HandDecided(at, action, by):
            yield RoundEvent("decided", at.box, at.hand, action=action, by=by)
        case Notice(what, reason):
            yield RoundEvent(what, reason=reason)  # type: ignore[arg-type]
