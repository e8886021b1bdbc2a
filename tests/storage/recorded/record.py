"""Record a database for later versions to open: `python -m tests.storage.recorded.record schema_0015`.

Run it in a checkout of the version to record, before the database's schema changes. It writes the data folder
to `schema_0015.tar.gz`, and what its players were shown to `schema_0015.json`.
"""

import asyncio
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from croupier import clock
from croupier.accounts.responsible_gaming import PERMANENT_MS, Measure
from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.gateway.server import Server
from croupier.players.accounts import Caller
from croupier.protocol import wire
from tests.dealing.live.in_process import Guest, new_guest, running_server
from tests.dealing.live.player import Player, req

OWN, COUPS, LIVE = "multihand", "baccarat", "live_baccarat"
LIMIT = Measure("loss", "day", "EUR")
LIMIT_MINOR, PASSWORD = 5_000, "correct horse"
CONFIG = """
[payments.currencies.SC]
provider = "play_money"

[bonuses.welcome]
title = "Welcome bonus"
currency = "EUR"
amount = "20.00"
multiple = 30
days = 3660

[live_baccarat]
pace_ms = 0
betting_ms = 1000
warning_ms = 100
pause_ms = 50
"""


class RecordedPlayer(msgspec.Struct, frozen=True):
    """A player as they were shown: balances, finished rounds, and what else they have."""

    player: str
    token: str
    balances: tuple[wire.Balance, ...]
    rounds: tuple[str, ...]
    bonuses: tuple[wire.PlayerBonus, ...]
    payments: tuple[str, ...]
    limit_minor: int | None
    barred_until_ms: int


async def recorded(server: Server, token: str) -> RecordedPlayer:
    """Return a player as the server shows them now."""
    known = await server.sessions.signed_in(token)
    assert known is not None, "a recorded session is known"
    restrictions, now = server.limits.of(known.id), clock.now_ms()
    rounds, payments = server.ledger.rounds(known.id), await server.payments.of(known.id)
    return RecordedPlayer(
        known.id,
        token,
        server.queries.balances(known.id, known.visit_ms),
        tuple(f"{one.id} {one.status} {one.staked_minor}" for one in rounds),
        server.bonuses.history(known.id),
        tuple(f"{one.direction} {one.state} {one.amount_minor}" for one in payments),
        restrictions.limit_at(LIMIT, now),
        restrictions.barred.until_ms,
    )


async def fill(server: Server) -> dict[str, str]:
    """Let some players do what a database keeps; return their tokens by name."""
    ann, bob, eve, dora = [await new_guest(server) for _ in range(4)]
    player = await ann.connect()
    known = await server.sessions.signed_in(ann.token)
    assert known is not None, "a guest just added is known"
    caller = Caller(ann.token, "192.0.2.1", "Firefox on Linux")
    begun = await server.accounts.create(caller, known, "ann", PASSWORD)
    await _own_rounds(player)
    await server.restrictions.set_limit(known.id, LIMIT, LIMIT_MINOR)
    await server.payments.deposit(known, wire.CashierRequest(req(), "SC", 700))
    await server.payments.withdraw(known, wire.CashierRequest(req(), "SC", 300))
    await _with_bonus(server, bob)
    await _excluded(server, eve)
    await _live_round(await dora.connect())
    await ann.disconnect()
    return {"ann": begun.token, "bob": bob.token, "eve": eve.token, "dora": dora.token}


async def _own_rounds(player: Player) -> None:
    """Play coups to their end, and leave a round of blackjack open."""
    assert await player.join(COUPS) == ""
    for _ in range(5):
        assert await player.ask(wire.DealRound(req(), COUPS, (wire.Stake(0, "banker", 500),))) == ""
    assert await player.join(OWN) == ""
    is_open = False
    while not is_open:
        assert await player.ask(wire.DealRound(req(), OWN, (wire.Stake(0, "main", 1_000),))) == ""
        updates = [one for one in player.messages if isinstance(one, wire.TableUpdate) and one.table == OWN]
        is_open = (played := updates[-1].state.round) is not None and not played.view.ended


async def _with_bonus(server: Server, guest: Guest) -> None:
    known = await server.sessions.signed_in(guest.token)
    assert known is not None, "a guest just added is known"
    await server.bonuses.grant(known.id, "welcome", "for the record")


async def _excluded(server: Server, guest: Guest) -> None:
    known = await server.sessions.signed_in(guest.token)
    assert known is not None, "a guest just added is known"
    await server.restrictions.bar(known.id, "exclusion", PERMANENT_MS)


async def _live_round(player: Player) -> None:
    """Bet at a live table, and wait for the result."""
    assert await player.join(LIVE) == ""
    await player.until_phase("betting", table=LIVE)
    assert await player.bet((0, "player", 1_000), table=LIVE) == ""
    await player.until(lambda: player.results)


async def record(out: Path) -> None:
    with TemporaryDirectory() as folder:
        async with running_server(Path(folder), CONFIG) as server:
            tokens = await fill(server)
            players = {name: await recorded(server, token) for name, token in tokens.items()}
        with tarfile.open(out.with_suffix(".tar.gz"), "w:gz") as archive:
            for name in (DATABASE, SHOES_KEY):
                archive.add(Path(folder) / name, name)
    out.with_suffix(".json").write_bytes(msgspec.json.format(msgspec.json.encode(players)) + b"\n")


if __name__ == "__main__":
    asyncio.run(record(Path(sys.argv[1])))
