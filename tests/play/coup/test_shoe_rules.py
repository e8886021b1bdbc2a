"""Rules of the shoe: valid combinations, and the policy of a live table."""

import pytest
from msgspec.structs import replace

from croupier.play.contract.game import Dealing
from croupier.play.contract.live import ShoePolicy
from croupier.play.coup.shoe_rules import ShoeRules, shoe_errors, shoe_policy

FRESH = ShoeRules()
CUT = ShoeRules(shuffle="at_cut_card", cut_card_from_back=7, rounds_after_cut=1, burn="by_first_card")
CARDS_MAX = 6
"""The most cards that a round takes."""


@pytest.mark.parametrize(("rules", "dealing"), [(FRESH, "own"), (FRESH, "live"), (CUT, "live")])
def test_valid_rules_have_no_errors(rules: ShoeRules, dealing: Dealing) -> None:
    assert not list(shoe_errors(rules, dealing, CARDS_MAX))


@pytest.mark.parametrize(
    ("rules", "dealing", "field"),
    [
        (CUT, "own", "shuffle"),
        (replace(CUT, cut_card_from_back=4), "live", "cut_card_from_back"),
        (replace(CUT, decks=1, cut_card_from_back=52), "live", "cut_card_from_back"),
        (replace(FRESH, shoes=2), "live", "shoes"),
        (replace(FRESH, cut_card_from_back=7), "live", "cut_card_from_back"),
        (replace(FRESH, rounds_after_cut=1), "own", "rounds_after_cut"),
        (replace(FRESH, burn="by_first_card"), "own", "burn"),
    ],
)
def test_an_invalid_combination_names_its_field(rules: ShoeRules, dealing: Dealing, field: str) -> None:
    assert [found for found, _ in shoe_errors(rules, dealing, CARDS_MAX)] == [field]


def test_the_cut_card_is_counted_from_the_back() -> None:
    assert shoe_policy(CUT, CARDS_MAX) == ShoePolicy(8, 1, False, 416 - 7, 1, CARDS_MAX, "by_first_card")
    assert shoe_policy(replace(FRESH, decks=2), CARDS_MAX) == ShoePolicy(
        2, 1, True, 104, 0, CARDS_MAX, "none"
    )
