"""Bets at once, on several devices and tables, spend exactly what the money allows."""

import pytest

from tests.faults.overspends.campaign import Plan, campaign
from tests.faults.overspends.planted import FAULTS, program

CI_ATTEMPTS, CAMPAIGN_ATTEMPTS, FAULT_ATTEMPTS = 4_000, 1_000_000, 3_000


def test_no_player_spends_more_or_less_than_their_money() -> None:
    result = campaign(Plan(CI_ATTEMPTS))
    assert result.codes["not_covered"] > result.attempts / 4
    assert result.codes.keys() == {"", "not_covered"}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_of_balances_is_found(fault: str) -> None:
    with pytest.raises(AssertionError):
        campaign(Plan(FAULT_ATTEMPTS, program=program(fault)))


@pytest.mark.campaign
@pytest.mark.timeout(8 * 3600)
def test_a_million_overspends(capsys: pytest.CaptureFixture[str]) -> None:
    result = campaign(Plan(CAMPAIGN_ATTEMPTS, seed=1))
    with capsys.disabled():
        print(f"\n{result}")
