"""Spans of a live table: one for each round, in it one for each phase, and in that one for each batch."""

from contextlib import AbstractContextManager

from croupier import tracing
from croupier.tables.live.phases import ROUND_PHASES
from croupier.tables.live.state import State
from croupier.tracing import NO_SPAN, OpenSpan, PresentSpan


class RoundTrace:
    """Phases begin and end when they are durable and published."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._round: OpenSpan = NO_SPAN
        self._phase: OpenSpan = NO_SPAN
        self._in: tuple[str, str] = ("", "")
        """The round and the phase of these spans."""

    def follow(self, state: State) -> None:
        """End the spans of what is over, and begin those of the table's new state."""
        now = (state.round, state.phase) if state.phase in ROUND_PHASES else ("", "")
        if now == self._in:
            return
        before, self._in = self._in, now
        self._phase.end()
        if now[0] != before[0]:
            self._round.end()
            self._round = self._begin("live round", None) if now[0] else NO_SPAN
        self._phase = self._begin(f"live phase {now[1]}", self._round) if now[0] else NO_SPAN

    def batch(self, inputs: int) -> AbstractContextManager[PresentSpan]:
        """Return a span of a batch of inputs, in the span of the present phase."""
        if not tracing.is_on():
            return NO_SPAN
        return tracing.span("live batch", {"inputs": inputs, **self._ids()}, self._phase)

    def _begin(self, name: str, parent: OpenSpan | None) -> OpenSpan:
        return tracing.begin(name, self._ids(), parent)

    def _ids(self) -> dict[str, str]:
        return {"table": self._table, "round": self._in[0]}
