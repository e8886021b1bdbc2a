"""Servers without a network, with speculation and without."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from croupier.dealing.live.speculation.round_end import EVERYTHING, speculating
from tests.dealing.live import in_process
from tests.dealing.live.in_process import ManualServer, manual_server


@pytest.fixture(params=[EVERYTHING, ()], ids=["speculation", "no_speculation"])
def speculate(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test twice: with all speculation, and with none."""
    monkeypatch.setattr(in_process, "speculate", speculating(request.param))


@pytest.fixture
async def manual(tmp_path: Path, speculate: None) -> AsyncIterator[ManualServer]:
    """Start a server whose rounds continue only when the test advances them."""
    async with manual_server(tmp_path) as manual:
        yield manual
