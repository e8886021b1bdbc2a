"""Starlette on uvicorn: echoes each text, and broadcasts a text that begins with t, with b in its place."""

import json
import socket

import uvicorn
from starlette.applications import Starlette  # type: ignore[import-not-found]
from starlette.routing import WebSocketRoute  # type: ignore[import-not-found]
from starlette.websockets import WebSocket, WebSocketDisconnect  # type: ignore[import-not-found]

here: set[WebSocket] = set()


async def table(websocket: WebSocket) -> None:
    await websocket.accept()
    here.add(websocket)
    try:
        while True:
            text = await websocket.receive_text()
            if text[0] == "t":
                for one in tuple(here):
                    await one.send_text("b" + text[1:])
            else:
                await websocket.send_text(text)
    except WebSocketDisconnect:
        here.discard(websocket)


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
