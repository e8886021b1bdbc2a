"""A system outside that falls silent is an event for the staff, and its next answer another."""

from pathlib import Path

import pytest

from croupier import clock
from croupier.action_log import ASKED
from croupier.gateway.server import Server
from croupier.outside.no_answer import NoAnswer
from croupier.outside.systems import OutsideSystem
from tests.dealing.waiting_round import clock_at
from tests.support.in_process import server_dealing

pytestmark = pytest.mark.anyio


def fail(system: OutsideSystem) -> None:
    with pytest.raises(NoAnswer), system.call("/x"):
        raise NoAnswer


def succeed(system: OutsideSystem) -> None:
    with system.call("/x"):
        pass


def events(server: Server) -> list[tuple[object, object]]:
    bodies = [entry.body for entry in server.ledger.entries(ASKED)]
    return [(body["what"], body["details"]) for body in bodies]


async def test_a_silent_system_is_logged_once_and_its_return_too(tmp_path: Path) -> None:
    with server_dealing(tmp_path, ()) as server:
        registry = server.outside.systems.registry
        fail(registry)
        await server.outside.look()
        assert events(server) == [], "one lost answer is no outage yet"
        began_ms = registry.silent_since_ms
        assert began_ms is not None
        with clock_at(began_ms + 2_000):
            fail(registry)
            await server.outside.look()
            await server.outside.look()
        silent = ("outside_silent", {"system": "registry"})
        assert events(server) == [silent]
        with clock_at(began_ms + 9_000):
            succeed(registry)
            await server.outside.look()
        assert events(server) == [silent, ("outside_answers", {"system": "registry", "silent_seconds": 9})]
        assert registry.outcomes == {("/x", "no_answer"): 2, ("/x", "answered"): 1}
        assert clock.now_ms()
