"""Owners and the message server fail under players of gateways: their sockets stay, and no money is lost."""

import asyncio
from pathlib import Path

import httpx
import pytest

from croupier.protocol import wire
from tests.dealing.live.player import INFINITE
from tests.dealing.live.socket_client import connected_guest
from tests.faults.failures import FAULTS, Fault, Plan
from tests.faults.gateways import play, run_trial, running_site
from tests.faults.nodes import TAKEN_OVER_S
from tests.support.nats_server import needs_nats

pytestmark = [pytest.mark.anyio, needs_nats, pytest.mark.campaign]
NOT_FOUND = 404


@pytest.mark.parametrize("fault", FAULTS)
async def test_players_of_gateways_keep_their_sockets(tmp_path: Path, fault: Fault) -> None:
    with running_site(tmp_path) as site:
        trial = await run_trial(site, Plan(fault, "decisions", 0.1))
        assert trial.took_s < TAKEN_OVER_S
        site.cluster.stop()
        assert "No errors" in site.cluster.verify()


async def test_play_goes_on_when_the_message_server_is_back(tmp_path: Path) -> None:
    with running_site(tmp_path) as site:
        async with connected_guest(site.gateways[0].address) as client:
            player = client.player
            assert await player.join() == ""
            await play(player)
            site.cluster.nats.stop()
            await asyncio.sleep(8)
            notices = [each.available for each in player.messages if isinstance(each, wire.TableAvailability)]
            assert notices == [False]
            site.cluster.nats.start()
            await asyncio.wait_for(play(player), 30)
            assert wire.TableAvailability(INFINITE, available=True) in player.messages
            assert not player.disconnected
        site.cluster.stop()
        assert "No errors" in site.cluster.verify()


async def test_an_owner_has_the_back_office_and_no_players(tmp_path: Path) -> None:
    with running_site(tmp_path) as site:
        address = site.owners[0].address
        async with httpx.AsyncClient() as http:
            for path in ("/", "/api/me", "/table/infinite"):
                assert (await http.get(address + path)).status_code == NOT_FOUND
            assert (await http.post(f"{address}/api/guest")).status_code == NOT_FOUND
            assert (await http.get(f"{address}/staff")).is_success
            assert (await http.get(f"{address}/api/server")).is_success
