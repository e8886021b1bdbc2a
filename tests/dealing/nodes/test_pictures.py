"""A player of another node watches the dealer of a table: the owner checks the rights."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier import clock
from croupier.accounts.devices import session_id
from croupier.accounts.staff_members import Member
from croupier.app.nodes import serving_gateways
from croupier.app.serve import open_ledger
from croupier.cluster.local_bus import LocalBus
from croupier.cluster.roles import BOTH_ROLES, NodeRole
from croupier.config.hls import HLS_SECRET_VARIABLE
from croupier.config.media import SECRET_VARIABLE, ConfiguredMedia
from croupier.dealing.live import ownership
from croupier.gateway.server import Server
from croupier.ledger.sql.connection import Connection
from croupier.protocol import staff_wire, wire
from croupier.protocol.signatures import Secret
from croupier.refusal import Refused
from croupier.staff.cameras import StaffCameras
from croupier.tables.live.inputs import Ticked
from croupier.video.cameras import Viewer
from croupier.video.hls import streams
from croupier.video.janus.media import JanusMedia
from croupier.video.picture_messages import AnswerPicture, ChoosePictureLayer, StopPicture
from croupier.video.port import Media
from tests.dealing.live.in_process import Guest, new_guest
from tests.dealing.live.player import INFINITE, TIMEOUT_S, req
from tests.support.fake_ffmpeg import FakeFfmpeg
from tests.support.janus import SECRET, JanusProcess, needs_janus
from tests.support.media import ANSWER, OFFER, FakeMedia
from tests.support.nodes import node, tables_named
from tools.synthetic_dealer import SyntheticDealer
from tools.webrtc_peer import Peer

pytestmark = pytest.mark.anyio

STOPS_WITHIN_S = 1.0
CONFIG = """
[infinite]
dealer = "person"
"""
HLS = """
[media]
url = "janus://127.0.0.1:8188"

[media.hls]
folder = "{folder}"
{more}
"""
Depart = Callable[["Cluster", Guest], Awaitable[object]]


class Seats(LocalBus):
    """A bus that may lose what gateways send to owners."""

    loses = False

    def publish(self, subject: str, payload: bytes) -> None:
        if not (self.loses and subject.startswith("owner.")):
            super().publish(subject, payload)


class Cluster(NamedTuple):
    """The owner of the table, and a gateway."""

    bus: Seats
    owner: Server
    gateway: Server

    async def seated(self) -> Guest:
        guest = await new_guest(self.gateway)
        assert await (await guest.connect()).join() == ""
        return guest

    async def watch(self, guest: Guest) -> wire.CameraOffer:
        return await self.gateway.pictures.watch(viewer(guest))


def viewer(guest: Guest) -> Viewer:
    return Viewer(player_id(guest), session_id(guest.token), INFINITE)


def player_id(guest: Guest) -> str:
    assert guest.connection.player.welcome is not None
    return guest.connection.player.welcome.player


def cameras_seen(guest: Guest) -> list[wire.CameraUpdate]:
    return [each for each in guest.connection.player.messages if isinstance(each, wire.CameraUpdate)]


class Filmed(NamedTuple):
    """A cluster at whose table the dealer is on camera, at a fake media server."""

    cluster: Cluster
    media: FakeMedia


@asynccontextmanager
async def running(folder: Path, media: Media, config: str = CONFIG) -> AsyncIterator[Cluster]:
    bus, tables, ledger = Seats(), tables_named(INFINITE), open_ledger(folder)
    start = partial(node, ledger, folder, tables, config, bus)
    try:
        async with AsyncExitStack() as stack:
            owner = await stack.enter_async_context(start(media=media))
            await stack.enter_async_context(serving_gateways(owner, bus, BOTH_ROLES))
            gateway = await stack.enter_async_context(start(frozenset[NodeRole]({"gateway"})))
            yield Cluster(bus, owner, gateway)
    finally:
        ledger.close()


@pytest.fixture
async def filmed(tmp_path: Path) -> AsyncIterator[Filmed]:
    async with running(tmp_path, media := FakeMedia()) as cluster:
        await cluster.owner.cameras.publish(INFINITE, "v=0 dealer")
        yield Filmed(cluster, media)


async def until(holds: Callable[[], object], within_s: float = TIMEOUT_S) -> None:
    async with asyncio.timeout(within_s):
        while not holds():  # noqa: ASYNC110 - values without an event
            await asyncio.sleep(0.01)


async def refusal(asked: Awaitable[object]) -> str:
    with pytest.raises(Refused) as refused:
        await asked
    return refused.value.code


async def test_the_picture_and_its_layers_are_those_of_the_owner(filmed: Filmed) -> None:
    cluster, media = filmed
    guest = await cluster.seated()
    offer, player = await cluster.watch(guest), player_id(guest)
    assert (offer.sdp, [each.state for each in cameras_seen(guest)]) == (OFFER, ["on"])
    change = cluster.gateway.pictures.change
    await change(AnswerPicture(player, wire.AnswerCamera(offer.watch, ANSWER, "low")))
    assert media.layers == {1: "low"}
    await change(ChoosePictureLayer(player, wire.ChooseLayer(offer.watch, "high")))
    assert cluster.owner.cameras.viewers() == {(INFINITE, "high"): 1}
    await change(StopPicture(player, wire.StopCamera(offer.watch)))
    assert media.layers == {}
    media.set_state(INFINITE, "off")
    await until(lambda: [each.state for each in cameras_seen(guest)] == ["on", "off"])
    assert await refusal(cluster.watch(guest)) == "no_picture"


async def test_nobody_else_watches_or_changes_a_picture(filmed: Filmed) -> None:
    cluster, media = filmed
    guest, stranger = await cluster.seated(), await new_guest(cluster.gateway)
    await stranger.connect()
    assert await refusal(cluster.watch(stranger)) == "not_joined"
    offer = await cluster.watch(guest)
    stop = cluster.gateway.pictures.change
    forged = offer.watch.partition(".")[2]
    for watch in (offer.watch, f"{cluster.gateway.remote_tables.node}.{forged}", f"*.{forged}", forged):
        request = StopPicture(player_id(stranger), wire.StopCamera(watch))
        assert await refusal(stop(request)) == "no_such_picture", watch
    assert media.layers == {1: None}


async def leave(_: Cluster, guest: Guest) -> None:
    guest.connection.player.send(wire.Leave(req(), INFINITE))


async def disconnect(_: Cluster, guest: Guest) -> None:
    await guest.disconnect()


async def sign_out(cluster: Cluster, guest: Guest) -> None:
    await cluster.gateway.accounts.sign_out(guest.token)


async def exclude_here(cluster: Cluster, guest: Guest) -> None:
    await exclude(cluster.gateway, guest)


async def exclude_at_the_owner(cluster: Cluster, guest: Guest) -> None:
    await exclude(cluster.owner, guest)


async def exclude_while_the_gateway_is_not_heard(cluster: Cluster, guest: Guest) -> None:
    cluster.bus.loses = True
    await exclude(cluster.gateway, guest)


async def exclude(server: Server, guest: Guest) -> None:
    await server.restrictions.bar(player_id(guest), "exclusion", clock.now_ms() + 3_600_000)


@pytest.mark.parametrize(
    "depart",
    [
        leave,
        disconnect,
        sign_out,
        exclude_here,
        exclude_at_the_owner,
        exclude_while_the_gateway_is_not_heard,
    ],
)
async def test_the_picture_of_a_player_who_departs_stops_within_a_second(
    filmed: Filmed, depart: Depart
) -> None:
    cluster, media = filmed
    guest = await cluster.seated()
    await cluster.watch(guest)
    assert media.layers
    began_s = time.monotonic()
    await depart(cluster, guest)
    await until(lambda: not media.layers)
    assert time.monotonic() - began_s < STOPS_WITHIN_S


@pytest.mark.parametrize("served_elsewhere", [True, False])
async def test_a_stream_needs_a_web_server_that_players_of_other_nodes_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, served_elsewhere: bool
) -> None:
    ffmpeg, folder = FakeFfmpeg(tmp_path / "bin"), tmp_path / "hls"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(ffmpeg.program.parent), prepend=":")
    for variable in (SECRET_VARIABLE, HLS_SECRET_VARIABLE):
        monkeypatch.setenv(variable, SECRET)
    monkeypatch.setattr(streams, "SETTLED_S", 0.02)
    monkeypatch.setattr(streams, "STEP_S", 0.01)
    more = 'url = "https://streams.example/hls"' if served_elsewhere else ""
    config = CONFIG + HLS.format(folder=folder, more=more)
    async with running(tmp_path / "nodes", FakeMedia(), config) as cluster:
        await cluster.owner.cameras.publish(INFINITE, "v=0 dealer")
        await until(lambda: cluster.owner.streams.playable)
        guest = await cluster.seated()
        address = cluster.gateway.pictures.stream(viewer(guest))
        if served_elsewhere:
            assert (await address).url.startswith("https://streams.example/hls/")
        else:
            assert await refusal(address) == "no_picture"
        assert bool(cameras_seen(guest)[-1].stream) == served_elsewhere


@needs_janus
async def test_nothing_arrives_any_more_from_a_real_media_server(tmp_path: Path) -> None:
    janus = JanusProcess(tmp_path / "janus")
    janus.start()
    media = JanusMedia(ConfiguredMedia("127.0.0.1", janus.port, Secret(SECRET.encode())))
    try:
        async with running(tmp_path / "nodes", media) as cluster, on_camera(cluster):
            guest = await cluster.seated()
            offer = await cluster.watch(guest)
            with closing(Peer()) as peer:
                answer = wire.AnswerCamera(offer.watch, peer.answer(offer.sdp), "high")
                await cluster.gateway.pictures.change(AnswerPicture(player_id(guest), answer))
                await peer.connect(offer.sdp)
                assert await received(peer) > 0
                await exclude(cluster.gateway, guest)
                await asyncio.sleep(STOPS_WITHIN_S)
                peer.read()
                assert await received(peer) == 0
    finally:
        janus.kill()


@asynccontextmanager
async def on_camera(cluster: Cluster) -> AsyncIterator[None]:
    """Publish packets that nobody can decode."""
    cameras = cluster.owner.cameras
    await until(lambda: cameras.available)
    dealer = SyntheticDealer()
    sending = asyncio.create_task(dealer.run(await cameras.publish(INFINITE, dealer.offer)))
    try:
        await until(lambda: cameras.state(INFINITE) == "on")
        yield
    finally:
        sending.cancel()
        with suppress(asyncio.CancelledError):
            await sending


async def received(peer: Peer) -> int:
    """Return how many packets arrive within some time."""
    before = peer.packets
    await asyncio.sleep(0.3)
    peer.read()
    return peer.packets - before


async def test_a_dealer_whose_table_is_lost_is_off_camera_and_the_next_picture_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ownership, "LOOK_S", 0.02)
    media, ledger = FakeMedia(), open_ledger(tmp_path)
    start = partial(node, ledger, tmp_path, tables_named(INFINITE), CONFIG, LocalBus())
    try:
        async with start(media=media) as former:
            staff = StaffCameras(former, lambda _table, _roles: ("Dana",))
            await staff.publish(Member("Dana", "dealer", 0), staff_wire.PublishCamera(INFINITE, OFFER))
            assert media.published
            first = update_of(former)
            table = former.live[INFINITE]
            table.lease.stop()  # as if its loop hung
            ledger.run(_expire).result(10)
            async with start(media=FakeMedia()) as owner:
                await until(lambda: list(owner.live) == [INFINITE])
                await owner.cameras.publish(INFINITE, OFFER)
                assert update_of(owner).picture > first.picture
                table.lease._due_s = table.lease._expires_s = 0.0
                with pytest.raises(Refused):
                    await table.execute(Ticked())
                await until(lambda: not media.published)
                assert former.cameras.update(INFINITE) is None
    finally:
        ledger.close()


def update_of(owner: Server) -> wire.CameraUpdate:
    update = owner.cameras.update(INFINITE)
    assert update is not None
    return update


def _expire(connection: Connection) -> None:
    connection.execute("UPDATE lease SET expires_ms = 0")
