"""What the mathematics asks of a game of coups: made from its Telling."""

from collections.abc import Hashable
from typing import Any

from croupier.play.contract.model import Model, Strategy
from croupier.play.contract.wants import Choice, Decision
from croupier.play.coup.coup import Coup, Telling

NOTHING = "nothing_to_decide"


def coup_model(telling: Telling) -> Model:
    """A coup of all bets at once."""

    def situation(coup: Coup) -> Hashable:
        return telling.situation(coup.rules, coup.dealt)

    return Model(situation, telling.alike, {NOTHING: lambda _rules: NOBODY})


def _nothing(_coup: Any, decision: Decision) -> Choice:
    raise AssertionError(f"a coup has nothing to decide: {decision}")


NOBODY = Strategy(_nothing, lambda _coup: ())
