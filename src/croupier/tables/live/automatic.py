"""The automatic dealer: answers the table's requests from a shoe.

The dealer keeps the face-down card, so no state of the table contains it.
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

    def deal(self, request: RequestCard) -> tuple[Self, tuple[AnyInput, ...]]:
        """Return the next dealer and its inputs; CutCard comes before the card that it lies in front of."""
        answer, source = self.source.answer(request.want)
        out = source.shoe.cut_card_out and not self.source.shoe.cut_card_out
        dealt = Dealt(answer_text(answer), request.ask)
        return type(self)(source), ((CutCard(), dealt) if out else (dealt,))
