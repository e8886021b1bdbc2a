"""A network between browsers and a media server that loses packets on the way to the browsers."""

import select
import socket
from contextlib import suppress
from itertools import count
from threading import Thread

PACKET_BYTES_MAX = 2048
WAIT_S = 0.2
SMALL_BYTES = 200
"""Connectivity checks and the voice are smaller, and pass."""


class BadLink:
    """Of the large packets every `lost`-th is dropped; 0: none."""

    def __init__(self) -> None:
        self.lost = 0
        self._open = True
        self._threads: list[Thread] = []

    def relay(self, host: str, port: int) -> int:
        """Return a port of the host that passes packets to a port of the media server, and back."""
        browser_side, server_side = _bound(host), _bound(host)
        server_side.connect((host, port))
        thread = Thread(target=self._run, args=(browser_side, server_side))
        thread.start()
        self._threads.append(thread)
        return int(browser_side.getsockname()[1])

    def close(self) -> None:
        self._open = False
        for thread in self._threads:
            thread.join()

    def _run(self, browser_side: socket.socket, server_side: socket.socket) -> None:
        browser, packets = None, count(1)
        with browser_side, server_side:
            while self._open:
                for ready in select.select([browser_side, server_side], [], [], WAIT_S)[0]:
                    # The media server has closed its port: the next call of either kind reports that.
                    with suppress(ConnectionRefusedError, BlockingIOError):
                        packet, sender = ready.recvfrom(PACKET_BYTES_MAX)
                        if ready is browser_side:
                            browser = sender
                            server_side.send(packet)
                        elif browser and not (len(packet) > SMALL_BYTES and self._drops(next(packets))):
                            browser_side.sendto(packet, browser)

    def _drops(self, number: int) -> bool:
        return self.lost > 0 and number % self.lost == 0


def _bound(host: str) -> socket.socket:
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    opened.bind((host, 0))
    opened.setblocking(False)
    return opened
