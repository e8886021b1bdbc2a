"""The operator's door of an open house: one order a connection, one line each way."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import msgspec

from croupier.staff.admin_commands import (
    LINE_BYTES_MAX,
    AdminResult,
    AnyAdminCommand,
    decode_command,
    decode_result,
    socket_path,
)

log = logging.getLogger(__name__)

COMMAND_TIMEOUT_S = 5.0
"""A client that sends nothing, or half an order, would hold a descriptor."""

CarryOut = Callable[[AnyAdminCommand], Awaitable[AdminResult]]


@asynccontextmanager
async def serve_admin_socket(folder: Path, carry_out: CarryOut) -> AsyncIterator[None]:
    """Open until left. A folder whose path is too long for a socket has none: staff are added while shut."""
    path = socket_path(folder)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer), suppress(ConnectionError, TimeoutError, ValueError):
            async with asyncio.timeout(COMMAND_TIMEOUT_S):
                line = await reader.readline()
            done = await carry_out(decode_command(line))
            writer.write(msgspec.json.encode(done) + b"\n")
            await writer.drain()

    path.unlink(missing_ok=True)
    try:
        server = await asyncio.start_unix_server(answer, path, limit=LINE_BYTES_MAX)
    except OSError as error:
        log.warning("no door for `croupier staff` at %s: %s", path, error)
        yield
        return
    path.chmod(0o600)
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


async def send_admin_command(folder: Path, order: AnyAdminCommand) -> AdminResult | None:
    """What an open house did; None when none has its door there."""
    try:
        reader, writer = await asyncio.open_unix_connection(socket_path(folder))
    except OSError:
        return None
    writer.write(msgspec.json.encode(order) + b"\n")
    answer = await reader.readline()
    writer.close()
    return decode_result(answer) if answer else None
