"""The client pool receives every message in order from small real servers, and counts lost connections."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.sync.server import Server, ServerConnection, serve

from croupier.bench.clients import AT_ONCE, ClientPool, upgrade
from croupier.bench.frames import frame
from croupier.bench.process import UNRAISED, ProcessFailed, run_module, server

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the bench runs on Linux only")
PLAYERS = 20


@contextmanager
def serving(visit: Callable[[ServerConnection], None]) -> Iterator[int]:
    """A server whose visits are `visit`; the value is its port."""
    server: Server = serve(visit, "127.0.0.1", 0, compression=None)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.socket.getsockname()[1]
    finally:
        server.shutdown()
        thread.join()


class RecordingClients:
    """A client pool that records what it receives."""

    def __init__(self, port: int, players: int = PLAYERS) -> None:
        self.frames: dict[int, list[bytes]] = {player: [] for player in range(players)}
        self.clients = ClientPool(self._on_frame, self._on_open)
        request = upgrade(f"127.0.0.1:{port}", "/")
        self.clients.connect(("127.0.0.1", port), [request] * players)

    def _on_frame(self, player: int, payload: bytes, _at: float) -> None:
        self.frames[player].append(payload)

    def _on_open(self, _player: int) -> None:
        self.clients.entered += 1

    def until(self, holds: Callable[[], bool]) -> None:
        self.clients.run(until=holds, seconds=30)
        assert holds()


def test_everybody_hears_all_of_it_in_order() -> None:
    texts = [b"x" * size for size in (0, 5, 126, 70_000, 1, 300_000, 2)]

    def visit(connection: ServerConnection) -> None:
        for text in texts:
            connection.send(text, text=True)
        connection.recv()

    with serving(visit) as port:
        received = RecordingClients(port)
        received.until(lambda: all(frames == texts for frames in received.frames.values()))
        for player in range(PLAYERS):
            received.clients.send(player, frame(b"thanks"))
    assert received.clients.entered == PLAYERS


def test_a_ping_is_answered() -> None:
    def visit(connection: ServerConnection) -> None:
        assert connection.ping(b"there?").wait(30)
        connection.send("answered")
        connection.recv()

    with serving(visit) as port:
        received = RecordingClients(port, 1)
        received.until(lambda: received.frames[0] == [b"answered"])
        received.clients.send(0, frame(b"thanks"))


def test_who_is_cut_off_is_counted() -> None:
    def visit(connection: ServerConnection) -> None:
        if connection.recv() == "stay":
            connection.recv()

    with serving(visit) as port:
        received = RecordingClients(port, 3)
        received.clients.send(0, frame(b"stay"))
        received.clients.send(1, frame(b"go"))
        received.clients.send(2, frame(b"go"))
        received.until(lambda: received.clients.lost == 2)
        received.clients.send(0, frame(b"go"))
        received.until(lambda: received.clients.lost == 3)
        with pytest.raises(ConnectionError, match="everybody"):
            received.until(lambda: False)


def test_who_waits_for_an_answer_is_read_before_the_others() -> None:
    players = 3 * AT_ONCE
    told, go = threading.Semaphore(0), threading.Event()

    def visit(connection: ServerConnection) -> None:
        go.wait(30)
        connection.send("told")
        told.release()
        connection.recv()
        connection.send("answered")
        connection.recv()

    with serving(visit) as port:
        received = RecordingClients(port, players)
        last = players - 1
        received.clients.ask(last, frame(b"my bet"))
        go.set()
        assert all(told.acquire(timeout=30) for _ in range(players))
        received.clients.turn()
        assert b"told" in received.frames[last]
        assert sum(map(bool, received.frames.values())) <= AT_ONCE + 1
        received.until(lambda: received.frames[last] == [b"told", b"answered"])
        received.clients.answered(last)
        received.clients.answered(last)
        for player in range(players):
            received.clients.ask(player, frame(b"thanks"))
        received.until(lambda: all(len(frames) == 2 for frames in received.frames.values()))
        for player in range(last):
            received.clients.ask(player, frame(b"goodbye"))


def peer(connection: ServerConnection, everybody: set[ServerConnection]) -> None:
    """Behave like every peer: echo texts, and broadcast some to all."""
    everybody.add(connection)
    for text in connection:
        assert isinstance(text, str)
        if text[0] == "t":
            for one in tuple(everybody):
                one.send("b" + text[1:])
        else:
            connection.send(text)


def colyseus(connection: ServerConnection, everybody: set[ServerConnection]) -> None:
    """The same as Colyseus writes it: ROOM_DATA, a name of one letter, MessagePack's shortest string."""
    assert connection.recv() == b"\x0a"
    everybody.add(connection)
    for message in connection:
        assert isinstance(message, bytes)
        assert message[:2] == b"\x0d\xa1"
        letter, text = message[2:3], message[6:]
        assert message[3:6] == b"\xda" + len(text).to_bytes(2, "big")
        size = b"\xd9" + bytes([len(text)]) if len(text) < 256 else message[3:6]
        for one in tuple(everybody) if letter == b"t" else (connection,):
            one.send(b"\x0d\xa1" + (b"b" if letter == b"t" else letter) + size + text)


def plan(port: int) -> dict[str, object]:
    sizes = {"command_bytes": 120, "told_bytes": 300, "event_bytes": 1200}
    amounts = {"players": PLAYERS, "commands": 60, "rate": 100, "told_each_s": 4, "events": 2}
    return {"process": os.getpid(), "port": port, "paths": ["/"], "colyseus": False, **sizes, **amounts}


@pytest.mark.parametrize("speaks", [peer, colyseus])
def test_a_peer_is_measured_and_nothing_is_lost(
    speaks: Callable[[ServerConnection, set[ServerConnection]], None],
) -> None:
    everybody: set[ServerConnection] = set()
    with serving(lambda connection: speaks(connection, everybody)) as port:
        work = plan(port) | {"colyseus": speaks is colyseus}
        found = run_module("echo", work, lambda _doing: None, UNRAISED.clients)
    assert found["players"] == PLAYERS
    assert found["command"]["number"] == 60
    assert found["command"]["unanswered"] == 0
    assert found["event"]["number"] == 2


def test_clients_without_a_server_report_it() -> None:
    with pytest.raises(ProcessFailed, match=r"bench\.echo failed"):
        run_module("echo", plan(1), lambda _doing: None, UNRAISED.clients)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; print('{}', flush=True); sys.exit('a commit failed')", "lost.*a commit failed"),
        ("import sys; sys.exit('the port is taken')", "didn't start.*the port is taken"),
    ],
)
def test_what_a_server_said_last_stands_in_the_failure(tmp_path: Path, program: str, said: str) -> None:
    with pytest.raises(ProcessFailed, match=said):
        lose_all_at([sys.executable, "-c", program], tmp_path / "log")


def lose_all_at(command: Sequence[str], log: Path) -> None:
    with server(command, log, UNRAISED.server):
        while not log.read_text():
            time.sleep(0.01)
        raise ProcessFailed("everybody was lost")
