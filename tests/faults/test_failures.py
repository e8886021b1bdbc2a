"""A campaign has each fault in each phase equally often, and counts the phases in which tables were."""

import random
from collections import Counter
from itertools import product

import pytest

from croupier.protocol.wire import LiveClock
from croupier.tables.live.phases import Phase
from tests.faults.failures import FAULTS, PHASES, FailureCounts, Trial, plans
from tests.faults.phases_met import Sight, phase_met

TABLE = """\
phase            kill  freeze
betting             2       0
warning             0       0
no_more_bets        0       0
dealing             0       1
offer               0       0
decisions           0       0
dealer              0       0
settlement          0       0
pause               1       0
opening             0       1
all                 3       2"""


def test_each_fault_comes_in_each_phase_equally_often() -> None:
    pairs = list(product(FAULTS, PHASES))
    made = Counter((plan.fault, plan.phase) for plan in plans(2 * len(pairs), random.Random(1)))
    assert made == dict.fromkeys(pairs, 2)


def test_the_table_of_phases_and_faults() -> None:
    counts = FailureCounts()
    counts.record(Trial("kill", ("betting", "pause", "betting"), 1.0))
    counts.record(Trial("freeze", ("dealing", "opening"), 1.0))
    assert str(counts) == TABLE


CLOSED, SETTLED = "r1:closed", "result:infinite:r1"


@pytest.mark.parametrize(
    ("seen", "written", "met"),
    [
        (("warning", 999), (), "warning"),
        (("warning", 1_000), (), "no_more_bets"),
        (("warning", 1_000), (CLOSED,), "dealing"),
        (("no_more_bets", 1_000), (), "no_more_bets"),
        (("decisions", 2_000), (CLOSED,), "decisions"),
        (("settlement", 3_000), (CLOSED,), "settlement"),
        (("settlement", 3_000), (CLOSED, SETTLED), "pause"),
    ],
)
def test_the_journal_tells_the_phase_that_no_player_has_seen_yet(
    seen: tuple[Phase, int], written: tuple[str, ...], met: Phase
) -> None:
    phase, at_ms = seen
    closes_ms = 1_000 if phase == "warning" else None
    clock = LiveClock(phase, "red", closes_ms, None, "", "r1", "1", 0, closes_ms)
    assert phase_met(Sight("infinite", clock, at_ms), written) == met
