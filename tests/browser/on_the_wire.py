"""Change single messages between a page and its server, as a fault or a newer server would."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

Change = Callable[[dict[str, Any]], None]


def _nothing(_: dict[str, Any]) -> None:
    """Change nothing."""


def change(page: Page, *, to_page: Change = _nothing, to_house: Change = _nothing) -> None:
    """Every message of this page passes through the two functions, which may alter it in place."""

    def changed(raw: str | bytes, by: Change) -> str:
        message = json.loads(raw)
        by(message)
        return json.dumps(message)

    def joined(here: WebSocketRoute) -> None:
        house = here.connect_to_server()
        here.on_message(lambda raw: house.send(changed(raw, to_house)))
        house.on_message(lambda raw: here.send(changed(raw, to_page)))

    page.route_web_socket(re.compile(r"/ws$"), joined)


class Late:
    """Hold the server's messages to a page, from now on or from the page's first command of that kind on."""

    def __init__(self, page: Page, *, to_house: Change = _nothing, after: str = "") -> None:
        self.waits = False
        self.waiting: list[dict[str, Any]] = []
        self.said: list[dict[str, Any]] = []
        """Commands from the page to the server."""
        self._after = after
        self._change = to_house
        page.route_web_socket(re.compile(r"/ws$"), self._joined)

    def _joined(self, here: WebSocketRoute) -> None:
        self._here, house = here, here.connect_to_server()
        here.on_message(lambda raw: house.send(self._asked(raw)))
        house.on_message(self._told)

    def _asked(self, raw: str | bytes) -> str:
        message = json.loads(raw)
        self.said.append(message)
        self.waits |= message["t"] == self._after
        self._change(message)
        return json.dumps(message)

    def _told(self, raw: str | bytes) -> None:
        message = json.loads(raw)
        # The page considers a silent connection lost.
        if self.waits and message["t"] != "pong":
            self.waiting.append(message)
        else:
            self._here.send(json.dumps(message))

    def comes(self, count: int | None = None) -> None:
        """The oldest of what waits; without a number all of it, and nothing waits any more."""
        self.waits = count is not None
        for message in self.waiting[:count]:
            self._here.send(json.dumps(message))
        del self.waiting[:count]

    def breaks(self) -> None:
        """The line breaks; the page comes back on another."""
        self._here.close()
