"""The scenarios of `scenarios/`, and the failure of a wrong one."""

import pytest

from croupier.tables.live.record import replay
from tests.tables.live.scenario_runner import Scenario, ScenarioRun, parse, scenarios

ALL = list(scenarios())


@pytest.mark.parametrize("scenario", ALL, ids=lambda scenario: scenario.name)
def test_scenario(scenario: Scenario) -> None:
    harness = ScenarioRun(scenario).table
    assert harness.refusals == [], "unexpected refusals"
    assert replay(harness.initial_state, harness.record) == harness.state


VALID = """= infinite a valid scenario
cards TH 6D 5S TC 9H 2C
t=0 ann joins; open; ann bets main 1000
t=15 is decisions; options ann hit stand double
t=20 ann does stand; is pause; balance ann 1001000
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("1001000", "999000"),
        ("t=15", "t=14"),
        ("ann does stand", "ann does hit"),
        ("hit stand double", "hit stand"),
        ("is pause", "is dealer"),
        ("open;", ""),
    ],
)
def test_a_wrong_scenario_fails(right: str, wrong: str) -> None:
    ScenarioRun(next(parse("test", VALID)))
    with pytest.raises(AssertionError, match="a valid scenario, line"):
        ScenarioRun(next(parse("test", VALID.replace(right, wrong))))
