"""AsyncAPI documents of the player and staff WebSockets."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args

from msgspec import Struct

import croupier
from croupier.app.documents.schemas import Schema, components, session_scheme, with_refusals
from croupier.app.documents.session import examples
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.protocol import staff_wire, wire
from croupier.protocol.refusals import Audience
from croupier.staff.sign_in_api import STAFF_COOKIE

MESSAGES = "#/components/messages"


@dataclass(frozen=True, slots=True, eq=False)
class WebSocketApi:
    """One of the two WebSocket protocols."""

    audience: Audience
    title: str
    address: str
    commands: Mapping[str, type[Struct]]
    messages: Mapping[str, type[Struct]]
    cookie: str
    protocol: int


def _by_tag(union: Any) -> dict[str, type[Struct]]:
    return {each.__struct_config__.tag: each for each in get_args(union)}


PLAYERS = WebSocketApi(
    "player",
    "croupier player WebSocket",
    "/ws",
    _by_tag(wire.Command),
    _by_tag(wire.Message),
    PLAYER_COOKIE,
    wire.PROTOCOL,
)
STAFF = WebSocketApi(
    "staff",
    "croupier staff WebSocket",
    "/ws/staff",
    _by_tag(staff_wire.Command),
    _by_tag(staff_wire.Message),
    STAFF_COOKIE,
    staff_wire.PROTOCOL,
)
REPLIES: Mapping[str, tuple[str, ...]] = {
    "hello": ("welcome", "upgrade", "no", "signed_out"),
    "ping": ("pong",),
}
"""Possible answers to commands without `req`; all others are answered by `ok` or `no`."""


@cache
def asyncapi(socket: WebSocketApi) -> dict[str, Any]:
    """Return the AsyncAPI 3.0 document of a WebSocket."""
    everything = {**socket.commands, **socket.messages}
    return {
        "asyncapi": "3.0.0",
        "id": f"urn:croupier:{socket.audience}",
        "info": _info(socket),
        "defaultContentType": "application/json",
        "servers": {"socket": _server()},
        "channels": {"socket": _channel(socket, everything)},
        "operations": {**_received(socket), **_sent(socket)},
        "components": {
            "messages": {tag: _message(socket, tag, record) for tag, record in everything.items()},
            "schemas": _schemas(socket, everything),
            "securitySchemes": {"session": session_scheme("httpApiKey", socket.cookie)},
        },
    }


def _info(socket: WebSocketApi) -> Schema:
    return {
        "title": socket.title,
        "version": f"{croupier.__version__}, protocol {socket.protocol}",
        "description": "Every message is one JSON object in one text frame; `t` names it. The page "
        "`/docs/protocol` describes the order of messages, resuming and limits.",
        "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
    }


def _server() -> Schema:
    return {
        "host": "localhost:8001",
        "protocol": "ws",
        "description": "`GET /api/server` has the address in `socket`; if that is empty, use the same host "
        "at `socket_port`. Behind a proxy that terminates TLS, use `wss`.",
        "security": [{"$ref": "#/components/securitySchemes/session"}],
    }


def _channel(socket: WebSocketApi, everything: Mapping[str, type[Struct]]) -> Schema:
    headers = {
        "type": "object",
        "properties": {
            "Origin": {
                "type": "string",
                "description": "Origin of the page; others are refused with 403.",
            },
            "Cookie": {"type": "string", "description": f"Session cookie: `{socket.cookie}=...`."},
        },
        "required": ["Origin", "Cookie"],
    }
    return {
        "address": socket.address,
        "description": "One connection for all tables of a client.",
        "servers": [{"$ref": "#/servers/socket"}],
        "messages": {tag: {"$ref": f"{MESSAGES}/{tag}"} for tag in everything},
        "bindings": {"ws": {"method": "GET", "headers": headers, "bindingVersion": "0.1.0"}},
    }


def _received(socket: WebSocketApi) -> dict[str, Schema]:
    """Return an operation for each command."""
    return {
        f"receive_{tag}": {
            "action": "receive",
            "channel": {"$ref": "#/channels/socket"},
            "summary": _first_sentence(record),
            "messages": [_on_channel(tag)],
            "reply": {
                "channel": {"$ref": "#/channels/socket"},
                "messages": [_on_channel(reply) for reply in replies(socket, tag)],
            },
        }
        for tag, record in socket.commands.items()
    }


def replies(socket: WebSocketApi, tag: str) -> tuple[str, ...]:
    """Return the messages that may answer a command."""
    return tuple(reply for reply in REPLIES.get(tag, ("ok", "no")) if reply in socket.messages)


def _sent(socket: WebSocketApi) -> dict[str, Schema]:
    """Return an operation for each message that isn't only an answer."""
    answers = {"ok", "pong", "welcome"}
    return {
        f"send_{tag}": {
            "action": "send",
            "channel": {"$ref": "#/channels/socket"},
            "summary": _first_sentence(record),
            "messages": [_on_channel(tag)],
        }
        for tag, record in socket.messages.items()
        if tag not in answers
    }


def _on_channel(tag: str) -> Schema:
    return {"$ref": f"#/channels/socket/messages/{tag}"}


def _message(socket: WebSocketApi, tag: str, record: type[Struct]) -> Schema:
    found = examples(socket.audience).get(tag, ())
    return {
        "name": tag,
        "title": record.__name__,
        "summary": _first_sentence(record),
        "contentType": "application/json",
        "payload": {"$ref": f"#/components/schemas/{record.__name__}"},
        **({"examples": [{"payload": payload} for payload in found]} if found else {}),
    }


def _first_sentence(record: type[Struct]) -> str:
    text = " ".join((record.__doc__ or "").split())
    return text.partition(". ")[0].rstrip(".") + "."


def _schemas(socket: WebSocketApi, everything: Mapping[str, type[Struct]]) -> dict[str, Schema]:
    """Return the schemas without OpenAPI's discriminator, which AsyncAPI defines differently."""
    found = components(everything.values())
    found["No"] = with_refusals(found["No"], socket.audience)
    return {name: _without(schema, "discriminator") for name, schema in found.items()}


def _without(schema: Any, key: str) -> Any:
    match schema:
        case dict():
            return {name: _without(value, key) for name, value in schema.items() if name != key}
        case list():
            return [_without(value, key) for value in schema]
        case _:
            return schema
