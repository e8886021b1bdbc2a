"""A TCP link to a server that can be cut and restored, while others reach the server directly."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

CHUNK_BYTES = 65_536


class CutLink:
    """Passes connections to its `port` on to another port of this machine."""

    def __init__(self, to_port: int) -> None:
        self.port = 0
        self._to_port = to_port
        self._is_cut = False
        self._writers = set[asyncio.StreamWriter]()

    def cut(self) -> None:
        """Lose all bytes from now on, without closing the connections that are open."""
        self._is_cut = True

    def restore(self) -> None:
        """Close what is open, and pass new connections on."""
        self._is_cut = False
        for writer in tuple(self._writers):
            writer.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._to_port)
        self._writers |= {writer, there_writer}
        with suppress(OSError):
            await asyncio.gather(self._carry(reader, there_writer), self._carry(there_reader, writer))
        self._writers -= {writer, there_writer}

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await reader.read(CHUNK_BYTES):
            if not self._is_cut:
                writer.write(chunk)
        writer.close()


@asynccontextmanager
async def cut_link(to_port: int) -> AsyncIterator[CutLink]:
    link = CutLink(to_port)
    server = await asyncio.start_server(link.serve, "127.0.0.1", 0)
    link.port = server.sockets[0].getsockname()[1]
    try:
        yield link
    finally:
        server.close()
        link.restore()
