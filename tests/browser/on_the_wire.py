"""Changes single messages between a page and its house, as a fault or a newer house would."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

Change = Callable[[dict[str, Any]], None]


def _nothing(_: dict[str, Any]) -> None:
    """As it is."""


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
