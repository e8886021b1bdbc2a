"""Players are told while the database doesn't answer, and commands whose reads fail wait for it."""

from typing import cast

import pytest

from croupier.admission.ledger_gateway import RequestCounts
from croupier.ledger.protocol import DatabaseUnreachable
from croupier.players import database_watch
from croupier.players.connected_players import ConnectedPlayers
from croupier.players.database_watch import DatabaseWatch
from croupier.protocol.wire import DatabaseUpdate, ServerMessage


class Recipient:
    """Follows what a watch uses of a connected player."""

    def __init__(self) -> None:
        self.messages: list[ServerMessage] = []

    def send(self, message: ServerMessage) -> None:
        self.messages.append(message)


class Watched:
    def __init__(self) -> None:
        self.player, self.writes = Recipient(), RequestCounts()
        self.reads = RequestCounts()
        self.watch = DatabaseWatch(self.writes, self.reads, cast("ConnectedPlayers", [self.player]))
        self.watch.look(100.0)


@pytest.fixture
def watched() -> Watched:
    return Watched()


def test_players_are_told_once_that_the_server_waits_and_once_that_it_no_longer_does(
    watched: Watched,
) -> None:
    watched.writes.submitted += 2
    for now_s in (101.4, 101.6, 105.0):
        watched.watch.look(now_s)
    assert watched.player.messages == [DatabaseUpdate(waiting=True)]
    watched.writes.answered += 1
    watched.watch.look(105.2)
    assert watched.player.messages == [DatabaseUpdate(waiting=True), DatabaseUpdate(waiting=False)]


def test_answered_reads_dont_hide_that_writes_have_no_answer(watched: Watched) -> None:
    watched.writes.submitted += 1
    for now_s in (100.5, 101.0, 101.6):
        watched.reads.submitted += 1
        watched.reads.answered += 1
        watched.watch.look(now_s)
    assert watched.player.messages == [DatabaseUpdate(waiting=True)]


def test_a_database_that_answers_slowly_or_has_nothing_to_answer_is_no_outage(watched: Watched) -> None:
    watched.watch.look(200.0)
    watched.writes.submitted += 100
    for number in range(50):
        watched.watch.look(200.5 + number)
        watched.writes.answered += 1
    assert watched.player.messages == []


@pytest.mark.anyio
async def test_a_command_is_begun_again_until_the_database_can_be_read(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_watch, "LOOK_S", 0)
    pending = list[int]()

    async def work() -> None:
        pending.append(watched.reads.pending)
        if len(pending) < 3:
            raise DatabaseUnreachable

    await watched.watch.do(work)
    assert pending == [0, 1, 1]
    assert watched.reads.pending == 0
