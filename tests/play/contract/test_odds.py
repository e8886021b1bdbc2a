"""Odds: parsing, and winnings in whole units."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.play.contract.odds import Odds


@pytest.mark.parametrize(
    ("odds", "stake", "wins"),
    [("3:2", 100, 150), ("3:2", 101, 151), ("3:2", 1, 1), ("6:5", 4, 4), ("2:1", 50, 100), ("1:2", 1, 0)],
)
def test_winnings_are_rounded_down(odds: str, stake: int, wins: int) -> None:
    assert Odds.parse(odds).winnings(stake) == wins


@given(wins=st.integers(1, 500), staked=st.integers(1, 20), stake=st.integers(0, 10**15))
def test_winnings_are_less_than_a_unit_below_the_odds(wins: int, staked: int, stake: int) -> None:
    odds = Odds(wins, staked)
    assert 0 <= Fraction(wins, staked) * stake - odds.winnings(stake) < 1
    assert Odds.parse(str(odds)) == odds


@pytest.mark.parametrize(
    "text", ["", "3", "3:", ":2", "3:0", "0:2", "-3:2", "3:2:1", "3.5:2", "three:two", "3 : 2"]
)
def test_invalid_odds_are_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="can't be read"):
        Odds.parse(text)
