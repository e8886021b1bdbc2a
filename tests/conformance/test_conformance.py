"""The conformance suite: every game that is found, every table, and an operator's file."""

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
    played,
)
from tests.conformance.dealt import RANKS_DEALT, TABLES, on_every_main_bet, source_of, wagers
from tests.conformance.hidden import check_hidden

WALKED = ("TS TS TS TS TS TS TS TS AS 9S", "6S 6S TS TS TS TS TS 9S")


def test_every_game_has_a_table_here() -> None:
    assert {table.game.name for table in TABLES.values()} == set(games())


def picking(numbers: Sequence[int]) -> Callable[[Sequence[tuple[At, Choice]]], tuple[At, Choice]]:
    """Decides by numbers that chance gave, over and over."""
    following = cycle(numbers)
    return lambda choices: choices[next(following) % len(choices)]


def shuffle(seed: int, unseen: Sequence[Card]) -> list[Card]:
    return Random(seed).sample(unseen, len(unseen))


def check_round(
    table: Table, placed: Sequence[Wager], source: ChanceSource, numbers: list[int], seed: int
) -> DealtRound[Any]:
    """Everything this suite asks of one round."""
    start = table.game.start(table.rules, placed)
    deal = played(DealtRound(start, source), picking(numbers), partial(check_moment, table))
    check_replay(start, deal, source)
    check_ledger(start, deal, check_settlements(table, placed, deal.round))
    check_hidden(table, DealtRound, start, deal, partial(shuffle, seed))
    check_shared(table, placed, deal)
    return deal


def refusal(call: Callable[..., object], table: Table, placed: Sequence[Wager]) -> tuple[str, str]:
    try:
        call(table.rules, placed)
    except Refused as no:
        return no.code, no.rule
    return "", ""


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=30)
@given(
    data=st.data(),
    more=st.lists(
        st.tuples(st.integers(-1, 8), st.sampled_from([None, "no bet"]), st.integers(-1, 5)), max_size=2
    ),
)
def test_what_no_round_opens_with_is_refused_alike_when_it_is_only_checked(
    name: str, data: st.DataObject, more: list[tuple[int, str | None, int]]
) -> None:
    table = TABLES[name]
    names = st.sampled_from(sorted(table.bets))
    wrong = [Wager(box, bet or data.draw(names), stake_minor) for box, bet, stake_minor in more]
    placed = [*data.draw(st.just([]) | wagers(table)), *wrong]
    assert refusal(table.game.check_wagers, table, placed) == refusal(table.game.start, table, placed)


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=80)
@given(
    ranks=RANKS_DEALT,
    seed=st.integers(0, 2**32),
    numbers=st.lists(st.integers(0, 11), min_size=1),
    data=st.data(),
)
def test_rounds_as_they_come(
    name: str, ranks: str, seed: int, numbers: list[int], data: st.DataObject
) -> None:
    table = TABLES[name]
    placed = data.draw(wagers(table))
    source = source_of(table, table.game.start(table.rules, placed), ranks, seed)
    check_round(table, placed, source, numbers, seed)


@pytest.mark.parametrize("shoe", WALKED)
@pytest.mark.parametrize("name", TABLES)
def test_every_round_there_is_of_a_small_shoe(name: str, shoe: str) -> None:
    """The walk sees every decision and every end; its chances sum to exactly 1."""
    table, placed = TABLES[name], on_every_main_bet(TABLES[name], 10)
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
