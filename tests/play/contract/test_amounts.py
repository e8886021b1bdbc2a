"""Amounts in smallest units, and the chips of a table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.play.contract.amounts import CURRENCIES, StakeLimits, chips_minor

EUR, GC = CURRENCIES["EUR"], CURRENCIES["GC"]


@pytest.mark.parametrize(
    ("text", "minor"), [("0.50", 50), ("500", 50_000), ("0", 0), ("1.5", 150), ("12345678.90", 1_234_567_890)]
)
def test_an_amount_is_parsed_in_smallest_units(text: str, minor: int) -> None:
    assert EUR.minor(text) == minor


@pytest.mark.parametrize("text", ["", "ten", "0.505", "-1", "1,50", "NaN", "Infinity", "1e-3"])
def test_an_invalid_amount_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"isn't an amount|isn't a whole number of EUR's smallest unit"):
        EUR.minor(text)


def test_a_currency_without_decimals_takes_whole_amounts_only() -> None:
    assert GC.minor("1000") == 1000
    with pytest.raises(ValueError, match="GC's smallest unit"):
        GC.minor("0.5")


@given(st.integers(0, 10**15), st.sampled_from(sorted(CURRENCIES)))
def test_an_amount_is_parsed_from_its_text(minor: int, code: str) -> None:
    currency = CURRENCIES[code]
    assert currency.minor(currency.text(minor).replace(",", "")) == minor


def test_an_amount_is_formatted_with_its_decimals() -> None:
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
def test_chips_range_from_the_minimum_to_the_maximum(limits: StakeLimits, chips: tuple[int, ...]) -> None:
    assert chips_minor(EUR, limits) == chips
