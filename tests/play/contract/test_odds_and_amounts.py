"""Whole numbers of money: odds, currencies, limits, chips."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.play.contract.amounts import CURRENCIES, StakeLimits, chips_minor
from croupier.play.contract.odds import Odds

EUR, GC = CURRENCIES["EUR"], CURRENCIES["GC"]


@pytest.mark.parametrize(
    ("odds", "stake", "wins"),
    [("3:2", 100, 150), ("3:2", 101, 151), ("3:2", 1, 1), ("6:5", 4, 4), ("2:1", 50, 100), ("1:2", 1, 0)],
)
def test_winnings_are_rounded_down(odds: str, stake: int, wins: int) -> None:
    assert Odds.parse(odds).winnings(stake) == wins


@given(wins=st.integers(1, 500), staked=st.integers(1, 20), stake=st.integers(0, 10**15))
def test_winnings_never_exceed_the_odds_and_miss_them_by_less_than_a_unit(
    wins: int, staked: int, stake: int
) -> None:
    odds = Odds(wins, staked)
    assert 0 <= Fraction(wins, staked) * stake - odds.winnings(stake) < 1
    assert Odds.parse(str(odds)) == odds


@pytest.mark.parametrize(
    "text", ["", "3", "3:", ":2", "3:0", "0:2", "-3:2", "3:2:1", "3.5:2", "three:two", "3 : 2"]
)
def test_what_are_no_odds(text: str) -> None:
    with pytest.raises(ValueError, match="are no odds"):
        Odds.parse(text)


@pytest.mark.parametrize(
    ("text", "minor"), [("0.50", 50), ("500", 50_000), ("0", 0), ("1.5", 150), ("12345678.90", 1_234_567_890)]
)
def test_an_amount_in_smallest_units(text: str, minor: int) -> None:
    assert EUR.minor(text) == minor


@pytest.mark.parametrize("text", ["", "ten", "0.505", "-1", "1,50", "NaN", "Infinity", "1e-3"])
def test_what_is_no_amount(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no amount|is no whole number of EUR's smallest unit"):
        EUR.minor(text)


def test_a_currency_without_decimals_has_no_half() -> None:
    assert GC.minor("1000") == 1000
    with pytest.raises(ValueError, match="GC's smallest unit"):
        GC.minor("0.5")


@given(st.integers(0, 10**15), st.sampled_from(sorted(CURRENCIES)))
def test_an_amount_is_read_as_it_is_written(minor: int, code: str) -> None:
    currency = CURRENCIES[code]
    assert currency.minor(currency.text(minor).replace(",", "")) == minor


def test_an_amount_is_written_with_its_decimals() -> None:
    assert EUR.text(1_234_567) == "12,345.67"
    assert GC.text(1_234_567) == "1,234,567"
    assert EUR.text(-50) == "-0.50"


@pytest.mark.parametrize(
    ("limits", "chips"),
    [
        (StakeLimits(50, 50_000), (50, 100, 500, 2500, 10_000, 50_000)),
        (StakeLimits(100, 100), (100,)),
        (StakeLimits(70, 90), (70,)),
    ],
)
def test_chips_run_from_the_minimum_to_the_maximum(limits: StakeLimits, chips: tuple[int, ...]) -> None:
    assert chips_minor(EUR, limits) == chips
