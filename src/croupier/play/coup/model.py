"""The model of a game of coups, made from its definition."""

from collections.abc import Hashable
from typing import Any

from croupier.play.contract.model import Model, Strategy
from croupier.play.contract.wants import Choice, Decision
from croupier.play.coup.coup import Coup, CoupDefinition

NOTHING = "nothing_to_decide"


def coup_model(definition: CoupDefinition) -> Model:
    """Return the model of a coup with all bets at once."""

    def situation(coup: Coup) -> Hashable:
        return definition.state_key(coup.rules, coup.dealt)

    return Model(situation, definition.rank_groups, {NOTHING: lambda _rules: NO_DECISIONS})


def _nothing(_coup: Any, decision: Decision) -> Choice:
    raise AssertionError(f"a coup has nothing to decide: {decision}")


NO_DECISIONS = Strategy(_nothing, lambda _coup: ())
