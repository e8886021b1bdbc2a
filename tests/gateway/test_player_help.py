"""Players are shown the helplines of their jurisdiction: the one of their launch, or the server's."""

from collections.abc import Iterator

import pytest

from croupier.protocol import wire
from tests.support.accounts import sent
from tests.support.browser_connection import Browser, connect_guest
from tests.support.operator import link_of, new_launch, operated_server
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

BLOCKS = """
[responsible_gaming]
jurisdiction = "MT"

[jurisdictions.GB]
minimum_age = 19
policy = "https://example.org/gb"

[[jurisdictions.GB.helplines]]
name = "Example line"
url = "https://example.org/help"
phone = "+44 20 7946 0000"
hours = "24 hours a day"
languages = "English"

[jurisdictions.MT]
minimum_age = 25
helplines = []
"""
LINE = wire.Helpline(
    "Example line", "https://example.org/help", "", "+44 20 7946 0000", "24 hours a day", "English"
)
GB = wire.PlayerHelp(19, "https://example.org/gb", (LINE,))
MT = wire.PlayerHelp(25, "", ())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with operated_server(tmp_path_factory.mktemp("help"), BLOCKS) as server:
        yield server


async def help_for(browser: Browser, jurisdiction: str = "") -> wire.PlayerHelp:
    return await browser.get("/api/help", wire.PlayerHelp, jurisdiction=jurisdiction)


async def launched(browser: Browser, launch: wire.Launch) -> None:
    token = wire.LaunchToken(link_of(browser.address, launch).token)
    assert (await sent(browser, "/api/launch", token)).status_code == 200


async def test_a_guest_and_a_stranger_have_the_servers_jurisdiction(server: ServerProcess) -> None:
    async with connect_guest(server.address) as guest, Browser(server.address) as stranger:
        assert await help_for(guest) == await help_for(stranger) == MT
        assert await help_for(guest, "GB") == GB
        assert await help_for(guest, "FR") == MT


async def test_a_launched_player_has_the_jurisdiction_of_the_last_launch(server: ServerProcess) -> None:
    launch = new_launch()
    for jurisdiction, expected in (("GB", GB), ("GB", GB), ("MT", MT), ("GB", GB)):
        async with Browser(server.address) as browser:
            await launched(browser, new_launch(launch.player, jurisdiction=jurisdiction))
            assert await help_for(browser) == expected


async def test_a_jurisdiction_is_short(server: ServerProcess) -> None:
    async with Browser(server.address) as browser:
        answer = await browser.http.get(f"{server.address}/api/help?jurisdiction={'x' * 41}")
        assert answer.status_code == 400
