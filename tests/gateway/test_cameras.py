"""Watching a dealer: who may, what the media server is told, and when a picture stops."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import Mock

import httpx
import pytest
from prometheus_client import generate_latest

from croupier.app.operations.camera_metrics import camera_metrics
from croupier.config.ice import ConfiguredIce
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.protocol import wire
from croupier.protocol.signatures import Secret
from croupier.protocol.wire.camera import SDP_CHARACTERS_MAX
from croupier.video.ice import IceServers
from tests.dealing.live.in_process import Guest
from tests.dealing.live.player import INFINITE
from tests.gateway.filmed import Filmed, cookie_of, filmed_site
from tests.support.media import ANSWER, OFFER

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning"),
]

STOPS_WITHIN_S = 1.0


@pytest.fixture
async def filmed(tmp_path: Path) -> AsyncIterator[Filmed]:
    async with filmed_site(tmp_path) as filmed:
        await filmed.server.cameras.publish(INFINITE, "v=0 dealer")
        yield filmed


async def seated(filmed: Filmed) -> Guest:
    """Return a guest who has the table open."""
    guest = await filmed.new_guest()
    player = await guest.connect()
    await player.join(INFINITE)
    return guest


async def watch(filmed: Filmed, guest: Guest) -> str:
    """Begin to watch, and return the id."""
    answer = await filmed.post_as(guest, "/camera/watch", table=INFINITE)
    assert answer.status_code == 200, answer.text
    assert answer.json()["sdp"] == OFFER
    return str(answer.json()["watch"])


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def test_a_player_at_the_table_watches_in_the_layer_that_they_choose(filmed: Filmed) -> None:
    guest = await seated(filmed)
    watched = await watch(filmed, guest)
    answer = await filmed.post_as(guest, "/camera/answer", watch=watched, sdp=ANSWER, layer="medium")
    assert (answer.status_code, filmed.media.layers) == (204, {1: "medium"})
    await filmed.post_as(guest, "/camera/layer", watch=watched, layer="audio")
    assert filmed.media.layers == {1: "audio"}
    again = await watch(filmed, guest)
    assert filmed.media.layers == {2: None}, "the later picture replaces the earlier one"
    assert (await filmed.post_as(guest, "/camera/stop", watch=again)).status_code == 204
    assert filmed.media.layers == {}


async def test_each_player_gets_credentials_of_their_own_for_relays(filmed: Filmed) -> None:
    secret = Secret(b"a secret of relays")
    filmed.server.cameras.ice = IceServers(ConfiguredIce(("turn:a.example",), secret))
    names = []
    for guest in (await seated(filmed), await seated(filmed)):
        answer = await filmed.post_as(guest, "/camera/watch", table=INFINITE)
        (relay,) = answer.json()["ice_servers"]
        tag = secret.sha1_tag(relay["username"].encode())
        assert (relay["urls"], relay["credential"]) == (["turn:a.example"], b64encode(tag).decode())
        names.append(relay["username"])
    assert len(set(names)) == 2


async def test_only_who_has_the_table_open_in_the_same_session_watches(filmed: Filmed) -> None:
    stranger, guest = await filmed.new_guest(), await seated(filmed)
    assert refusal(await filmed.post_as(stranger, "/camera/watch", table=INFINITE)) == (409, "not_joined")
    assert refusal(await filmed.post("/camera/watch", {"table": INFINITE})) == (401, "not_signed_in")
    filmed.media.available = False
    answer = await filmed.post_as(guest, "/camera/watch", table=INFINITE)
    assert refusal(answer) == (409, "camera_unavailable")
    filmed.media.available = True
    watched = await watch(filmed, guest)
    for path, body in (
        ("answer", {"sdp": ANSWER, "layer": "low"}),
        ("layer", {"layer": "low"}),
        ("stop", {}),
    ):
        answer = await filmed.post_as(stranger, f"/camera/{path}", watch=watched, **body)
        assert refusal(answer) == (404, "no_such_picture")
    assert filmed.media.layers == {1: None}


async def test_a_request_needs_a_picture_and_a_bounded_session_description(filmed: Filmed) -> None:
    guest = await seated(filmed)
    for table in ("classic", "live_roulette"):
        await guest.connection.player.join(table)
        assert refusal(await filmed.post_as(guest, "/camera/watch", table=table)) == (409, "no_picture")
    watched = await watch(filmed, guest)
    for sdp in ("", "x" * (SDP_CHARACTERS_MAX + 1)):
        answer = await filmed.post_as(guest, "/camera/answer", watch=watched, sdp=sdp, layer="low")
        assert refusal(answer) == (400, "malformed")


async def test_a_player_watches_the_equipment_beside_the_dealer(filmed: Filmed) -> None:
    guest = await seated(filmed)
    dealer = await watch(filmed, guest)
    answer = await filmed.post_as(guest, "/camera/watch", table=INFINITE, view="equipment")
    assert refusal(answer) == (409, "no_picture")
    await filmed.server.cameras.publish(INFINITE, "v=0 wheel", "equipment")
    answer = await filmed.post_as(guest, "/camera/watch", table=INFINITE, view="equipment")
    wheel = answer.json()["watch"]
    for watched, layer in ((dealer, "audio"), (wheel, "high")):
        await filmed.post_as(guest, "/camera/answer", watch=watched, sdp=ANSWER, layer=layer)
    assert filmed.media.layers == {1: "audio", 2: "high"}, "neither replaces the other"
    await filmed.server.cameras.unpublish(INFINITE, "equipment")
    await guest.connection.player.hello()
    updates = [each for each in guest.connection.player.messages if isinstance(each, wire.CameraUpdate)]
    assert [each.equipment and each.equipment.state for each in updates] == [None, "on", None]
    assert filmed.media.layers == {1: "audio"}, "the dealer's picture goes on"


async def leave(_filmed: Filmed, guest: Guest) -> None:
    guest.connection.player.send(wire.Leave("leave", INFINITE))


async def disconnect(_filmed: Filmed, guest: Guest) -> None:
    await guest.disconnect()


async def exclude(filmed: Filmed, guest: Guest) -> None:
    player = guest.connection.player.welcome
    assert player is not None
    await filmed.server.restrictions.bar(player.player, "exclusion", 2**53 - 1)


async def sign_out(filmed: Filmed, guest: Guest) -> None:
    answer = await filmed.post_as(guest, "/sign-out")
    assert answer.is_success, answer.text


async def test_the_picture_of_a_player_who_departs_stops_within_a_second(filmed: Filmed) -> None:
    for depart in (leave, disconnect, sign_out, exclude):
        guest = await seated(filmed)
        await watch(filmed, guest)
        assert filmed.media.layers
        await depart(filmed, guest)
        async with asyncio.timeout(STOPS_WITHIN_S):
            await filmed.media.unwatched.wait()


async def test_the_metrics_count_viewers_pictures_and_the_first_wait(filmed: Filmed) -> None:
    guest = await seated(filmed)
    watched = await watch(filmed, guest)
    await filmed.post_as(guest, "/camera/answer", watch=watched, sdp=ANSWER, layer="low")
    for waited_ms, status in ((-1, 400), (60_001, 400), (400, 204), (30_000, 204)):
        order = {"watch": watched, "waited_ms": waited_ms}
        answer = await filmed.post("/camera/shown", order, cookie_of(PLAYER_COOKIE, guest.token))
        assert answer.status_code == status, waited_ms
    text = camera_lines(filmed)
    assert 'croupier_camera_viewers{layer="low",table="infinite"} 1.0' in text
    assert "croupier_camera_first_picture_seconds_sum 0.4" in text, "only the first report counts"
    filmed.media.set_state(INFINITE, "interrupted")
    filmed.media.set_state(INFINITE, "off")
    await filmed.server.cameras.publish(INFINITE, "v=0 dealer")
    await filmed.server.cameras.unpublish(INFINITE)
    text = camera_lines(filmed)
    for metric, count in (("pictures", 2), ("interruptions", 1), ("lost", 1)):
        assert f'croupier_camera_{metric}_total{{table="infinite"}} {count}.0' in text


def camera_lines(filmed: Filmed) -> str:
    """Return the metrics of the cameras."""
    server = filmed.server
    collector = Mock(collect=lambda: camera_metrics(server.cameras, server.recorder, server.streams))
    return generate_latest(collector).decode()


async def test_players_hear_of_the_camera_when_they_join_and_when_it_changes(filmed: Filmed) -> None:
    guest = await seated(filmed)
    player = guest.connection.player
    await watch(filmed, guest)
    filmed.media.set_state(INFINITE, "interrupted")
    filmed.media.set_state(INFINITE, "on")
    filmed.media.set_state(INFINITE, "off")
    await player.hello()
    updates = [each for each in player.messages if isinstance(each, wire.CameraUpdate)]
    assert [each.state for each in updates] == ["on", "interrupted", "on", "off"]
    assert len({each.picture for each in updates}) == 1, "it is one picture"
    assert filmed.media.layers == {}, "the pictures of a dealer who left are over"
    assert refusal(await filmed.post_as(guest, "/camera/watch", table=INFINITE)) == (409, "no_picture")
