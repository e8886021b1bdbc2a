"""Houses that are really open, and browsers that really are connected to them."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.support.browser_connection import Browser, guest_at
from tests.support.server_process import HouseProcess

SOCKETS = ("picows", "websockets")


def closed_in_order(house: HouseProcess) -> None:
    """It ends when it is told to, and nothing went wrong that it didn't expect."""
    assert house.stop() == 0
    assert "Traceback" not in house.log.read_text()


@pytest.fixture(scope="session", params=SOCKETS)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseProcess]:
    """One that stays open, over each socket server."""
    data = tmp_path_factory.mktemp("house") / "data"
    house = HouseProcess(data, socket=request.param).start()
    yield house
    closed_in_order(house)


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseProcess]:
    """One for what doesn't touch the socket."""
    house = HouseProcess(tmp_path_factory.mktemp("pages") / "data").start()
    yield house
    closed_in_order(house)


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[HouseProcess]:
    """One of the test's own, to be killed."""
    house = HouseProcess(tmp_path / "data").start()
    yield house
    closed_in_order(house)


@pytest.fixture
async def browser(house: HouseProcess) -> AsyncIterator[Browser]:
    """A new guest's."""
    async with guest_at(house.address) as browser:
        yield browser
