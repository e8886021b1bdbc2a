"""Admin socket of a running server: one command per connection, one line of JSON each way."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

from croupier.protocol.encoding import encode
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
"""Time limit for a command, since an idle client would keep a file descriptor."""

Execute = Callable[[AnyAdminCommand], Awaitable[AdminResult]]


@asynccontextmanager
async def serve_admin_socket(folder: Path, execute: Execute) -> AsyncIterator[None]:
    """Serve the admin socket until the context exits.

    If the folder's path is too long for a socket, there is none, and staff can only be managed while the
    server is stopped.
    """
    path = socket_path(folder)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer), suppress(ConnectionError, TimeoutError, ValueError):
            async with asyncio.timeout(COMMAND_TIMEOUT_S):
                line = await reader.readline()
            result = await execute(decode_command(line))
            writer.write(encode(result) + b"\n")
            await writer.drain()

    path.unlink(missing_ok=True)
    try:
        server = await asyncio.start_unix_server(answer, path, limit=LINE_BYTES_MAX)
    except OSError as error:
        log.warning("no admin socket for `croupier staff` at %s: %s", path, error)
        yield
        return
    path.chmod(0o600)
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


async def send_admin_command(folder: Path, command: AnyAdminCommand) -> AdminResult | None:
    """Send a command to a running server and return its result; None if no server runs."""
    try:
        reader, writer = await asyncio.open_unix_connection(socket_path(folder))
    except OSError:
        return None
    writer.write(encode(command) + b"\n")
    answer = await reader.readline()
    writer.close()
    return decode_result(answer) if answer else None
