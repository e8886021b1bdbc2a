"""Malformed input leads to a status below 500 or a closed connection, without a traceback."""

from random import Random
from secrets import randbits

import pytest

from tests.faults.malformed import fault, run, sender
from tests.support.server_process import ServerProcess

SEEDED, CAMPAIGN = 150, 10_000


def test_no_malformed_request_causes_an_error(server: ServerProcess) -> None:
    """A9: a malformed host, origin, path or body got 500 and a traceback, nested JSON a RecursionError."""
    named = sender(server).named()
    together = fault(server, [(port, raw) for _, port, raw in named])
    alone = {name: fault(server, [(port, raw)]) for name, port, raw in named} if together else {}
    assert together == "", alone
    assert "Traceback" not in server.log.read_text()


@pytest.mark.parametrize("seed", [Random(9).getrandbits(32)])
def test_no_mutated_request_causes_an_error(server: ServerProcess, seed: int) -> None:
    assert [*run(server, SEEDED, seed)] == []
    assert "Traceback" not in server.log.read_text()


@pytest.mark.campaign
def test_a_campaign_of_mutated_requests(server: ServerProcess) -> None:
    seed = randbits(32)
    found = [*run(server, CAMPAIGN, seed)]
    assert found == [], f"seed {seed}"
