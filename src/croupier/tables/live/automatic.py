"""The automatic dealer: answers what a table wants from a shoe, as a person would from his.

The face-down card is with him, as it lies before a person, and in no state that anybody sees.
"""

from dataclasses import dataclass
from typing import Self

from croupier.play.contract.wants import answer_text
from croupier.play.driving.sources import ShoeSource
from croupier.tables.live.effects import RequestCard
from croupier.tables.live.inputs import AnyInput, CutCard, Dealt


@dataclass(frozen=True, slots=True)
class AutomaticDealer:
    source: ShoeSource

    def deals(self, asked: RequestCard) -> tuple[Self, tuple[AnyInput, ...]]:
        """The dealer afterwards, and what he says: the cut card first, if this card brings it out."""
        answer, source = self.source.answer(asked.want)
        out = source.shoe.cut_card_out and not self.source.shoe.cut_card_out
        dealt = Dealt(answer_text(answer), asked.ask)
        return type(self)(source), ((CutCard(), dealt) if out else (dealt,))
