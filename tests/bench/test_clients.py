"""The client pool receives every message in order from small real servers, and counts lost connections."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pytest
from websockets.sync.server import Server, ServerConnection, serve

from croupier.bench.clients import BATCH_SIZE, ClientPool, upgrade
from croupier.bench.frames import frame
from croupier.bench.process import UNRAISED, ProcessFailed, run_module, server

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the bench runs on Linux only")
PLAYERS = 20


@contextmanager
def serving(handler: Callable[[ServerConnection], None]) -> Iterator[int]:
    """Run a server that calls `handler` for each connection; the value is its port."""
    server: Server = serve(handler, "127.0.0.1", 0, compression=None, close_timeout=0.1)
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

    def until(self, condition: Callable[[], bool]) -> None:
        self.clients.run(until=condition, seconds=30)
        assert condition()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connections; in the bench they end with their process."""
        for connection in self.clients._sockets:
            connection.close()


def test_every_client_receives_all_messages_in_order() -> None:
    texts = [b"x" * size for size in (0, 5, 126, 70_000, 1, 300_000, 2)]

    def handler(connection: ServerConnection) -> None:
        for text in texts:
            connection.send(text, text=True)
        connection.recv()

    with serving(handler) as port, RecordingClients(port) as recorder:
        recorder.until(lambda: all(frames == texts for frames in recorder.frames.values()))
        for player in range(PLAYERS):
            recorder.clients.send(player, frame(b"thanks"))
    assert recorder.clients.entered == PLAYERS


def test_a_ping_is_answered() -> None:
    def handler(connection: ServerConnection) -> None:
        assert connection.ping(b"there?").wait(30)
        connection.send("answered")
        connection.recv()

    with serving(handler) as port, RecordingClients(port, 1) as recorder:
        recorder.until(lambda: recorder.frames[0] == [b"answered"])
        recorder.clients.send(0, frame(b"thanks"))


def test_lost_connections_are_counted() -> None:
    def handler(connection: ServerConnection) -> None:
        if connection.recv() == "stay":
            connection.recv()

    with serving(handler) as port, RecordingClients(port, 3) as recorder:
        recorder.clients.send(0, frame(b"stay"))
        recorder.clients.send(1, frame(b"go"))
        recorder.clients.send(2, frame(b"go"))
        recorder.until(lambda: recorder.clients.lost == 2)
        recorder.clients.send(0, frame(b"go"))
        recorder.until(lambda: recorder.clients.lost == 3)
        with pytest.raises(ConnectionError, match="all clients"):
            recorder.until(lambda: False)


def test_clients_with_pending_requests_are_read_first() -> None:
    players = 3 * BATCH_SIZE
    sent, start = threading.Semaphore(0), threading.Event()

    def handler(connection: ServerConnection) -> None:
        start.wait(30)
        connection.send("broadcast")
        sent.release()
        connection.recv()
        connection.send("answered")
        connection.recv()

    with serving(handler) as port, RecordingClients(port, players) as recorder:
        last = players - 1
        recorder.clients.ask(last, frame(b"my bet"))
        start.set()
        assert all(sent.acquire(timeout=30) for _ in range(players))
        recorder.clients.turn()
        assert b"broadcast" in recorder.frames[last]
        assert sum(map(bool, recorder.frames.values())) <= BATCH_SIZE + 1
        recorder.until(lambda: recorder.frames[last] == [b"broadcast", b"answered"])
        recorder.clients.answered(last)
        recorder.clients.answered(last)
        for player in range(players):
            recorder.clients.ask(player, frame(b"thanks"))
        recorder.until(lambda: all(len(frames) == 2 for frames in recorder.frames.values()))
        for player in range(last):
            recorder.clients.ask(player, frame(b"goodbye"))


def echo_peer(connection: ServerConnection, connections: set[ServerConnection]) -> None:
    """Echo texts, and broadcast those that start with `t` to all, as every peer does."""
    connections.add(connection)
    for text in connection:
        assert isinstance(text, str)
        if text[0] == "t":
            for other in tuple(connections):
                other.send("b" + text[1:])
        else:
            connection.send(text)


def colyseus_peer(connection: ServerConnection, connections: set[ServerConnection]) -> None:
    """Do the same in Colyseus' framing: ROOM_DATA, a name of one letter, MessagePack's shortest string."""
    assert connection.recv() == b"\x0a"
    connections.add(connection)
    for message in connection:
        assert isinstance(message, bytes)
        assert message[:2] == b"\x0d\xa1"
        letter, text = message[2:3], message[6:]
        assert message[3:6] == b"\xda" + len(text).to_bytes(2, "big")
        size = b"\xd9" + bytes([len(text)]) if len(text) < 256 else message[3:6]
        for receiver in tuple(connections) if letter == b"t" else (connection,):
            receiver.send(b"\x0d\xa1" + (b"b" if letter == b"t" else letter) + size + text)


def echo_plan(port: int) -> dict[str, object]:
    sizes = {"command_bytes": 120, "broadcast_bytes": 300, "event_bytes": 1200}
    amounts = {"players": PLAYERS, "commands": 60, "rate": 100, "broadcasts_per_s": 4, "events": 2}
    return {"process": os.getpid(), "port": port, "paths": ["/"], "colyseus": False, **sizes, **amounts}


@pytest.mark.parametrize("handler", [pytest.param(echo_peer, marks=pytest.mark.campaign), colyseus_peer])
def test_a_peer_is_measured_without_losses(
    handler: Callable[[ServerConnection, set[ServerConnection]], None],
) -> None:
    """The echo of a real peer is measured in `test_bench_live`."""
    connections: set[ServerConnection] = set()
    with serving(lambda connection: handler(connection, connections)) as port:
        work = echo_plan(port) | {"colyseus": handler is colyseus_peer}
        results = run_module("echo", work, lambda _doing: None, UNRAISED.clients)
    assert results["players"] == PLAYERS
    assert results["command"]["number"] == 60
    assert results["command"]["unanswered"] == 0
    assert results["event"]["number"] == 2


def test_clients_without_a_server_fail() -> None:
    with pytest.raises(ProcessFailed, match=r"bench\.echo failed"):
        run_module("echo", echo_plan(1), lambda _doing: None, UNRAISED.clients)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("import sys; print('{}', flush=True); sys.exit('a commit failed')", "lost.*a commit failed"),
        ("import sys; sys.exit('the port is taken')", "didn't start.*the port is taken"),
    ],
)
def test_a_failure_quotes_the_servers_last_output(tmp_path: Path, program: str, message: str) -> None:
    with pytest.raises(ProcessFailed, match=message):
        run_and_lose_all([sys.executable, "-c", program], tmp_path / "log")


def run_and_lose_all(command: Sequence[str], log: Path) -> None:
    with server(command, log, UNRAISED.server):
        while not log.read_text():
            time.sleep(0.01)
        raise ProcessFailed("all clients were lost")
