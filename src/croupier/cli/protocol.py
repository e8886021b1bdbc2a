"""`protocol`: the description of the server's protocols."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
import typer


class Format(StrEnum):
    """Formats of the description."""

    markdown = "markdown"
    asyncapi = "asyncapi"
    openapi = "openapi"


def protocol(
    form: Annotated[
        Format,
        typer.Option("--format", help="A page to read, or the WebSocket's or the HTTP API's description."),
    ] = Format.markdown,
    staff: Annotated[
        bool, typer.Option("--staff", help="The staff's protocol instead of the players'.")
    ] = False,
    output: Annotated[Path | None, typer.Option(help="The file to write; without it, the terminal.")] = None,
) -> None:
    """Print the description of the protocol, generated from the server's types.

    A running server serves the same at /docs/protocol, /api/asyncapi.json and /api/openapi.json.

    Example: `croupier protocol --format asyncapi --output asyncapi.json`
    """
    text = _written(form, staff=staff)
    if output is None:
        typer.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")


def _written(form: Format, *, staff: bool) -> str:
    from croupier.app.documents.asyncapi import asyncapi
    from croupier.app.documents.openapi import openapi
    from croupier.app.documents.page import HTTP_APIS, WEBSOCKET_APIS, markdown

    audience = "staff" if staff else "player"
    match form:
        case Format.asyncapi:
            return _indented(asyncapi(WEBSOCKET_APIS[audience]))
        case Format.openapi:
            return _indented(openapi(HTTP_APIS[audience]))
        case _:
            return markdown(audience)


def _indented(document: object) -> str:
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"
