"""Attacks with the message server alone, and by a node that has the key and checks nothing."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec import MsgspecError

from croupier import clock
from croupier.accounts.responsible_gaming import Measure
from croupier.cluster.bus import Bus
from croupier.cluster.local_bus import LocalBus
from croupier.cluster.message_seal import MessageSeal
from croupier.cluster.roles import NodeRole
from croupier.cluster.sealed_bus import SealedBus
from croupier.dealing.nodes.owner_link import OwnerLink
from croupier.dealing.nodes.seat_messages import (
    GatewayMessage,
    JoinSeat,
    SeatBatch,
    SeatCommand,
    decode_of_gateway,
    decode_of_owner,
    encode_seats,
    gateway_subject,
    owner_subject,
)
from croupier.ledger.sql.store import SqlLedger
from croupier.protocol import wire
from croupier.protocol.signatures import Secret
from croupier.refusal import Refused
from tests.dealing.live.in_process import MAIN_BET, START_MINOR, new_guest
from tests.dealing.live.player import INFINITE, req
from tests.dealing.nodes.cluster import Cluster, running_cluster, until
from tests.players.test_document_acceptance import FIRST, publish
from tests.support.clocks import MINUTE_MS, fast_forward_machine
from tests.support.nodes import tables_named

pytestmark = pytest.mark.anyio
GATEWAY = frozenset[NodeRole]({"gateway"})
KEY = Secret(b"0123456789abcdef0123456789abcdef")
CARELESS = "careless"
PACE = """
[infinite]
pace_ms = 0
betting_ms = 600000
"""


class TappedBus(LocalBus):
    """The message server; it keeps what is published."""

    def __init__(self) -> None:
        super().__init__()
        self.published: list[tuple[str, bytes]] = []

    def publish(self, subject: str, payload: bytes) -> None:
        self.published.append((subject, payload))
        super().publish(subject, payload)

    def commands(self) -> list[tuple[str, bytes]]:
        """Return the messages that a gateway sent to an owner."""
        return [message for message in self.published if message[0].startswith("owner.")]


@pytest.fixture
def tap() -> TappedBus:
    return TappedBus()


@asynccontextmanager
async def cluster_on(bus: Bus, ledger: SqlLedger, folder: Path, more: str = "") -> AsyncIterator[Cluster]:
    tables = tables_named(INFINITE)
    async with running_cluster(ledger, folder, tables, PACE + more, bus, GATEWAY) as cluster:
        yield cluster


@pytest.fixture
def sealed(tap: TappedBus) -> SealedBus:
    """Return the bus as the nodes have it."""
    return SealedBus(tap, MessageSeal(KEY))


@pytest.fixture
async def cluster(sealed: SealedBus, ledger: SqlLedger, tmp_path: Path) -> AsyncIterator[Cluster]:
    async with cluster_on(sealed, ledger, tmp_path) as cluster:
        yield cluster


def held_minor(cluster: Cluster) -> int:
    return cluster.here.ledger.balances(cluster.id)["EUR"].get("in_play", 0)


async def bet(cluster: Cluster) -> None:
    assert await cluster.player.join() == ""
    await cluster.player.until_phase("betting")
    assert await cluster.player.bet(MAIN_BET) == ""


async def betting(cluster: Cluster) -> None:
    await until(lambda: cluster.here.live[INFINITE].state.phase == "betting")


def bets_read(tap: TappedBus) -> list[wire.PlaceBet]:
    """Return the bets that can be read on the message server."""
    found = list[wire.PlaceBet]()
    for _, payload in tap.commands():
        try:
            batch = decode_of_gateway(payload)
        except MsgspecError:
            continue
        commands = [each.command for each in batch.messages if isinstance(each, SeatCommand)]
        found += [command for command in commands if isinstance(command, wire.PlaceBet)]
    return found


# --- with the message server alone


async def test_a_stake_is_not_readable(
    tap: TappedBus, sealed: SealedBus, ledger: SqlLedger, tmp_path: Path
) -> None:
    async with cluster_on(tap, ledger, tmp_path) as unsealed:
        await bet(unsealed)
        assert [command.stakes for command in bets_read(tap)] == [(wire.Stake(*MAIN_BET),)]
    tap.published.clear()
    async with cluster_on(sealed, ledger, tmp_path) as cluster:
        await bet(cluster)
        assert tap.commands()
        assert bets_read(tap) == []
        words = cluster.id.encode(), INFINITE.encode(), b"main"
        assert [word for word in words for _, payload in tap.published if word in payload] == []


async def test_a_forged_seat_is_not_taken_for_a_player(cluster: Cluster, tap: TappedBus) -> None:
    await bet(cluster)
    here, session = cluster.here, session_of(cluster)
    round_ = cluster.player.states[INFINITE].clock.round
    forged: list[GatewayMessage] = [
        JoinSeat(1, INFINITE, session, cluster.id, "EUR"),
        SeatCommand(1, wire.PlaceBet(req(), INFINITE, round_, (wire.Stake(0, "main", 50_000),))),
    ]
    payload = encode_seats(SeatBatch("forged", "link", 0, forged))
    subject = owner_subject(here.remote_tables.node)
    tap.publish(subject, payload)
    tap.publish(subject, MessageSeal(Secret(b"a key of the attacker, 32 bytes.")).seal(subject, payload))
    await cluster.player.ask(wire.PostChat(req(), INFINITE, "later"))
    assert held_minor(cluster) == MAIN_BET[2]
    assert {name: count for name, count in here_refused(cluster).items() if count} == {
        "malformed": 1,
        "forged": 1,
    }


def here_refused(cluster: Cluster) -> dict[str, int]:
    assert cluster.here.bus is not None
    return dict(cluster.here.bus.refused)


async def test_a_replayed_bet_is_not_accepted(cluster: Cluster, tap: TappedBus) -> None:
    await bet(cluster)
    assert await cluster.player.bet() == "", "the bet is taken back"
    assert held_minor(cluster) == 0
    again = tap.commands()
    for subject, payload in again:
        tap.publish(subject, payload)
        tap.publish(gateway_subject(cluster.there.remote_tables.node), payload)
    await cluster.player.ask(wire.PostChat(req(), INFINITE, "later"))
    assert held_minor(cluster) == 0
    assert here_refused(cluster)["replayed"] == len(again)
    assert here_refused(cluster)["forged"] == len(again), "for another subject"
    assert cluster.there.remote_tables.losses == 0


# --- with a node that has the key, and doesn't check


class CarelessGateway:
    """Takes one seat, and sends whatever the test says. Follows `Seated`."""

    table = INFINITE

    def __init__(self, link: OwnerLink) -> None:
        self.outcomes: list[str] = []
        self._link = link
        self._seat = link.sit(self)

    async def join(self, player: str, session: str) -> str:
        self._link.join(self._seat, INFINITE, session, player, "EUR")
        return await self._outcome()

    async def bet(self, cluster: Cluster, table: str = INFINITE) -> str:
        round_ = cluster.here.live[INFINITE].state.round
        command = wire.PlaceBet(req(), table, round_, (wire.Stake(*MAIN_BET),))
        self._link.command(self._seat, command)
        return await self._outcome()

    async def _outcome(self) -> str:
        """Return the code of the next outcome."""
        await until(lambda: self.outcomes)
        return self.outcomes.pop()

    def joined(self, refused: Refused | None) -> None:
        self.outcomes.append(refused.code if refused else "")

    def answered(self, req: str, refused: Refused | None) -> None:  # noqa: ARG002
        self.joined(refused)

    def send(self, frames: bytes, /) -> None: ...

    def queue(self, frames: bytes, /) -> None: ...

    def seat_ended(self, *, taken_over: bool) -> None: ...

    def link_lost(self) -> None: ...

    def owner_silent(self) -> None: ...


async def careless_gateway(cluster: Cluster) -> CarelessGateway:
    assert cluster.here.bus is not None
    link = OwnerLink(cluster.here.bus, CARELESS, cluster.here.remote_tables.node, lambda: None)
    await cluster.here.bus.subscribe(
        gateway_subject(CARELESS), lambda payload: link.receive(decode_of_owner(payload))
    )
    return CarelessGateway(link)


def session_of(cluster: Cluster) -> str:
    (session,) = cluster.there.sessions.connected(cluster.id)
    return session


async def test_a_seat_needs_a_session_of_its_player(cluster: Cluster) -> None:
    other = await (await new_guest(cluster.there)).connect()
    assert other.welcome is not None
    gateway = await careless_gateway(cluster)
    assert await gateway.join(cluster.id, "0123456789abcdef") == "not_signed_in"
    assert await (await careless_gateway(cluster)).join("p_nobody", session_of(cluster)) == "not_signed_in"
    gateway = await careless_gateway(cluster)
    assert await gateway.join(other.welcome.player, session_of(cluster)) == "not_signed_in"
    assert len(cluster.here.players) == 0
    assert await (await careless_gateway(cluster)).join(cluster.id, session_of(cluster)) == ""
    (seated,) = cluster.here.players
    known = cluster.there.players.get(cluster.id)
    assert known is not None
    assert seated.player == known.player


async def test_a_seat_bets_at_its_own_table_only(cluster: Cluster) -> None:
    gateway = await careless_gateway(cluster)
    assert await gateway.join(cluster.id, session_of(cluster)) == ""
    await betting(cluster)
    assert await gateway.bet(cluster, "seven_seat") == "not_joined"
    assert await gateway.bet(cluster) == ""


async def test_the_owner_refuses_a_bet_before_the_documents_are_accepted(
    sealed: SealedBus, ledger: SqlLedger, tmp_path: Path
) -> None:
    """And takes the first one after the player has accepted them at their gateway."""
    publish(tmp_path, FIRST)
    documents = f'[documents]\nfolder = "{tmp_path}"\n'
    async with cluster_on(sealed, ledger, tmp_path, documents) as cluster:
        gateway = await careless_gateway(cluster)
        assert await gateway.join(cluster.id, session_of(cluster)) == ""
        await betting(cluster)
        assert await gateway.bet(cluster) == "documents_not_accepted"
        assert held_minor(cluster) == 0
        with unheard_changes(cluster):
            await cluster.there.acceptance.accept(cluster.id, "terms", "1.0")
            assert await gateway.bet(cluster) == ""


async def test_the_owner_refuses_a_bet_while_a_reality_check_is_due(
    sealed: SealedBus, ledger: SqlLedger, tmp_path: Path
) -> None:
    """And takes the first one after the player has answered it at their gateway."""
    with fast_forward_machine() as machine:
        async with cluster_on(sealed, ledger, tmp_path, '[profile]\nlike = "always_reminded"\n') as cluster:
            gateway = await careless_gateway(cluster)
            assert await gateway.join(cluster.id, session_of(cluster)) == ""
            await betting(cluster)
            machine.advance(31 * MINUTE_MS)
            assert await gateway.bet(cluster) == "reminder_due"
            assert held_minor(cluster) == 0
            with unheard_changes(cluster):
                assert await cluster.player.ask(wire.AnswerReminder(req())) == ""
                assert await gateway.bet(cluster) == ""


async def test_a_limit_exceeded_through_another_node_is_refused_by_the_owner(cluster: Cluster) -> None:
    gateway = await careless_gateway(cluster)
    assert await gateway.join(cluster.id, session_of(cluster)) == ""
    await betting(cluster)
    session, measure = session_of(cluster), Measure("loss", "day", "EUR")
    await cluster.there.restrictions.set_limit(cluster.id, measure, MAIN_BET[2] - 1)
    await until(lambda: cluster.here.limits.of(cluster.id).limits)
    assert await gateway.bet(cluster) == "over_own_limit"
    await cluster.there.restrictions.bar(cluster.id, "exclusion", clock.now_ms() + 3_600_000)
    await until(lambda: len(cluster.here.players) == 0)
    assert await (await careless_gateway(cluster)).join(cluster.id, session) == "barred"
    assert cluster.here.ledger.balances(cluster.id)["EUR"]["cash"] == START_MINOR


@contextmanager
def unheard_changes(cluster: Cluster) -> Iterator[None]:
    """Let the owner follow the other node late, as when a bet comes before the change that allows it."""

    async def late(_: object) -> None:
        pass

    assert cluster.here.follower is not None
    with patch.object(cluster.here.follower, "_apply", late):
        yield
