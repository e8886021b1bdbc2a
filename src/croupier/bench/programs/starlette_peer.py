"""Starlette on uvicorn: answers each text with itself; a text that begins with t goes to everybody, as b."""

import json
import socket

import uvicorn
from starlette.applications import Starlette  # type: ignore[import-not-found]
from starlette.routing import WebSocketRoute  # type: ignore[import-not-found]
from starlette.websockets import WebSocket, WebSocketDisconnect  # type: ignore[import-not-found]

here: set[WebSocket] = set()


async def table(visitor: WebSocket) -> None:
    await visitor.accept()
    here.add(visitor)
    try:
        while True:
            text = await visitor.receive_text()
            if text[0] == "t":
                for one in tuple(here):
                    await one.send_text("b" + text[1:])
            else:
                await visitor.send_text(text)
    except WebSocketDisconnect:
        here.discard(visitor)


if __name__ == "__main__":
    listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
    print(json.dumps({"port": listening.getsockname()[1], "paths": ["/"]}), flush=True)
    uvicorn.Server(
        uvicorn.Config(
            Starlette(routes=[WebSocketRoute("/", table)]),
            http="httptools",
            loop="uvloop",
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            ws_ping_interval=None,
            log_level="warning",
        )
    ).run(sockets=[listening])
