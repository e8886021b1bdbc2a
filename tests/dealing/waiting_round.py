"""A player at an own table whose round waits for a decision, on a server whose clock the test sets."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from unittest.mock import patch

from croupier import clock
from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.config import DEFAULT_CONFIG, InactivityConfig
from croupier.equipment.cards import DECK, Card
from croupier.games import published_tables
from croupier.gateway import client_session
from croupier.gateway.server import Server
from croupier.protocol import wire
from tests.support.in_process import DECODER, InProcessClient, RecordedConnection, server_dealing

TABLE = "double_exposure"
CARDS = DECK * published_tables()[TABLE].rules.decks
STAKE_MINOR = 1000
JOIN = wire.Join("join", TABLE, "GC")
DEAL = wire.DealRound("deal", TABLE, (wire.Stake(0, "main", STAKE_MINOR),))
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS


@contextmanager
def clock_at(now_ms: int) -> Iterator[None]:
    """Stop the server's clock at this time."""
    with (
        patch.object(clock, "now_ms", lambda: now_ms),
        patch.object(client_session, "now_ms", lambda: now_ms),
    ):
        yield


@contextmanager
def configured_server(
    folder: Path, inactivity: InactivityConfig, cards: tuple[Card, ...] = CARDS
) -> Iterator[Server]:
    config = DEFAULT_CONFIG._replace(inactivity=inactivity)
    with server_dealing(folder, cards, config) as server:
        yield server


@asynccontextmanager
async def waiting_round(
    folder: Path, inactivity: InactivityConfig = DEFAULT_CONFIG.inactivity
) -> AsyncIterator[tuple[Server, InProcessClient, wire.PlayedRound]]:
    """Start a server with a player whose round waits for a decision; audit the ledger at the end."""
    with configured_server(folder, inactivity) as server:
        player = await InProcessClient.connect(server)
        await player.request(JOIN)
        await player.request(DEAL)
        assert player.state.round is not None
        assert not player.state.round.view.ended
        yield server, player, player.state.round
    assert_ledger_valid(folder)


def assert_ledger_valid(folder: Path) -> None:
    """Audit the data as `croupier verify` does."""
    assert audit(folder / DATABASE, folder / SHOES_KEY, lambda *_: None).bad is None


def received(player: InProcessClient) -> list[wire.Message]:
    return [DECODER.decode(frame) for frame in player.connection.frames]


@contextmanager
def record_close_codes() -> Iterator[list[int]]:
    """Record the codes with which the server closes connections."""
    codes: list[int] = []
    with patch.object(RecordedConnection, "close", lambda _, code: codes.append(code)):
        yield codes


async def sweep(server: Server, now_ms: int) -> list[int]:
    """Run the periodic sweep at this time; return the close codes of the connections that it ends."""
    with clock_at(now_ms), record_close_codes() as codes:
        await server.sweep()
    return codes
