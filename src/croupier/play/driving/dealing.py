"""Drivers of rounds: replay a record, or deal from a source until a decision is wanted.

A record has one line of text for each step, place and answer: `0.0 KS`, `dealer down`, `dealer no` (the
dealer peeked), `0.0 double`, `dealer 7H`, `wheel 17`, `dice 1-3-6`. It suffices to replay the round.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, Self, TypeVar

from croupier.play.contract.game import Round
from croupier.play.contract.wants import Answer, At, Choice, Decision, Want, answer_text
from croupier.play.driving.sources import ChanceSource
from croupier.refusal import Refused

R = TypeVar("R", bound=Round)


class RoundStep(NamedTuple):
    """A want and its answer."""

    want: Want
    answer: Answer

    def __str__(self) -> str:
        return f"{self.want.to} {answer_text(self.answer)}"


def parse_step(round_: Round, text: str) -> RoundStep:
    """Parse a line of a record as a step of this round; Refused `not_wanted` if the round doesn't want it."""
    where, _, what = text.partition(" ")
    for want in round_.wants():
        if str(want.to) == where:
            try:
                return RoundStep(want, want.parse(what))
            except (ValueError, KeyError):
                break
    raise Refused("not_wanted", step=text)


def replay(round_: R, record: Iterable[str]) -> R:
    """Return the round after every step of a record; Refused at the first step it doesn't want."""
    for text in record:
        round_ = round_.answer(*parse_step(round_, text))
    return round_


@dataclass(frozen=True, slots=True)
class DealtRound(Generic[R]):
    """A round dealt from a source that only this driver has."""

    round: R
    source: ChanceSource
    steps: tuple[RoundStep, ...] = ()

    def deal(self) -> Self:
        """Deal until a decision is wanted or the round has ended."""
        deal = self
        while (wants := deal.round.wants()) and not isinstance(wants[0], Decision):
            deal = deal.answer_from_source(wants[0])
        return deal

    def decision_at(self, to: At) -> Decision:
        """Return the decision wanted at a hand; Refused if there is none."""
        for want in self.round.wants():
            if isinstance(want, Decision) and want.to == to:
                return want
        raise Refused("not_your_turn", box=to.box, hand=to.hand)

    def decide(self, to: At, choice: Choice) -> Self:
        """Decide and deal on; Refused if it isn't the turn of `to` or the option isn't available."""
        return self._after(RoundStep(self.decision_at(to), choice)).deal()

    def restore(self, record: Iterable[str]) -> Self:
        """Replay a record from the same source; Refused `record_not_replayable` if the source differs."""
        deal = self
        for text in record:
            step = parse_step(deal.round, text)
            deal = (
                deal._after(step) if isinstance(step.want, Decision) else deal.answer_from_source(step.want)
            )
            if str(deal.steps[-1]) != text:
                raise Refused("record_not_replayable", step=text, shoe=str(deal.steps[-1]))
        return deal

    def answer_from_source(self, want: Want) -> Self:
        """Answer a want that isn't a decision from the source."""
        answer, source = self.source.answer(want)
        return replace(self._after(RoundStep(want, answer)), source=source)

    def _after(self, step: RoundStep) -> Self:
        return replace(self, round=self.round.answer(*step), steps=(*self.steps, step))
