"""Change single messages between a page and its server, as a fault or a newer server would."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

Change = Callable[[dict[str, Any]], None]


def _nothing(_: dict[str, Any]) -> None:
    """Change nothing."""


def change(page: Page, *, to_page: Change = _nothing, to_server: Change = _nothing) -> None:
    """Pass every message of this page through the two functions, which may alter it in place."""

    def changed(raw: str | bytes, by: Change) -> str:
        message = json.loads(raw)
        by(message)
        return json.dumps(message)

    def connected(here: WebSocketRoute) -> None:
        server = here.connect_to_server()
        here.on_message(lambda raw: server.send(changed(raw, to_server)))
        server.on_message(lambda raw: here.send(changed(raw, to_page)))

    page.route_web_socket(re.compile(r"/ws$"), connected)


class HeldMessages:
    """Hold the server's messages to a page, from now on or from the page's first command of that kind on."""

    def __init__(self, page: Page, *, to_server: Change = _nothing, after: str = "") -> None:
        self.holding = False
        self.held: list[dict[str, Any]] = []
        self.commands: list[dict[str, Any]] = []
        """Commands from the page to the server."""
        self.after = after
        self._change = to_server
        page.route_web_socket(re.compile(r"/ws$"), self._connected)

    def _connected(self, here: WebSocketRoute) -> None:
        self._here, server = here, here.connect_to_server()
        here.on_message(lambda raw: server.send(self._command(raw)))
        server.on_message(self._message)

    def _command(self, raw: str | bytes) -> str:
        message = json.loads(raw)
        self.commands.append(message)
        self.holding |= message["t"] == self.after
        self._change(message)
        return json.dumps(message)

    def _message(self, raw: str | bytes) -> None:
        message = json.loads(raw)
        # The page considers a silent connection lost.
        if self.holding and message["t"] != "pong":
            self.held.append(message)
        else:
            self._here.send(json.dumps(message))

    def release(self, count: int | None = None) -> None:
        """Send that many held messages, oldest first; without a number send all, and stop holding."""
        self.holding = count is not None
        for message in self.held[:count]:
            self._here.send(json.dumps(message))
        del self.held[:count]

    def close(self) -> None:
        """Close the connection; the page opens another one."""
        self._here.close()
