"""The step memo: a predicted step is reused when its input arrives at the same state and time."""

from collections.abc import Iterable

from croupier.runtime.live.steps import TableStep
from croupier.tables.live.inputs import AnyInput
from croupier.tables.live.state import State


def find_step(predicted: Iterable[TableStep], state: State, given: AnyInput, at_ms: int) -> TableStep | None:
    """Return the predicted step that equals this one; the machine is pure, so it is the result."""
    for step in predicted:
        if step.before is state and (step.given, step.at_ms) == (given, at_ms):
            return step
    return None
