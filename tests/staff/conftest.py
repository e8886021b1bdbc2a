"""A server with one live table that a person deals, and its staff."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier.games import games
from tests.staff.at_work import add
from tests.support.server_process import HouseProcess
from tests.support.servers import SOCKETS, closed_in_order

FLOOR = """
[one_deck]
dealer = "person"
opened = false
betting_ms = 1500
warning_ms = 500

[infinite]
dealer = "person"
opened = false
betting_ms = 1500
warning_ms = 500
decision_ms = 120000
offer_ms = 120000
check_ms = 1500
pause_ms = 300

[live_roulette]
dealer = "person"
opened = false
betting_ms = 1500
warning_ms = 500
ball_ms = 1500
pause_ms = 300

[live_baccarat]
dealer = "person"
opened = false
betting_ms = 1500
warning_ms = 500
pause_ms = 300

[seven_seat]
opened = false
betting_ms = 1500
warning_ms = 500
"""


def one_deck() -> str:
    """The block of a table as Infinite Blackjack, from one deck: a second ace of spades is impossible."""
    text = games()["blackjack"].variants
    block = str(re.findall(r"^\[infinite\]\n(?:(?!\[).*\n)*", text, re.MULTILINE)[0])
    return block.replace("[infinite]", "[one_deck]").replace("decks = 8", "decks = 1")


class Staffed(NamedTuple):
    """A running server, and the codes of the manager Ada and the dealer Ben."""

    house: HouseProcess
    ada: str
    ben: str

    @property
    def address(self) -> str:
        return self.house.address


def staffed(folder: Path, socket: str = "picows") -> Staffed:
    floor = folder / "floor.toml"
    floor.write_text(FLOOR)
    tables = folder / "tables.toml"
    tables.write_text(one_deck())
    words = ("--floor", str(floor), "--tables", str(tables))
    house = HouseProcess(folder / "data", socket=socket, words=words).start()
    return Staffed(house, add(house.data, "Ada", "manager"), add(house.data, "Ben", "dealer"))


@pytest.fixture(scope="session")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    """A server for tests that leave its tables closed and its staff unchanged."""
    found = staffed(tmp_path_factory.mktemp("quiet"))
    yield found
    closed_in_order(found.house)


@pytest.fixture(params=SOCKETS)
def floor(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Staffed]:
    """A server for each socket library."""
    found = staffed(tmp_path, request.param)
    yield found
    closed_in_order(found.house)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Staffed]:
    """A server with one of the socket libraries."""
    found = staffed(tmp_path)
    yield found
    closed_in_order(found.house)
