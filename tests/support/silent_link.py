"""A TCP link to a server that can fall silent: it acknowledges everything, and passes nothing on."""

import select
import socket
from contextlib import suppress
from threading import Thread
from types import TracebackType
from typing import Self

CHUNK_BYTES = 65_536
POLL_S = 0.05


class SilentLink:
    """Listens on a free port of 127.0.0.1 and passes connections on to a server there.

    What arrives during a silence is dropped, and connections from before it are never answered again, as
    those to a machine that was replaced.
    """

    def __init__(self, target_port: int) -> None:
        self.target_port = target_port
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = int(self._listening.getsockname()[1])
        self._silences = 0
        self._is_silent = False
        self._open = True
        self._threads = [Thread(target=self._accept, daemon=True)]

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open = False
        for thread in self._threads:
            thread.join()
        self._listening.close()

    def fall_silent(self) -> None:
        self._silences += 1
        self._is_silent = True

    def speak(self) -> None:
        """Pass new connections on again."""
        self._is_silent = False

    def _accept(self) -> None:
        while self._open:
            if select.select([self._listening], [], [], POLL_S)[0]:
                here, _ = self._listening.accept()
                thread = Thread(target=self._carry, args=(here, self._silences), daemon=True)
                thread.start()
                self._threads.append(thread)

    def _carry(self, here: socket.socket, silences: int) -> None:
        """Pass bytes both ways until either side closes; after a silence, only take them."""
        with here, suppress(ConnectionError):
            if self._is_silent:
                self._take_in(here)
                return
            with socket.create_connection(("127.0.0.1", self.target_port)) as there:
                other = {here: there, there: here}
                while self._open:
                    for ready in select.select([here, there], [], [], POLL_S)[0]:
                        chunk = ready.recv(CHUNK_BYTES)
                        if not chunk and (ready is here or self._silences == silences):
                            return
                        if not chunk:
                            self._take_in(here)
                            return
                        if self._silences == silences:
                            other[ready].sendall(chunk)

    def _take_in(self, here: socket.socket) -> None:
        while self._open:
            if select.select([here], [], [], POLL_S)[0] and not here.recv(CHUNK_BYTES):
                return
