"""The play memo: a predicted answer to a round's question is reused, also when others have changed the state.

The results of a round are compared by identity, so predicted entries and messages are used only for a step
that reuses the predicted play.
"""

from collections.abc import Iterable
from typing import Any, cast

from msgspec.structs import replace

from croupier.dealing.live.steps import TableStep, take_step
from croupier.play.contract.wants import Answer
from croupier.tables.live.inputs import AnyInput
from croupier.tables.live.round_play import RoundPlay
from croupier.tables.live.state import State


class AnsweredPlay:
    """A play whose next answer, and what follows from it, are known."""

    def __init__(self, play: RoundPlay, after: RoundPlay) -> None:
        self._play = play
        self._after = after

    def after_answer(self, _answer: Answer) -> RoundPlay:
        return self._after

    def __getattr__(self, name: str) -> Any:
        return getattr(self._play, name)


def step_with_known_play(
    predicted: Iterable[TableStep], state: State, given: AnyInput, at_ms: int
) -> TableStep | None:
    """Take the step with the play that was predicted for this input; None if there is none."""
    for known in predicted:
        before, after = known.before.play, known.after.play
        if before and after and before is state.play and known.given == given and after is not before:
            play = cast("RoundPlay", AnsweredPlay(before, after))
            step = take_step(replace(state, play=play), given, at_ms)
            return replace(step, before=state) if step.after.play is not play else None
    return None
