"""A client written from the documents of the protocol alone: HTTP, a WebSocket and JSON."""

import asyncio
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import ClientConnection, connect

Message = dict[str, Any]
WITHIN_S = 30.0


class RawClient:
    """A client that records all messages in `steps`, like a worked session."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.http = httpx.AsyncClient(timeout=WITHIN_S)
        self.steps: list[Message] = []
        self.versions: dict[str, int] = {}
        self.turns: dict[str, int] = {}
        """By table: the `turn` that a decision has to name."""
        self.after: dict[str, str] = {}
        """By own table: the `after` that a deal has to name."""
        self._socket: ClientConnection | None = None
        self._requests = 0

    async def close(self) -> None:
        await self.cut()
        await self.http.aclose()

    def note(self, heading: str, text: str) -> None:
        """Begin a section of the worked session."""
        self.steps.append({"by": "note", "heading": heading, "text": text})

    async def deal(self, table: str, stakes: list[Message]) -> Message:
        """Deal a round after the one that was shown last, and return the answer."""
        return await self.ask("deal", table=table, stakes=stakes, after=self.after[table])

    # --- HTTP

    async def request(self, method: str, path: str, sent: Any = None) -> Any:
        """Make a request and return the decoded body."""
        answer = await self.http.request(method, self.address + path, json=sent)
        step = {"by": "http", "request": f"{method} {path}", "status": answer.status_code}
        body = answer.json() if answer.content else None
        self.steps.append({**step, **({"sent": sent} if sent is not None else {}), "body": body})
        return body

    # --- the WebSocket

    async def connect(self, port: int, path: str = "/ws") -> None:
        """Connect as a page of this server would."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        host = urlsplit(self.address).hostname
        headers = {"Cookie": cookies, "Origin": self.address}
        self._socket = await connect(
            f"ws://{host}:{port}{path}", additional_headers=headers, compression=None, max_size=None
        )

    async def cut(self) -> None:
        """Drop the connection without a closing handshake."""
        if self._socket is not None:
            self._socket.transport.abort()
            await self._socket.wait_closed()
            self._socket = None

    async def send(self, **message: Any) -> None:
        assert self._socket is not None
        self.steps.append({"by": "client", "message": message})
        await self._socket.send(json.dumps(message))

    async def next(self) -> Message:
        """Receive one message and remember its version and turn."""
        assert self._socket is not None
        async with asyncio.timeout(WITHIN_S):
            message: Message = json.loads(await self._socket.recv())
        self.steps.append({"by": "server", "message": message})
        if "v" in message:
            self.versions[message["table"]] = message["v"]
        state = message.get("state", {})
        if "after" in state:
            self.after[message["table"]] = state["after"]
        for part in (state, state.get("round") or {}):
            if "turn" in part:
                self.turns[message["table"]] = part["turn"]
        return message

    async def until(self, wanted: Callable[[Message], bool]) -> Message:
        """Receive messages until one satisfies the condition."""
        while not wanted(message := await self.next()):
            pass
        return message

    async def ask(self, t: str, **fields: Any) -> Message:
        """Send a command and receive messages until it is answered."""
        self._requests += 1
        req = f"req-{self._requests}"
        await self.send(t=t, req=req, **fields)
        return await self.until(lambda message: message["t"] in ("ok", "no") and message["req"] == req)

    async def decide(self, table: str, round_: str, turn: Message, option: Message) -> Message:
        """Take one option of an open turn."""
        named = {"turn": self.turns[table]} if table in self.turns else {}
        at = {"box": turn["box"], "hand": turn["hand"]}
        return await self.ask("decide", table=table, round=round_, action=option["action"], **at, **named)

    def last(self, *kinds: str) -> Message:
        """Return the last message of these kinds that was received."""
        message = (step["message"] for step in reversed(self.steps) if step["by"] == "server")
        found: Message = next(message for message in message if message["t"] in kinds)
        return found
