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
from tests.support.server_process import HouseProcess
from tests.support.servers import closed_in_order

BY_CHANCE = ("pulse", "balance", "live", "table", "chat")
"""How many of these come between two others depends on the moment."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[HouseProcess, str]]:
    """A server with the session's tables, and its manager's code."""
    house, code = served(tmp_path_factory.mktemp("worked"))
    yield house, code
    closed_in_order(house)


def outline(steps: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return sender, tag and fields of each step, which don't depend on cards and clocks."""
    return [_line(step) for step in steps if step.get("message", {}).get("t") not in BY_CHANCE]


def _line(step: Any) -> tuple[Any, ...]:
    message = step.get("message", {})
    state = sorted(message.get("state", ()))
    said = (message.get("t"), message.get("code"), sorted(message), state)
    return step["by"], step.get("heading", ""), step.get("request"), step.get("status"), *said


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


def test_a_players_session_is_as_recorded(server: tuple[HouseProcess, str]) -> None:
    house, _ = server
    steps = asyncio.run(play(house.address))
    assert_fits(house.address, "/api/asyncapi.json", steps)
    played = normalised(thinned(steps))
    assert outline(played) == outline(recorded("player"))
    assert kinds(played) == kinds(recorded("player"))
    assert {"welcome", "snapshot", "event", "live_snapshot", "live", "mine", "pulse"} <= kinds(played)


def test_a_managers_session_is_as_recorded(server: tuple[HouseProcess, str]) -> None:
    house, code = server
    steps = asyncio.run(manage(house.address, "Ada", code))
    assert_fits(house.address, "/api/staff/asyncapi.json", steps)
    played = normalised(thinned(steps))
    assert outline(played) == outline(recorded("staff"))
    assert kinds(played) == kinds(recorded("staff"))


def test_balances_precede_the_answer() -> None:
    """At each step of the recording, `ok` comes last."""
    for before, step in zip(recorded("player"), recorded("player")[1:], strict=False):
        if step.get("message", {}).get("t") == "balance":
            assert before["by"] == "client" or before["message"]["t"] in ("event", "mine", "live")


def test_a_recording_has_no_names(server: tuple[HouseProcess, str], tmp_path: Path) -> None:
    text = "".join(msgspec.json.encode(worked_session(each)).decode() for each in ("player", "staff"))
    assert server[1] not in text
    assert "croupier_session=" not in text
