"""Whatever comes from outside: an answer below 500 or a closed connection, one line of log, no traceback."""

from random import Random

import pytest

from tests.faults.malformed import run, sender, trouble
from tests.server.house_process import HouseProcess

SEEDED = 300


def test_no_malformed_request_is_a_fault_of_the_server(house: HouseProcess) -> None:
    """A9: a malformed host, origin, path or body got 500 and a traceback, nested JSON a RecursionError."""
    named = sender(house).named()
    wrong = {name: found for name, port, raw in named if (found := trouble(house, [(port, raw)]))}
    assert wrong == {}
    assert "Traceback" not in house.log.read_text()


@pytest.mark.parametrize("seed", [Random(9).getrandbits(32)])
def test_no_mutated_request_is_a_fault_of_the_server(house: HouseProcess, seed: int) -> None:
    assert [*run(house, SEEDED, seed)] == []
    assert "Traceback" not in house.log.read_text()
