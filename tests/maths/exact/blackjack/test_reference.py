"""On small shoes the reference analysis equals the exhaustive walk, and the fast analysis the reference."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.games.blackjack.exact import analyse, reference
from croupier.games.blackjack.exact.distribution import distribution
from croupier.games.blackjack.exact.plans import best_plans
from croupier.games.blackjack.exact.play import optimal
from croupier.games.blackjack.exact.results import OpeningAnalysis
from croupier.games.blackjack.exact.solution import Solution
from croupier.games.blackjack.rules import Rules
from croupier.refusal import Refused
from tests.maths.exact.blackjack.small_shoes import (
    RULES,
    SHOES,
    any_rules,
    main_only,
    shoe_of,
    walk_best_play,
    walk_strategy,
)

PAIRS = [
    pytest.param(
        table,
        text,
        id=f"{table}-{name}",
        marks=() if (nth + number) % len(SHOES) == 0 else pytest.mark.campaign,
    )
    for nth, table in enumerate(RULES)
    for number, (name, text) in enumerate(SHOES.items())
]
"""Each table with one of the shoes; in the campaign, with each."""
TOLERANCE = 1e-12
MIDDLING = "AS AS TS TS TS JS 9S 9S 8S 8S 7S 6S 6S 5S 5S"


def is_close(value: float, exact: Fraction) -> bool:
    return abs(value - float(exact)) < TOLERANCE


@pytest.mark.parametrize(("table", "text"), PAIRS)
def test_the_reference_equals_the_walk_without_splits(table: str, text: str) -> None:
    rules = replace(main_only(RULES[table]), splits="none")
    assert reference.analyse(rules, shoe_of(text)).value.net == walk_best_play(rules, text)


def check_strategy_against_walk(rules: Rules, text: str) -> None:
    """Check that walking rounds with the best play gives the net results and stakes of the reference."""
    shoe = shoe_of(text)
    exact, strategy = reference.analyse(rules, shoe), optimal(rules, shoe)
    walk = walk_strategy(rules, text, strategy)
    assert walk.mean == exact.value.net
    assert walk.stake == exact.value.stake
    fast = distribution(solution := Solution(rules, shoe), best_plans(solution))
    assert fast.keys() == walk.nets.keys()
    assert all(is_close(fast[net], chance) for net, chance in walk.nets.items())


@pytest.mark.parametrize(("table", "text"), PAIRS)
def test_published_tables_play_as_analysed(table: str, text: str) -> None:
    check_strategy_against_walk(main_only(RULES[table]), text)


@given(any_rules(), st.sampled_from(list(SHOES.values())))
@settings(max_examples=6)
def test_any_rules_play_as_analysed(rules: Rules, text: str) -> None:
    check_strategy_against_walk(rules, text)


def agrees(exact: OpeningAnalysis[Fraction], fast: OpeningAnalysis[float]) -> bool:
    assert fast.options.keys() == exact.options.keys()
    assert (fast.offer is None) == (exact.offer is None)
    pairs = [
        (fast.chance, exact.chance),
        (fast.live, exact.live),
        *zip(fast.value, exact.value, strict=True),
        *((fast.options[action], value) for action, value in exact.options.items()),
    ]
    if fast.offer and exact.offer:
        assert (fast.offer.name, fast.offer.taken) == (exact.offer.name, exact.offer.taken)
        pairs.append((fast.offer.gain, exact.offer.gain))
    return all(is_close(value, expected) for value, expected in pairs)


def check_against_reference(rules: Rules, text: str) -> None:
    exact, fast = reference.analyse(rules, shoe_of(text)), analyse(rules, shoe_of(text))
    assert len(exact.openings) == len(fast.openings)
    by_hand = {(opening.hand, opening.dealer): opening for opening in fast.openings}
    assert all(agrees(opening, by_hand[opening.hand, opening.dealer]) for opening in exact.openings)
    assert is_close(fast.return_per_total_stake, exact.return_per_total_stake)
    assert sum(opening.chance for opening in exact.openings) == 1


@pytest.mark.parametrize(
    "table",
    [
        "classic",
        pytest.param("premium", marks=pytest.mark.campaign),
        pytest.param("multihand", marks=pytest.mark.campaign),
        "double_exposure",
        "infinite",
        "seven_seat",
    ],
)
def test_every_option_agrees_with_the_reference(table: str) -> None:
    check_against_reference(RULES[table], MIDDLING)


@given(any_rules(), st.sampled_from(list(SHOES.values())))
@settings(max_examples=12)
def test_every_option_agrees_under_any_rules(rules: Rules, text: str) -> None:
    check_against_reference(rules, text)


@pytest.mark.parametrize("text", ["AS AS AS TS TS", "2S 2S 2S 2S 3S 3S 3S 3S 4S 4S 4S 4S"])
def test_a_shoe_that_may_run_out_is_refused(text: str) -> None:
    for analysed in (analyse, reference.analyse):
        with pytest.raises(Refused, match="shoe_empty"):
            analysed(RULES["infinite"], shoe_of(text))
