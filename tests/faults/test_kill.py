"""A short campaign of kills; `make campaign` runs the long one."""

import pytest

from tests.faults.campaign import Plan, campaign
from tests.faults.planted import FAULTS, program


@pytest.mark.parametrize(("socket", "kills"), [("picows", 16), ("websockets", 8)])
def test_nothing_acknowledged_is_lost_and_no_unit_is_lost_or_made(socket: str, kills: int) -> None:
    result = campaign(Plan(kills, seed=kills, socket=socket))
    assert result.counts["done before"] > 0, "no kill fell between a commit and its acknowledgement"
    assert result.counts["done now"] > 0, "no kill fell before a commit"


FOUND_AS = {
    "acknowledges_first": "became|was acknowledged|is reported, .* is right",
    "does_it_twice": "done twice|became|sent again, is refused",
    "forgets_a_step": "was acknowledged|is refused",
    "voids_too_soon": "shows None|became|is refused",
    "pays_a_unit_more": "is reported, .* is right",
    "breaks_at_a_decision": "is refused: .*(voided|round_ended)",
    "forgets_limits": "limits of .* are reported|care/limit: 409",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str) -> None:
    with pytest.raises(AssertionError, match=FOUND_AS[fault]):
        campaign(Plan(kills=40, seed=1, program=program(fault), keep=False))


@pytest.mark.campaign
@pytest.mark.timeout(4 * 3600)
def test_a_thousand_kills(capsys: pytest.CaptureFixture[str]) -> None:
    result = campaign(Plan(kills=1000))
    with capsys.disabled():
        print(f"\n{result}")
