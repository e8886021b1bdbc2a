"""The parts of a rules page that depend on the table alone."""

from dataclasses import replace

import pytest

from croupier.games import published_tables
from croupier.gateway.pages.rules import markdown
from croupier.gateway.pages.rules_limits import LimitLine, currencies, limit_lines
from croupier.play.contract.amounts import StakeLimits

TABLES = published_tables()


def page(name: str) -> str:
    return " ".join(markdown(TABLES[name]).split())


def test_kinds_come_first_and_the_whole_bet_last() -> None:
    table = replace(
        TABLES["roulette"],
        limits={"EUR": StakeLimits(100, 1_000), "GC": StakeLimits(1, 10)},
        kind_limits={"dozen": {"EUR": StakeLimits(200, 2_000)}, "split": {"GC": StakeLimits(3, 7)}},
        table_limits={"GC": StakeLimits(1, 100)},
    )
    assert currencies(table) == ("Euro", "Gold Coins")
    assert list(limit_lines(table)) == [
        LimitLine("split", ("1.00 to 10.00", "3 to 7")),
        LimitLine("dozen", ("2.00 to 20.00", "1 to 10")),
        LimitLine("every other bet", ("1.00 to 10.00", "1 to 10")),
        LimitLine("all your bets in a round", ("no limit", "1 to 100")),
    ]


@pytest.mark.parametrize(
    ("table", "titles"),
    [
        ("classic", ["the main bet"]),
        ("multihand", ["the main bet of each box"]),
        ("infinite", ["the main bet", "each side bet"]),
        ("live_baccarat", ["tie", "pair", "every other bet", "all your bets in a round"]),
    ],
)
def test_bets_are_named_as_far_as_their_limits_differ(table: str, titles: list[str]) -> None:
    assert [line.title for line in limit_lines(TABLES[table])] == titles


def test_without_limits_of_kinds_all_bets_are_one_line() -> None:
    table = replace(TABLES["roulette"], kind_limits={}, table_limits={})
    assert [line.title for line in limit_lines(table)] == ["each bet"]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("live_baccarat", "Player and Banker can't be bet on in the same round."),
        ("live_dragon_tiger", "Dragon and Tiger can't be bet on in the same round."),
        ("football_studio", "Home and Away can't be bet on in the same round."),
        ("live_football_studio", "Home and Away can't be bet on in the same round."),
        ("live_sic_bo", "- Big and Small can't be bet on in the same round. - Odd and Even can't"),
        ("live_roulette", "may cover at most 92 % of the outcomes: 34 of 37."),
    ],
)
def test_the_page_states_the_restriction(table: str, sentence: str) -> None:
    assert sentence in page(table)
    assert "refused when you place it, and what you had bet before stands" in page(table)


def test_the_page_states_no_restriction_without_one() -> None:
    assert "Restricted bets" not in page("roulette")


@pytest.mark.parametrize(
    ("table", "percent"), [("live_roulette", 15), ("roulette", 10), ("baccarat", 5), ("premium", 5)]
)
def test_the_page_states_the_wagering_percentage(table: str, percent: int) -> None:
    assert f"*: {percent} % of what you stake here counts towards a wagering requirement." in page(table)


def test_without_a_wagering_class_nothing_counts() -> None:
    free = replace(TABLES["roulette"], wagering="")
    assert "What you stake here doesn't count towards" in " ".join(markdown(free).split())
