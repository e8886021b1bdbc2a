"""The conformance suite: every game found, every published table and the tables of an operator's file."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import cycle
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.equipment.cards import Card, cards
from croupier.games import games
from croupier.maths.exact.walk import Belief, chances, uniform_policy
from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Table
from croupier.play.contract.wants import At, Choice
from croupier.play.driving.dealing import DealtRound
from croupier.play.driving.sources import ChanceSource
from croupier.refusal import Refused
from tests.conformance.checks import (
    check_ledger,
    check_moment,
    check_replay,
    check_settlements,
    check_shared,
    play_out,
)
from tests.conformance.hidden_cards import check_hidden
from tests.conformance.strategies import RANK_SETS, TABLES, source_of, wager_on_every_main_bet, wagers

SMALL_SHOES = ("TS TS TS TS TS TS TS TS AS 9S", "6S 6S TS TS TS TS TS 9S")


def test_every_game_has_a_table_here() -> None:
    assert {table.game.name for table in TABLES.values()} == set(games())


def pick_by(numbers: Sequence[int]) -> Callable[[Sequence[tuple[At, Choice]]], tuple[At, Choice]]:
    """Decide by drawn numbers, over and over."""
    cycled = cycle(numbers)
    return lambda choices: choices[next(cycled) % len(choices)]


def shuffle(seed: int, unseen: Sequence[Card]) -> list[Card]:
    return Random(seed).sample(unseen, len(unseen))


def check_round(
    table: Table, placed: Sequence[Wager], source: ChanceSource, numbers: list[int], seed: int
) -> DealtRound[Any]:
    """Run all checks of this suite on one round."""
    start = table.game.start(table.rules, placed)
    deal = play_out(DealtRound(start, source), pick_by(numbers), partial(check_moment, table))
    check_replay(start, deal, source)
    check_ledger(start, deal, check_settlements(table, placed, deal.round))
    check_hidden(table, DealtRound, start, deal, partial(shuffle, seed))
    check_shared(table, placed, deal)
    return deal


def refusal(call: Callable[..., object], table: Table, placed: Sequence[Wager]) -> tuple[str, str]:
    try:
        call(table.rules, placed)
    except Refused as refused:
        return refused.code, refused.rule
    return "", ""


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=30)
@given(
    data=st.data(),
    more=st.lists(
        st.tuples(st.integers(-1, 8), st.sampled_from([None, "no bet"]), st.integers(-1, 5)), max_size=2
    ),
)
def test_checking_wagers_refuses_them_like_starting_a_round(
    name: str, data: st.DataObject, more: list[tuple[int, str | None, int]]
) -> None:
    table = TABLES[name]
    names = st.sampled_from(sorted(table.bets))
    wrong = [Wager(box, bet or data.draw(names), stake_minor) for box, bet, stake_minor in more]
    placed = [*data.draw(st.just([]) | wagers(table)), *wrong]
    assert refusal(table.game.check_wagers, table, placed) == refusal(table.game.start, table, placed)


def check_random_round(name: str, ranks: str, seed: int, numbers: list[int], data: st.DataObject) -> None:
    table = TABLES[name]
    placed = data.draw(wagers(table))
    source = source_of(table, table.game.start(table.rules, placed), ranks, seed)
    check_round(table, placed, source, numbers, seed)


some_round = given(
    ranks=RANK_SETS,
    seed=st.integers(0, 2**32),
    numbers=st.lists(st.integers(0, 11), min_size=1),
    data=st.data(),
)


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=20)
@some_round
def test_random_rounds(name: str, ranks: str, seed: int, numbers: list[int], data: st.DataObject) -> None:
    check_random_round(name, ranks, seed, numbers, data)


@pytest.mark.campaign
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=2_000)
@some_round
def test_many_random_rounds(
    name: str, ranks: str, seed: int, numbers: list[int], data: st.DataObject
) -> None:
    check_random_round(name, ranks, seed, numbers, data)


@pytest.mark.parametrize("shoe", SMALL_SHOES)
@pytest.mark.parametrize("name", TABLES)
def test_every_possible_round_of_a_small_shoe(name: str, shoe: str) -> None:
    """The walk visits every decision and every end; its probabilities sum to exactly 1."""
    table, placed = TABLES[name], wager_on_every_main_bet(TABLES[name], 10)
    seen: set[Any] = set()

    def net(round_: Any) -> int:
        seen.add(round_)
        lines = check_settlements(table, placed, round_)
        return sum(line.returned_minor - line.stake_minor for line in lines)

    def policy(round_: Any, decision: Any) -> dict[Choice, Fraction]:
        check_moment(table, round_)
        seen.add(round_)
        return uniform_policy(round_, decision)

    found = chances(table.game.start(table.rules, placed), Belief.of(cards(shoe)), policy, net)
    assert sum(found.values()) == 1
    assert len(found) > 1
    assert len(seen) > 5
