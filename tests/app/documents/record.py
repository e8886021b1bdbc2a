"""Record the worked session from a real server: `python -m tests.app.documents.record`.

Ids, times and names are replaced, so that a recording changes only if the protocol does.
"""

import asyncio
import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.app.documents.raw import Message
from tests.app.documents.worked import CONFIG_TOML, LIVE, manage, play
from tests.staff.clients import add
from tests.support.server_process import ServerProcess

FOLDER = Path(__file__).parents[3] / "src" / "croupier" / "app" / "documents"
NOON_MS = 1_767_268_800_000
"""1 January 2026, 12:00 UTC: the start of the recordings."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        server, code = served(Path(folder))
        try:
            player = asyncio.run(play(server.address))
            staff = asyncio.run(manage(server.address, "Ada", code))
        finally:
            server.stop()
    for audience, steps in (("player", player), ("staff", staff)):
        text = json.dumps(normalised(thinned(steps)), indent=1, ensure_ascii=False)
        (FOLDER / f"session_{audience}.json").write_text(f"{text}\n")


def served(folder: Path) -> tuple[ServerProcess, str]:
    """Start a server with the session's tables, and return it with its manager's code."""
    config_file = folder / "croupier.toml"
    config_file.write_text(CONFIG_TOML)
    server = ServerProcess(folder / "data", options=("--config", str(config_file))).start()
    return server, add(server.data, "Ada", "manager")


def thinned(steps: list[Message]) -> list[Message]:
    """Remove repeated pulses, and other tables from overviews."""
    return [_short(step) for at, step in enumerate(steps) if not _repeats(step, steps[at - 1 : at])]


def _short(step: Message) -> Message:
    message = step.get("message", {})
    if message.get("t") != "overview":
        return step
    tables = [table for table in message["tables"] if table["table"] == LIVE]
    return {**step, "message": {**message, "tables": tables}}


def _repeats(step: Message, before: list[Message]) -> bool:
    kinds = [each["message"]["t"] if "message" in each else "" for each in (step, *before)]
    return len(kinds) == 2 and kinds[0] == kinds[1] in ("pulse", "overview")


def normalised(steps: list[Message]) -> list[Message]:
    """Replace ids by numbered ones, shift times to NOON_MS, and blank names and codes."""
    first_ms = next(found for found in _times(steps))
    ids: dict[str, str] = {}
    return [_replaced(step, "", lambda key, value: _plain(key, value, first_ms, ids)) for step in steps]


def _times(of: Any) -> list[int]:
    match of:
        case dict():
            return [found for value in of.values() for found in _times(value)]
        case list():
            return [found for value in of for found in _times(value)]
        case int() if of > NOON_MS // 2 and of < 2**50:
            return [of]
        case _:
            return []


def _replaced(of: Any, key: str, plain: Callable[[str, Any], Any]) -> Any:
    match of:
        case dict():
            return {name: _replaced(value, name, plain) for name, value in of.items()}
        case list():
            return [_replaced(value, key, plain) for value in of]
        case _:
            return plain(key, of)


IDS = ("round", "id", "player")
FIXED: dict[str, tuple[str, Any]] = {
    "name": (r"Guest \w+", "Guest 1"),
    "who": (r"Guest \w+", "Guest 1"),
    "id": (r"[\d.]+\+\S+", "0.1.0+4ba3d5d5d0"),
    "number": (r"#[\d:]+(-\w+)*", "#12:00:00-MCEG0-00001"),
    "socket_port": (r"\d+", 8001),
    "code": (r"(\w{4}-)+\w{4}", "(the code)"),
    "commit": (r"[0-9a-f]*", "4ba3d5d5d0" + 30 * "0"),
    "committed": (r"[\dT:Z+-]*", "2026-11-21T12:00:00+00:00"),
    "lock": (r"[0-9a-f]*", 64 * "0"),
    "state": (r"changed|clean|unchecked", "clean"),
    "receipt": (r"\d+:[0-9a-f]{64}", "12:" + 64 * "0"),
}
"""Replacements, by field."""


def _plain(key: str, value: Any, first_ms: int, ids: dict[str, str]) -> Any:
    text = str(value)
    if type(value) is int and NOON_MS // 2 < value < 2**50:
        return NOON_MS + value - first_ms
    if key in IDS and re.fullmatch(r"[\w.]*[0-9a-f]{12,}", text):
        return ids.setdefault(text, f"{text[0]}{len(ids) + 1:022d}")
    if key == "request":
        return re.sub(r"\b\w[0-9a-f]{19,}", lambda found: ids.get(found[0], found[0]), text)
    pattern, plain = FIXED.get(key, ("", None))
    return plain if pattern and re.fullmatch(pattern, text) else value


if __name__ == "__main__":
    main()
