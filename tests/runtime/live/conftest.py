"""Live tables of a server without a network, with speculation and without."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from croupier.runtime.live.speculation.round_end import EVERYTHING, speculating
from croupier.runtime.server import Server
from tests.runtime.live import in_process
from tests.runtime.live.in_process import ManualServer, manual_server, server_in


@pytest.fixture(params=[EVERYTHING, ()], ids=["speculation", "no_speculation"])
def speculate(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test twice: with all speculation, and with none."""
    monkeypatch.setattr(in_process, "speculate", speculating(request.param))


@pytest.fixture
async def fast(tmp_path: Path, speculate: None) -> AsyncIterator[Server]:
    """A server whose rounds take half a second."""
    async with server_in(tmp_path) as house:
        yield house


@pytest.fixture
async def hands(tmp_path: Path, speculate: None) -> AsyncIterator[ManualServer]:
    """A server whose rounds continue only when the test says so."""
    async with manual_server(tmp_path) as hands:
        yield hands
