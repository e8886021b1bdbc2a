"""The view of a coup of baccarat."""

from collections.abc import Sequence
from typing import Literal

from croupier.equipment.cards import Card
from croupier.games.baccarat.coup import winner
from croupier.games.baccarat.rules import BANKER, PLAYER, Rules, is_natural, points
from croupier.games.baccarat.view import BaccaratHand, BaccaratView
from croupier.play.contract.wants import At
from croupier.play.coup.coup import Coup
from croupier.play.coup.hands import cards_at
from croupier.play.coup.view import coup_fields

WINNERS: dict[At | None, Literal["player", "banker", "tie"]] = {
    None: "tie",
    PLAYER: "player",
    BANKER: "banker",
}


def show(coup: Coup) -> BaccaratView:
    return BaccaratView(
        *coup_fields(coup),
        player=_hand(coup.rules, cards_at(coup.dealt, PLAYER)),
        banker=_hand(coup.rules, cards_at(coup.dealt, BANKER)),
        winner=WINNERS[winner(coup.dealt)] if coup.ended else None,
    )


def _hand(rules: Rules, cards: Sequence[Card]) -> BaccaratHand:
    totals = tuple(points(cards[:count]) for count in range(1, len(cards) + 1))
    return BaccaratHand(tuple(map(str, cards)), totals, is_natural(rules, cards))
