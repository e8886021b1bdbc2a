"""A short campaign of kills, also as the command that the handbook names; `make campaign` runs a long one."""

import json
import subprocess
import sys

import pytest

from tests.faults.campaign import Plan, campaign
from tests.faults.planted import FAULTS, program
from tests.support import preloaded


def test_no_acknowledged_command_and_no_unit_is_lost_or_created() -> None:
    counts = campaign(Plan(kills=12, seed=16, popen=preloaded.Popen)).counts
    assert counts["done before"] > 0, "no kill fell between a commit and its acknowledgement"
    assert counts["done now"] > 0, "no kill fell before a commit"


def test_the_campaign_is_a_command() -> None:
    command = [sys.executable, "-m", "tests.faults.kill", "--kills", "1", "--seed", "16", "--json"]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["kills"] == 1


FOUND_AS = {
    # A lost decision leaves its hand on turn, so the next decision, sent again, is refused.
    "acknowledge_before_commit": "became|was acknowledged|sent again, is refused|is reported, .* is right",
    "repeat_commands": "done twice|became|sent again, is refused",
    "forget_a_step": "was acknowledged|is refused",
    "void_unfinished_rounds": "shows None|became|is refused",
    "pay_one_unit_more": "is reported, .* is right",
    "raise_at_a_decision": "is refused: .*(voided|round_ended)",
    "forget_limits": "limits of .* are reported|responsible-gaming/limit: 409",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str) -> None:
    with pytest.raises(AssertionError, match=FOUND_AS[fault]):
        campaign(Plan(kills=40, seed=1, program=program(fault), popen=preloaded.Popen, keep=False))


@pytest.mark.campaign
@pytest.mark.timeout(4 * 3600)
def test_a_thousand_kills(capsys: pytest.CaptureFixture[str]) -> None:
    result = campaign(Plan(kills=1000))
    with capsys.disabled():
        print(f"\n{result}")
