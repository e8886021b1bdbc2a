"""The sample of a NATS server lets each role do what it needs, over TLS, and nothing else."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from nats.aio.client import Client

from croupier.app.nodes import BusOptions, connected_bus
from croupier.app.serve import open_ledger
from croupier.cluster import nats_bus
from croupier.cluster.bus import Bus, BusUnavailable
from croupier.cluster.nats_bus import NatsBus, NatsServers
from croupier.cluster.roles import NodeRole
from croupier.protocol import wire
from croupier.protocol.signatures import Secret
from croupier.refusal import Refused
from croupier.video.picture_messages import StopPicture
from tests.dealing.live.in_process import MAIN_BET
from tests.dealing.nodes.cluster import running_cluster, until
from tests.guide.test_proxies import Certificate, new_certificate
from tests.support.nats_server import NatsServer, needs_nats
from tests.support.nodes import tables_named

pytestmark = [pytest.mark.anyio, needs_nats]
SAMPLE = Path(__file__).parents[2] / "deploy" / "nats" / "nats.conf"
PASSWORDS = {"gateway": "1e5first", "tables": "2e5second"}
"""Both would be numbers to NATS, without quotes."""
INFINITE = "infinite"
PACE = "[infinite]\nbetting_ms = 600000\n"
CLUSTER = "croupier.0123abcd"
KEY = Secret(b"0123456789abcdef0123456789abcdef")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return new_certificate(tmp_path_factory.mktemp("nats"))


@pytest.fixture(scope="module")
def nats(certificate: Certificate) -> Iterator[NatsServer]:
    config = certificate.pem.parent / "nats.conf"
    sample = SAMPLE.read_text().replace("/etc/nats/nats.pem", str(certificate.pem))
    config.write_text(sample.replace("/etc/nats/nats.key", str(certificate.key)))
    variables = {f"{role.upper()}_BUS_PASSWORD": f'"{word}"' for role, word in PASSWORDS.items()}
    with NatsServer(config, variables) as server:
        yield server


@contextmanager
def suppress_refusal_of(code: str) -> Iterator[None]:
    try:
        yield
    except Refused as refused:
        assert refused.code == code


def address(nats: NatsServer, role: str, scheme: str = "tls") -> str:
    return f"{scheme}://{role}:{PASSWORDS[role]}@127.0.0.1:{nats.port}"


@asynccontextmanager
async def connected(nats: NatsServer, role: str, certificate: Certificate) -> AsyncIterator[NatsBus]:
    bus = await NatsBus.connect(
        NatsServers(address(nats, role), ca=certificate.pem), prefix=CLUSTER, name=role
    )
    try:
        yield bus
    finally:
        await bus.close()


async def test_a_gateway_and_an_owner_have_the_subjects_that_they_need(
    nats: NatsServer, certificate: Certificate, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = open_ledger(tmp_path)
    gateway, tables = (
        BusOptions(address(nats, role), KEY, ca=certificate.pem) for role in ("gateway", "tables")
    )
    async with AsyncExitStack() as stack:
        stack.callback(ledger.close)
        database = tmp_path / "croupier.db"
        here: Bus | None = await stack.enter_async_context(connected_bus(tables, database))
        there = await stack.enter_async_context(connected_bus(gateway, database))
        assert here is not None
        roles = frozenset[NodeRole]({"gateway"})
        cluster = await stack.enter_async_context(
            running_cluster(ledger, tmp_path, tables_named(INFINITE), PACE, here, roles, there)
        )
        await until(lambda: cluster.there.remote_tables.is_reachable(INFINITE))
        assert await cluster.player.join() == ""
        await cluster.player.until_phase("betting")
        assert await cluster.player.bet(MAIN_BET) == ""
        stop = StopPicture(cluster.id, wire.StopCamera(f"{cluster.here.remote_tables.node}.1"))
        with suppress_refusal_of("no_such_picture"):  # without a reply: camera_unavailable
            await cluster.there.pictures.change(stop)
    assert "refuses a subject" not in caplog.text


@pytest.mark.parametrize(
    ("role", "subject"),
    [("gateway", "owners"), ("gateway", "gateway.a"), ("tables", "owner.a"), ("tables", "pictures.a")],
)
async def test_a_role_cannot_send_what_only_the_other_sends(
    nats: NatsServer, certificate: Certificate, caplog: pytest.LogCaptureFixture, role: str, subject: str
) -> None:
    async with connected(nats, role, certificate) as bus:
        bus.publish(subject, b"")
        await until(lambda: f'permissions violation for publish to "{CLUSTER}.{subject}"' in caplog.text)


@pytest.mark.parametrize(
    ("role", "subject"),
    [("gateway", "owner.a"), ("gateway", "owners.ask"), ("gateway", "pictures.a"), ("tables", "reply.a.b")],
)
async def test_a_role_cannot_hear_what_only_the_other_hears(
    nats: NatsServer, certificate: Certificate, caplog: pytest.LogCaptureFixture, role: str, subject: str
) -> None:
    async with connected(nats, role, certificate) as bus:
        await bus.subscribe(subject, lambda _: None)
        await until(lambda: f'permissions violation for subscription to "{CLUSTER}.{subject}"' in caplog.text)


async def test_strangers_and_connections_without_trust_are_refused(
    nats: NatsServer, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_bus, "CONNECT_TIMEOUT_S", 2.0)

    async def check_refused(servers: NatsServers, why: str) -> None:
        with pytest.raises(BusUnavailable, match=why):
            await NatsBus.connect(servers, prefix=CLUSTER, name="stranger")

    async with asyncio.TaskGroup() as every:  # each waits for the timeout
        for url in (f"tls://127.0.0.1:{nats.port}", f"tls://gateway:wrong@127.0.0.1:{nats.port}"):
            every.create_task(
                check_refused(NatsServers(url, ca=certificate.pem), "doesn't take the credentials")
            )
        every.create_task(check_refused(NatsServers(address(nats, "gateway")), "can't be trusted"))


async def test_a_client_that_does_not_close_is_left(
    nats: NatsServer, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of NATS has waited for ever for the end of a connection that was refused."""

    async def wait_for_ever(_: Client) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(nats_bus, "CONNECT_TIMEOUT_S", 0.5)
    monkeypatch.setattr(Client, "close", wait_for_ever)
    async with asyncio.timeout(20):
        with pytest.raises(BusUnavailable):
            await NatsBus.connect(NatsServers(address(nats, "gateway")), prefix=CLUSTER, name="gateway")


async def test_a_server_without_tls_is_not_accepted_for_one_with_tls(certificate: Certificate) -> None:
    with NatsServer() as plain:
        url = plain.url.replace("nats:", "tls:")
        with pytest.raises(BusUnavailable, match="the server has no TLS"):
            await NatsBus.connect(NatsServers(url, ca=certificate.pem), prefix=CLUSTER, name="gateway")
