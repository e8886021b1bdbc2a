"""Limits of a table, for a bet, a kind of bet and the total; and their entries in an operator's file."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games import games, published_tables
from croupier.play.contract.amounts import StakeLimits
from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Table
from croupier.play.tables.files import InvalidTables, read_tables
from croupier.refusal import Refused
from croupier.tables.limits import check_limits
from croupier.tables.own import place_stakes
from tests.equipment.random_sources import SeededRandomSource

ROULETTE = replace(
    published_tables()["roulette"],
    limits={"EUR": StakeLimits(100, 1_000)},
    kind_limits={"split": {"EUR": StakeLimits(200, 500)}},
    table_limits={"EUR": StakeLimits(100, 2_000)},
)
STRAIGHT, SPLIT = "straight_17", "split_17_20"


def refused(table: Table, *wagers: tuple[str, int], currency: str = "EUR") -> tuple[str, dict[str, object]]:
    """Check wagers; return the code and arguments of the refusal, or an empty code."""
    try:
        check_limits(table, currency, [Wager(0, *wager) for wager in wagers])
    except Refused as refusal:
        return refusal.code, dict(refusal.args_)
    return "", {}


@pytest.mark.parametrize(
    ("wagers", "code", "args"),
    [
        ([(STRAIGHT, 100), (SPLIT, 200)], "", {}),
        ([(STRAIGHT, 1_000), (SPLIT, 500)], "", {}),
        ([(STRAIGHT, 99)], "under_minimum", {"bet": STRAIGHT, "title": "Straight up 17", "min_minor": 100}),
        (
            [(STRAIGHT, 1_001)],
            "over_maximum",
            {"bet": STRAIGHT, "title": "Straight up 17", "max_minor": 1_000},
        ),
        ([(SPLIT, 199)], "under_minimum", {"bet": SPLIT, "title": "Split 17/20", "min_minor": 200}),
        ([(SPLIT, 501)], "over_maximum", {"bet": SPLIT, "title": "Split 17/20", "max_minor": 500}),
        ([("red", 1_000), ("odd", 1_000)], "", {}),
        (
            [("red", 1_000), ("odd", 901), (STRAIGHT, 100)],
            "over_table_maximum",
            {"staked_minor": 2_001, "max_minor": 2_000},
        ),
        ([("green", 100)], "no_such_bet", {"bet": "green"}),
    ],
)
def test_a_bet_outside_its_limits_is_refused_with_its_limits(
    wagers: list[tuple[str, int]], code: str, args: dict[str, object]
) -> None:
    assert refused(ROULETTE, *wagers) == (code, args)


def test_a_currency_that_the_table_does_not_accept_is_refused() -> None:
    assert refused(ROULETTE, (STRAIGHT, 100), currency="GC")[0] == "no_such_currency"


def test_a_kind_without_limits_in_a_currency_has_those_of_the_table() -> None:
    table = replace(ROULETTE, limits={**ROULETTE.limits, "GC": StakeLimits(7, 70)})
    assert table.limits_of(table.bets[SPLIT], "GC") == StakeLimits(7, 70)
    assert refused(table, (SPLIT, 70), (STRAIGHT, 7), ("red", 70), currency="GC") == ("", {})


def test_main_limits_span_those_of_all_main_bets() -> None:
    assert ROULETTE.main_limits("EUR") == StakeLimits(100, 1_000)
    wide = replace(ROULETTE, kind_limits={"split": {"EUR": StakeLimits(50, 5_000)}})
    assert wide.main_limits("EUR") == StakeLimits(50, 5_000)


STAKES = st.dictionaries(
    st.sampled_from(sorted(ROULETTE.bets)), st.integers(50, 1_200), min_size=1, max_size=6
)


@given(STAKES)
def test_stakes_are_accepted_only_within_every_limit(stakes: dict[str, int]) -> None:
    """Compare the check with a direct computation."""
    bets = ROULETTE.bets
    within_limits = all(
        (200 <= stake <= 500) if bets[bet].kind == "split" else (100 <= stake <= 1_000)
        for bet, stake in stakes.items()
    )
    assert (refused(ROULETTE, *stakes.items()) == ("", {})) == (
        within_limits and sum(stakes.values()) <= 2_000
    )


def test_an_own_table_refuses_a_bet_before_anything_is_drawn() -> None:
    live = published_tables()["live_baccarat"]
    both = [Wager(0, "player", 100), Wager(0, "banker", 100)]
    with pytest.raises(Refused) as refusal:
        place_stakes("r1", live, "EUR", both, SeededRandomSource(1), 0)
    assert (refusal.value.code, refusal.value.args_["bets"]) == ("never_together", "Player and Banker")


BLOCK = published_tables()["roulette"].game.variants.split("[roulette]\n")[1].split("\n[")[0]
LINES = [
    line for line in BLOCK.splitlines() if not line.startswith(("kind_limits", "table_limits", "limits"))
]
VALID = "\n".join(["[mine]", 'limits = { EUR = "1-100" }', *LINES])


def test_an_operators_file_sets_limits_and_restrictions() -> None:
    text = VALID + (
        '\nkind_limits = { split = { EUR = "2-200" } }\ntable_limits = { EUR = "1-1000" }'
        '\nnever_together = [["red", "black"], ["odd", "even", "low"]]\ncovers_at_most_percent = 50\n'
    )
    table = read_tables(text, games(), "f.toml")["mine"]
    assert table.kind_limits == {"split": {"EUR": StakeLimits(200, 20_000)}}
    assert table.table_limits == {"EUR": StakeLimits(100, 100_000)}
    assert refused(table, ("red", 100), ("black", 100))[0] == "never_together"
    assert refused(table, ("red", 100), ("odd", 100))[0] == "covers_too_much"
    assert refused(table, ("red", 100), (STRAIGHT, 100))[0] == "covers_too_much"
    assert refused(table, ("red", 100))[0] == ""


@pytest.mark.parametrize(
    ("line", "field", "expected"),
    [
        (
            'kind_limits = { splits = { EUR = "1-2" } }',
            "kind_limits",
            "no kind of bet 'splits'; allowed are: ",
        ),
        ('kind_limits = { split = { GC = "1-2" } }', "kind_limits", "takes no GC; allowed are: EUR"),
        ('kind_limits = { split = "1-2" }', "kind_limits", "allowed is: limits by kind of bet, such as"),
        ('table_limits = { EUR = "2-1000" }', "table_limits", "limits that a single stake of 1.00 is within"),
        ('table_limits = { EUR = "0.10-0.50" }', "table_limits", "a single stake of 1.00 is within"),
        ('table_limits = { USD = "1-1000" }', "table_limits", "takes no USD; allowed are: EUR"),
        ('side_limits = { USD = "1-1000" }', "side_limits", "takes no USD; allowed are: EUR"),
        ('never_together = [["red"]]', "never_together", "at least two different bets"),
        ('never_together = [["red", "blue"]]', "never_together", "no bet 'blue'; allowed are: "),
        ("covers_at_most_percent = 0", "covers_at_most_percent", "a whole number from 1 to 100"),
    ],
)
def test_an_invalid_limit_or_restriction_is_reported_with_its_line(
    line: str, field: str, expected: str
) -> None:
    with pytest.raises(InvalidTables) as error:
        read_tables(f"{VALID}\n{line}\n", games(), "f.toml")
    number = len(VALID.splitlines()) + 1
    assert str(error.value).startswith(f"f.toml, line {number}: [mine] {field}: ")
    assert expected in str(error.value)


def test_a_wrong_wagering_class_is_reported() -> None:
    text = VALID.replace('wagering = "rng_tables"', 'wagering = "live_casino"')
    with pytest.raises(InvalidTables, match=r"\[mine\] wagering: no class 'live_casino'.*rng_tables"):
        read_tables(text, games(), "f.toml")
