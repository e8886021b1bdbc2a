"""Staff clients for tests."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import httpx
import msgspec
from typer.testing import CliRunner, Result
from websockets.asyncio.client import ClientConnection, connect

from croupier.cli.main import app
from croupier.protocol import staff_sign_in, staff_wire
from croupier.protocol import wire as players
from tests.support.browser_connection import ANSWER_TIMEOUT_S, new_req

_read = msgspec.json.Decoder(staff_wire.Message).decode


def staff(data: Path, *words: str) -> Result:
    """Run `croupier staff ...` in a thread of its own, since it runs an event loop."""
    with ThreadPoolExecutor(1) as operator:
        return operator.submit(CliRunner().invoke, app, ["staff", *words, "--data", str(data)]).result()


def add(data: Path, name: str, role: str) -> str:
    """Add a member of staff and return the sign-in code."""
    done = staff(data, "add", name, "--role", role, "--json")
    assert done.exit_code == 0, done.output
    return str(json.loads(done.stdout)["code"])


class StaffBrowser:
    """A staff client; `received` has its messages."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.http = httpx.AsyncClient(verify=False, timeout=ANSWER_TIMEOUT_S)
        self.received: list[staff_wire.Message] = []
        self._socket: ClientConnection | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._socket is not None:
            await self._socket.close()
        await self.http.aclose()

    async def sign_in(self, name: str, code: str) -> httpx.Response:
        body = msgspec.json.encode(staff_sign_in.SignIn(name, code))
        return await self.http.post(f"{self.address}/api/staff/sign-in", content=body)

    async def connect(self, table: str = "", origin: str = "") -> None:
        """Connect and watch a table or all tables."""
        server = await self.http.get(f"{self.address}/api/server")
        port = msgspec.json.decode(server.content, type=players.ServerInfo).socket_port
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        self._socket = await connect(
            f"ws://127.0.0.1:{port}/ws/staff",
            additional_headers={"Cookie": cookies, "Origin": origin or self.address},
            compression=None,
        )
        await self.send(staff_wire.Hello(staff_wire.PROTOCOL, table))
        await self.next()

    async def send(self, message: msgspec.Struct) -> None:
        assert self._socket is not None
        await self._socket.send(msgspec.json.encode(message), text=True)

    async def next(self) -> staff_wire.Message:
        assert self._socket is not None
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            message: staff_wire.Message = _read(await self._socket.recv(decode=False))
        self.received.append(message)
        return message

    async def ask(self, kind: Callable[..., staff_wire.Action], table: str, *rest: Any) -> str:
        """Send a command; return `ok`, or the code of the refusal."""
        command = kind(new_req(), table, *rest)
        await self.send(command)
        while True:
            message = await self.next()
            if isinstance(message, staff_wire.Ok | staff_wire.No) and message.req == command.req:
                return "ok" if isinstance(message, staff_wire.Ok) else message.code

    @property
    def no(self) -> staff_wire.No:
        """Return the last refusal."""
        return next(one for one in reversed(self.received) if isinstance(one, staff_wire.No))

    async def until(
        self, wanted: Callable[[staff_wire.DealerTableState], bool]
    ) -> staff_wire.DealerTableState:
        """Return the table once it satisfies the condition."""
        while True:
            for one in reversed(self.received):
                if isinstance(one, staff_wire.DealerTableUpdate):
                    if wanted(one.now):
                        return one.now
                    break
            await self.next()

    async def overview(
        self, wanted: Callable[[staff_wire.TableSummary], bool], table: str
    ) -> staff_wire.TableSummary:
        """Return the table's summary once it satisfies the condition."""
        while True:
            for one in reversed(self.received):
                if isinstance(one, staff_wire.TablesOverview):
                    found = next(row for row in one.tables if row.table == table)
                    if wanted(found):
                        return found
                    break
            await self.next()

    async def log(self, **sought: str) -> list[staff_wire.EventLogLine]:
        answer = await self.http.get(f"{self.address}/api/staff/log", params=sought)
        assert answer.is_success, answer.text
        return list(msgspec.json.decode(answer.content, type=staff_wire.EventLogPage).lines)


@asynccontextmanager
async def staff_client(address: str, name: str, code: str, table: str = "") -> AsyncIterator[StaffBrowser]:
    """Connect a client that is signed in and watches a table or all tables."""
    async with StaffBrowser(address) as client:
        assert (await client.sign_in(name, code)).status_code == 200
        await client.connect(table)
        yield client
