"""Reference pages of the protocols: Markdown for terminals and the repository, HTML for browsers."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from croupier.app.documents import asyncapi as sockets
from croupier.app.documents import openapi as services
from croupier.app.documents.limits import LIMITS
from croupier.app.documents.paths import PATHS
from croupier.app.documents.schemas import Schema
from croupier.app.documents.session import SessionStep, worked_session
from croupier.app.documents.text import arguments, compact, type_text
from croupier.protocol.refusals import Audience, codes_for
from croupier.staff.rights import RIGHTS

_FOLDER = files(__package__)
# The conversion from Markdown to HTML escapes the text.
_TEXTS = Environment(  # noqa: S701
    loader=FunctionLoader(lambda name: (_FOLDER / name).read_text(encoding="utf-8")),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PAGES = Environment(loader=_TEXTS.loader, undefined=StrictUndefined, autoescape=True)
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
WEBSOCKET_APIS = {"player": sockets.PLAYERS, "staff": sockets.STAFF}
HTTP_APIS = {"player": services.PLAYERS, "staff": services.STAFF}


class ReferenceEntry(NamedTuple):
    """A command, a message or a record of the protocol."""

    tag: str
    name: str
    about: str
    replies: tuple[str, ...]
    schema: Schema


class Operation(NamedTuple):
    """An operation of the HTTP API."""

    method: str
    path: str
    about: str
    secured: bool
    fields: tuple[tuple[str, str, str], ...]
    """Name, type and meaning of the parameters and the body."""
    answer: str
    statuses: tuple[str, ...]


@cache
def markdown(audience: Audience, player_page: str = "", staff_page: str = "") -> str:
    """Return a page as Markdown; the addresses are for the links between the pages."""
    pages = {"player": player_page or PATHS["player"], "staff": staff_page or PATHS["staff"]}
    socket = WEBSOCKET_APIS[audience]
    document = sockets.asyncapi(socket)
    filled = _TEXTS.get_template(f"{audience}.md").render(
        **LIMITS,
        cookie=socket.cookie,
        address=socket.address,
        protocol=socket.protocol,
        asyncapi_path=f"{HTTP_APIS[audience].prefix}/asyncapi.json",
        openapi_path=f"{HTTP_APIS[audience].prefix}/openapi.json",
        other_page=pages["staff" if audience == "player" else "player"],
        commands=[_section(document, socket, tag) for tag in socket.commands],
        messages=[_section(document, socket, tag) for tag in socket.messages],
        records=list(_records(document, audience)),
        refusals=codes_for(audience),
        requests=list(_requests(audience)),
        errors=services.ERRORS,
        rights={command.__struct_config__.tag: roles for command, roles in RIGHTS.items()},
        dialogue=[_step_text(step) for step in worked_session(audience)],
        fields=_fields,
        arguments=arguments,
        parameters=_parameters,
    )
    return re.sub(r"\n{3,}", "\n\n", filled).strip() + "\n"


@cache
def html(audience: Audience) -> str:
    """Return a page as self-contained HTML without scripts and images."""
    tokens = _MARKDOWN.parse(markdown(audience))
    headings = list(_headings(tokens))
    for anchor, _, token in headings:
        token.attrSet("id", anchor)
    return _PAGES.get_template("page.html").render(
        title=headings[0][1],
        contents=[(anchor, text) for anchor, text, token in headings if token.tag == "h2"],
        body=Markup(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})),  # noqa: S704
    )


def _headings(tokens: list[Token]) -> Iterator[tuple[str, str, Token]]:
    """Yield the anchor (as on GitHub), text and token of each heading."""
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            text = tokens[at + 1].content.replace("`", "")
            yield re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-"), text, token


def _section(document: Schema, socket: sockets.WebSocketApi, tag: str) -> ReferenceEntry:
    name = document["components"]["messages"][tag]["title"]
    schema = document["components"]["schemas"][name]
    replies = tuple(f"`{reply}`" for reply in sockets.replies(socket, tag)) if tag in socket.commands else ()
    return ReferenceEntry(tag, name, schema["description"], replies, schema)


def _records(document: Schema, audience: Audience) -> Iterator[ReferenceEntry]:
    """Yield the types that messages and HTTP bodies consist of."""
    whole = {each["title"] for each in document["components"]["messages"].values()}
    http = services.openapi(HTTP_APIS[audience])["components"]["schemas"]
    for name, schema in sorted((http | document["components"]["schemas"]).items()):
        if name not in whole:
            yield ReferenceEntry("", name, schema["description"], (), schema)


def _requests(audience: Audience) -> Iterator[Operation]:
    for path, item in services.openapi(HTTP_APIS[audience])["paths"].items():
        for method, operation in item.items():
            yield _request(method.upper(), path, operation)


def _request(method: str, path: str, operation: Schema) -> Operation:
    fields = [
        (f"`{each['name']}`", type_text(each["schema"]).removesuffix(" or null"), each["description"])
        for each in operation.get("parameters", ())
    ]
    if body := operation.get("requestBody"):
        fields.append(("body", type_text(_content(body)), "In JSON."))
    (success,) = (one for status, one in operation["responses"].items() if status.startswith("2"))
    return Operation(
        method,
        path,
        operation["description"],
        bool(operation["security"]),
        tuple(fields),
        type_text(_content(success)) if "content" in success else "nothing",
        tuple(status for status in operation["responses"] if not status.startswith("2")),
    )


def _content(body: Schema) -> Schema:
    schema: Schema = body["content"]["application/json"]["schema"]
    return schema


def _parameters(request: Operation) -> str:
    rows = [f"| {' | '.join(field)} |" for field in request.fields]
    return "\n".join(["| parameter | type | meaning |", "|---|---|---|", *rows, ""]) if rows else ""


def _fields(section: ReferenceEntry) -> str:
    """Return the table of a record's fields, except `t`, which is in the heading."""
    schema = section.schema
    rows = [
        f"| `{name}`{'' if name in schema.get('required', ()) else ' (optional)'} | {type_text(field)} | "
        f"{' '.join(field.get('description', '').split())} |"
        for name, field in schema["properties"].items()
        if not (name == "t" and section.tag)
    ]
    return "\n".join(["| field | type | meaning |", "|---|---|---|", *rows, ""]) if rows else ""


def _step_text(step: SessionStep) -> str:
    """Format a step of the worked session."""
    match step:
        case SessionStep(by="note"):
            return f"### {step.heading}\n\n{step.text}" if step.heading else step.text
        case SessionStep(by="http"):
            sent = f"\n> {compact(step.sent)}" if step.sent is not None else ""
            return f"```\n> {step.request}{sent}\n< {step.status}\n< {compact(step.body)}\n```"
        case _:
            mark = ">" if step.by == "client" else "<"
            return f"```\n{mark} {compact(step.message)}\n```"
