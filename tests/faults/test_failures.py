"""A campaign has each fault in each phase equally often, and counts the phases in which tables were."""

import random
from collections import Counter
from itertools import product

from tests.faults.failures import FAULTS, PHASES, FailureCounts, Trial, plans

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
