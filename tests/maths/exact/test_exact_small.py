"""On small shoes the reference equals the exhaustive walk, and the fast analysis equals the reference."""

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
from tests.maths.exact.shoes import (
    SHOES,
    TABLES,
    any_rules,
    main_only,
    shoe_of,
    walked,
    walked_best,
)

NEAR = 1e-12
MIDDLING = "AS AS TS TS TS JS 9S 9S 8S 8S 7S 6S 6S 5S 5S"


def near(one: float, other: Fraction) -> bool:
    return abs(one - float(other)) < NEAR


@pytest.mark.parametrize("text", SHOES.values(), ids=SHOES)
@pytest.mark.parametrize("table", TABLES)
def test_twin_is_the_best_walk_where_nothing_is_split(table: str, text: str) -> None:
    rules = replace(main_only(TABLES[table]), splits="none")
    assert reference.analyse(rules, shoe_of(text)).value.net == walked_best(rules, text)


def check_against_the_walk(rules: Rules, text: str) -> None:
    """The best play, played by the round itself, has the net result and stake of the reference."""
    shoe = shoe_of(text)
    slow, strategy = reference.analyse(rules, shoe), optimal(rules, shoe)
    found = walked(rules, text, strategy)
    assert found.mean == slow.value.net
    assert found.stake == slow.value.stake
    counted = distribution(solution := Solution(rules, shoe), best_plans(solution))
    assert counted.keys() == found.nets.keys()
    assert all(near(counted[worth], chance) for worth, chance in found.nets.items())


@pytest.mark.parametrize("text", SHOES.values(), ids=SHOES)
@pytest.mark.parametrize("table", TABLES)
def test_tables_play_as_analysed(table: str, text: str) -> None:
    check_against_the_walk(main_only(TABLES[table]), text)


@given(any_rules(), st.sampled_from(list(SHOES.values())))
@settings(max_examples=12)
def test_any_rules_play_as_analysed(rules: Rules, text: str) -> None:
    check_against_the_walk(rules, text)


def same(slow: OpeningAnalysis[Fraction], fast: OpeningAnalysis[float]) -> bool:
    assert fast.options.keys() == slow.options.keys()
    assert (fast.offer is None) == (slow.offer is None)
    pairs = [
        (fast.chance, slow.chance),
        (fast.live, slow.live),
        *zip(fast.value, slow.value, strict=True),
        *((fast.options[action], value) for action, value in slow.options.items()),
    ]
    if fast.offer and slow.offer:
        assert (fast.offer.name, fast.offer.taken) == (slow.offer.name, slow.offer.taken)
        pairs.append((fast.offer.gain, slow.offer.gain))
    return all(near(one, other) for one, other in pairs)


def check_fast(rules: Rules, text: str) -> None:
    slow, fast = reference.analyse(rules, shoe_of(text)), analyse(rules, shoe_of(text))
    assert len(slow.openings) == len(fast.openings)
    by_hand = {(deal.hand, deal.dealer): deal for deal in fast.openings}
    assert all(same(deal, by_hand[deal.hand, deal.dealer]) for deal in slow.openings)
    assert near(fast.return_per_total_stake, slow.return_per_total_stake)
    assert sum(deal.chance for deal in slow.openings) == 1


@pytest.mark.parametrize("table", TABLES)
def test_fast_equals_twin_in_every_option(table: str) -> None:
    check_fast(TABLES[table], MIDDLING)


@given(any_rules(), st.sampled_from(list(SHOES.values())))
@settings(max_examples=30)
def test_fast_equals_twin_under_any_rules(rules: Rules, text: str) -> None:
    check_fast(rules, text)


@pytest.mark.parametrize("text", ["AS AS AS TS TS", "2S 2S 2S 2S 3S 3S 3S 3S 4S 4S 4S 4S"])
def test_a_shoe_that_may_run_out_is_refused(text: str) -> None:
    for analysed in (analyse, reference.analyse):
        with pytest.raises(Refused, match="shoe_empty"):
            analysed(TABLES["infinite"], shoe_of(text))
