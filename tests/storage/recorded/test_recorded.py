"""A database that an earlier version recorded opens, agrees with what its players saw, and is played on.

`record.py` makes the files; a release that changes the schema adds those of the version before it.
"""

import tarfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import msgspec
import pytest

from croupier import clock
from croupier.accounts.identity import Identity
from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.gateway.server import Server
from croupier.players.accounts import Caller
from croupier.protocol import wire
from tests.dealing.live.in_process import Guest, running_server
from tests.dealing.live.player import Player, req
from tests.storage.recorded.record import (
    CONFIG,
    COUPS,
    LIMIT_MINOR,
    OWN,
    PASSWORD,
    RecordedPlayer,
    recorded,
)
from tests.support.clocks import fast_forward_machine

pytestmark = pytest.mark.anyio
RECORDS = sorted(Path(__file__).parent.glob("*.tar.gz"))


@pytest.fixture(params=RECORDS, ids=lambda path: path.name.removesuffix(".tar.gz"))
def record(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture
def folder(record: Path, tmp_path: Path) -> Path:
    """The recorded data folder."""
    with tarfile.open(record) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


@pytest.fixture
def players(record: Path) -> dict[str, RecordedPlayer]:
    shown = record.with_name(record.name.replace(".tar.gz", ".json"))
    return msgspec.json.decode(shown.read_bytes(), type=dict[str, RecordedPlayer])


@pytest.fixture
def recorded_time(folder: Path) -> Iterator[None]:
    """A clock that goes on from the recording: a day later, the open round would be ended."""
    recorded_ms = int((folder / DATABASE).stat().st_mtime * 1000)
    with fast_forward_machine() as machine:
        machine.advance(recorded_ms - clock.now_ms())
        yield


@pytest.fixture
async def server(folder: Path, recorded_time: None) -> AsyncIterator[Server]:
    """A server of today on the recorded data, whose audit passes before and afterwards."""
    assert_audited(folder)
    async with running_server(folder, CONFIG) as server:
        yield server
    assert_audited(folder)


def assert_audited(folder: Path) -> None:
    assert audit(folder / DATABASE, folder / SHOES_KEY, lambda *_: None).bad is None


async def test_it_opens_unchanged_and_is_played_on(
    server: Server, players: dict[str, RecordedPlayer]
) -> None:
    for player in players.values():
        assert lasting(await recorded(server, player.token)) == lasting(player)
    ann, bob, eve = [await Guest(server, players[name].token).connect() for name in ("ann", "bob", "eve")]
    await finish_the_open_round(ann)
    assert await bet(ann, LIMIT_MINOR + 1) == "over_own_limit"
    assert await bet(ann, 500) == ""
    assert await bet(bob, 500) == "", "the bonus counts"
    assert server.bonuses.history(players["bob"].player)[0].left_minor < players["bob"].bonuses[0].left_minor
    assert await eve.join(COUPS) == "barred"
    await sign_in_and_pay(server, players["ann"])


def lasting(player: RecordedPlayer) -> RecordedPlayer:
    """Return the player without the totals of their visit, which has ended, and what wasn't sent then."""
    held = (wire.Balance(one.currency, one.balance_minor, one.in_play_minor, 0, 0) for one in player.balances)
    bonuses = (msgspec.structs.replace(one, multiple=0) for one in player.bonuses)
    return msgspec.structs.replace(player, balances=tuple(held), bonuses=tuple(bonuses))


async def finish_the_open_round(player: Player) -> None:
    assert await player.join(OWN) == ""
    while (played := table_state(player).round) is not None and not played.view.ended:
        (turn, *_) = played.view.turns
        action = "decline_insurance" if turn.options[0].action == "decline_insurance" else "stand"
        decision = wire.Decide(req(), OWN, played.id, played.turn, turn.box, turn.hand, action)
        assert await player.ask(decision) == ""


def table_state(player: Player) -> wire.TableState:
    shown = [one for one in player.messages if isinstance(one, wire.TableUpdate | wire.TableSnapshot)]
    return [one for one in shown if one.table == OWN][-1].state


async def bet(player: Player, minor: int) -> str:
    """Play a coup; return the code of its refusal."""
    assert await player.join(COUPS) == ""
    return await player.ask(wire.DealRound(req(), COUPS, (wire.Stake(0, "banker", minor),)))


async def sign_in_and_pay(server: Server, ann: RecordedPlayer) -> None:
    """Sign in to the recorded account with its password, and make another deposit."""
    begun = await server.accounts.sign_in(Caller("", "192.0.2.1", ""), "ann", PASSWORD)
    assert begun.player == ann.player
    known = await server.sessions.signed_in(begun.token)
    assert known is not None
    assert known.identity == Identity("account", "ann")
    paid = await server.payments.deposit(known, wire.CashierRequest(req(), "SC", 100))
    assert paid.state == "confirmed"
