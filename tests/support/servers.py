"""Fixtures: running servers, and a simulated browser connected to one."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.support.browser_connection import Browser, connect_guest
from tests.support.server_process import ServerProcess

CONFIG = """
[documents]
folder = "."

[payments.currencies.SC]
provider = "play_money"
"""
DOCUMENT = """
[privacy]
title = "Privacy policy"
file = "privacy.md"
versions = [{ version = "1.0", date = "2026-11-25", changes = "First version." }]
"""


def assert_clean_stop(server: ServerProcess) -> None:
    """Stop the server, and check that it logged no unexpected exception."""
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Start a server, shared by all tests."""
    server = ServerProcess(tmp_path_factory.mktemp("server") / "data").start()
    yield server
    assert_clean_stop(server)


@pytest.fixture(scope="session")
def http_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Start a server with a document and payments of SC, shared by all tests that don't use the WebSocket."""
    folder = tmp_path_factory.mktemp("http_server")
    config = folder / "server.toml"
    config.write_text(CONFIG)
    (folder / "documents.toml").write_text(DOCUMENT)
    (folder / "privacy.md").write_text("Nothing is stored.\n")
    server = ServerProcess(folder / "data", options=("--config", str(config))).start()
    yield server
    assert_clean_stop(server)


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """Start a server for one test, which may kill and restart it."""
    server = ServerProcess(tmp_path / "data").start()
    yield server
    assert_clean_stop(server)


@pytest.fixture
async def browser(server: ServerProcess) -> AsyncIterator[Browser]:
    """Connect the browser of a new guest."""
    async with connect_guest(server.address) as browser:
        yield browser
