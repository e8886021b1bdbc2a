"""The worked session, replayed against a real server."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from croupier.app.documents.session import worked_session
from tests.app.documents.json_schema import errors
from tests.app.documents.raw import Message
from tests.app.documents.record import normalised, served, thinned
from tests.app.documents.worked import manage, play
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

BY_CHANCE = ("pulse", "balance", "live", "table", "chat")
"""Messages whose number between two others depends on timing."""


@pytest.fixture(scope="module")
def managed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServerProcess, str]]:
    """A server with the session's tables, and its manager's code."""
    server, code = served(tmp_path_factory.mktemp("worked"))
    yield server, code
    assert_clean_stop(server)


def outline(steps: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return sender, tag and fields of each step, which depend on neither cards nor clocks."""
    return [_line(step) for step in steps if step.get("message", {}).get("t") not in BY_CHANCE]


def _line(step: Any) -> tuple[Any, ...]:
    message = step.get("message", {})
    state = sorted(message.get("state", ()))
    outline = (message.get("t"), message.get("code"), sorted(message), state)
    return step["by"], step.get("heading", ""), step.get("request"), step.get("status"), *outline


def kinds(steps: Sequence[Any]) -> set[str]:
    return {step["message"]["t"] for step in steps if step["by"] == "server"}


def recorded(audience: Any) -> list[Any]:
    return [msgspec.to_builtins(step) for step in worked_session(audience)]


def assert_fits(address: str, path: str, steps: list[Message]) -> None:
    """Validate every message against the server's published schemas."""
    document = httpx.get(address + path).json()
    for step in (each for each in steps if "message" in each):
        payload = document["components"]["messages"][step["message"]["t"]]["payload"]
        assert errors(step["message"], payload, document) == [], step


def test_a_players_session_is_as_recorded(managed: tuple[ServerProcess, str]) -> None:
    server, _ = managed
    steps = asyncio.run(play(server.address))
    assert_fits(server.address, "/api/asyncapi.json", steps)
    played = normalised(thinned(steps))
    assert outline(played) == outline(recorded("player"))
    assert kinds(played) == kinds(recorded("player"))
    assert {"welcome", "snapshot", "event", "live_snapshot", "live", "mine", "pulse"} <= kinds(played)


def test_a_managers_session_is_as_recorded(managed: tuple[ServerProcess, str]) -> None:
    server, code = managed
    steps = asyncio.run(manage(server.address, "Ada", code))
    assert_fits(server.address, "/api/staff/asyncapi.json", steps)
    played = normalised(thinned(steps))
    assert outline(played) == outline(recorded("staff"))
    assert kinds(played) == kinds(recorded("staff"))


def test_balances_precede_the_answer() -> None:
    """At each step of the recording, `ok` comes last."""
    for before, step in zip(recorded("player"), recorded("player")[1:], strict=False):
        if step.get("message", {}).get("t") == "balance":
            assert before["by"] == "client" or before["message"]["t"] in ("event", "mine", "live")


def test_a_recording_has_no_names(managed: tuple[ServerProcess, str], tmp_path: Path) -> None:
    text = "".join(msgspec.json.encode(worked_session(each)).decode() for each in ("player", "staff"))
    assert managed[1] not in text
    assert "croupier_session=" not in text
