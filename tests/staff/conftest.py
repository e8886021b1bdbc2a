"""A server with one live table that a person deals, and its staff."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier.games import games
from croupier.protocol import staff_wire
from tests.staff.clients import StaffBrowser, add, staff_client
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

CONFIG_TOML = """
[one_deck]
dealer = "person"
opened = false
betting_ms = 1000
warning_ms = 400
pause_ms = 300

[infinite]
dealer = "person"
opened = false
betting_ms = 1000
warning_ms = 400
decision_ms = 120000
offer_ms = 120000
check_ms = 1500
pause_ms = 300

[live_roulette]
dealer = "person"
opened = false
betting_ms = 1000
warning_ms = 400
ball_ms = 800
pause_ms = 300

[live_baccarat]
dealer = "person"
opened = false
betting_ms = 1000
warning_ms = 400
pause_ms = 300

[seven_seat]
opened = false
betting_ms = 1000
warning_ms = 400
pause_ms = 300
"""

TABLES = ("one_deck", "infinite", "live_roulette", "live_baccarat", "seven_seat")


def one_deck() -> str:
    """Return Infinite Blackjack's block with one deck, so that a second ace of spades is impossible."""
    text = games()["blackjack"].variants
    block = str(re.findall(r"^\[infinite\]\n(?:(?!\[).*\n)*", text, re.MULTILINE)[0])
    # One deck has no two equal cards, which lines of these bets need.
    without = re.sub(r"^(any_pair|twenty_one_plus_three) = \[[^\]]*\]\n", "", block, flags=re.MULTILINE)
    return without.replace("[infinite]", "[one_deck]").replace(
        "decks = 8", "decks = 1\nallow_over_100 = true"
    )


class Staffed(NamedTuple):
    """A running server, and the codes of the manager Ada and the dealer Ben."""

    server: ServerProcess
    ada: str
    ben: str

    @property
    def address(self) -> str:
        return self.server.address


def staffed(folder: Path) -> Staffed:
    config_file = folder / "croupier.toml"
    config_file.write_text(CONFIG_TOML)
    tables = folder / "tables.toml"
    tables.write_text(one_deck())
    words = ("--config", str(config_file), "--tables", str(tables))
    server = ServerProcess(folder / "data", options=words).start()
    return Staffed(server, add(server.data, "Ada", "manager"), add(server.data, "Ben", "dealer"))


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    """Start a server for tests that leave its tables closed and its staff unchanged."""
    found = staffed(tmp_path_factory.mktemp("shared"))
    yield found
    assert_clean_stop(found.server)


@pytest.fixture
async def open_server(shared_server: Staffed) -> AsyncIterator[Staffed]:
    """Return the shared server for a test that opens tables; they are closed afterwards."""
    yield shared_server
    async with staff_client(shared_server.address, "Ada", shared_server.ada) as ada:
        for table in TABLES:
            await _close(ada, table)


async def _close(ada: StaffBrowser, table: str) -> None:
    """Close a table with its first dealer: it doesn't wait for the cards of a round that a test left open."""
    row = await ada.overview(lambda _: True, table)
    dealer = "automatic" if table == "seven_seat" else "person"
    if row.clock.phase != "closed":
        await ada.ask(staff_wire.ResumeTable, table)
        await ada.ask(staff_wire.CloseTable, table)
        while not await _is_closed(ada, table):
            await ada.ask(staff_wire.VoidRound, table, "", "the test has ended")
    if row.dealer != dealer:
        assert await ada.ask(staff_wire.SetDealer, table, dealer) == "ok"


async def _is_closed(ada: StaffBrowser, table: str) -> bool:
    """Return whether a table closes soon."""
    with suppress(TimeoutError):
        async with asyncio.timeout(0.3):
            await ada.overview(lambda row: row.clock.phase == "closed", table)
            return True
    return False


@pytest.fixture
def one_server(tmp_path: Path) -> Iterator[Staffed]:
    """Start a server for one test."""
    found = staffed(tmp_path)
    yield found
    assert_clean_stop(found.server)
