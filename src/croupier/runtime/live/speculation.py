"""How a round will end, worked out before it does: while the dealer takes his time, or the ball rests.

With thousands at a table that is most of the work of a settlement. Nothing of it counts and nobody sees any
of it: the step is taken when it comes, and what was foreseen is used where it comes to the very same.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable

from croupier.runtime.live.broadcast.broadcaster import Hall
from croupier.runtime.live.money.table_money import Till
from croupier.runtime.live.steps import Stepped, taken
from croupier.tables.live.inputs import AnyInput
from croupier.tables.live.state import State

log = logging.getLogger(__name__)


class Foresight:
    """Of one table, which `looks` at its state as it then is."""

    def __init__(self, hall: Hall, till: Till, looks: Callable[[], State]) -> None:
        self._hall = hall
        self._till = till
        self._looks = looks
        self._steps: list[tuple[int, Stepped]] = []
        """When they come, and what they are."""
        self._task: asyncio.Task[None] | None = None

    def look(self, coming: Iterable[AnyInput], at_ms: int) -> None:
        """At what is `coming` then, as long as nothing else does."""
        self.stop()
        self._steps = []
        self._task = asyncio.create_task(self._look(tuple(coming), at_ms))

    def stop(self) -> None:
        """It has come, or something else has. What is ready by now may be used."""
        if self._task:
            self._task.cancel()

    def taken(self, state: State, given: AnyInput, at_ms: int) -> Stepped:
        """The step, which is known where this is what was foreseen: the machine is pure."""
        for then_ms, step in self._steps:
            if step.before is state and (step.given, then_ms) == (given, at_ms):
                return step
        return taken(state, given, at_ms)

    async def _look(self, coming: Iterable[AnyInput], at_ms: int) -> None:
        await self._hall.audience.told.wait()  # of what came before: that goes first
        try:
            await self._prepare(self._looks(), coming, at_ms)
        except Exception:  # it is dealt with when it comes to that
            log.warning("what comes next couldn't be foreseen", exc_info=True)

    async def _prepare(self, state: State, coming: Iterable[AnyInput], at_ms: int) -> None:
        """In pieces, so that others have their turn."""
        for given in coming:
            step = taken(state, given, at_ms)
            self._steps.append((at_ms, step))
            state = step.after
        if step.ends:
            await asyncio.sleep(0)
            self._till.foresee(step)
            await asyncio.sleep(0)
            await self._hall.foresee(step)
