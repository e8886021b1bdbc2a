"""The scenarios of `scenarios/`, and that one told wrong fails."""

import pytest

from croupier.tables.live.record import replay
from tests.tables.live.script import Played, Scenario, read, scenarios

ALL = list(scenarios())


@pytest.mark.parametrize("scenario", ALL, ids=lambda scenario: scenario.name)
def test_scenario(scenario: Scenario) -> None:
    house = Played(scenario).h
    assert house.refusals == [], "a refusal that nobody expected"
    assert replay(house.first, house.lines) == house.state


RIGHT = """= infinite told right
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
def test_a_scenario_told_wrong_fails(right: str, wrong: str) -> None:
    Played(next(read("written", RIGHT)))
    with pytest.raises(AssertionError, match="told right, line"):
        Played(next(read("written", RIGHT.replace(right, wrong))))
