"""The documents are valid, complete and served."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from openapi_spec_validator import validate

from croupier.app.documents.asyncapi import PLAYERS, STAFF, WebSocketApi, asyncapi
from croupier.app.documents.openapi import PLAYERS as PLAYERS_HTTP
from croupier.app.documents.openapi import STAFF as STAFF_HTTP
from croupier.app.documents.openapi import UNAUTHORIZED, HttpApi, openapi
from croupier.app.documents.page import markdown
from croupier.app.documents.paths import PATHS
from croupier.app.documents.routes import DOCUMENTS
from croupier.app.documents.schemas import meanings
from croupier.app.documents.session import worked_session
from croupier.games import games
from croupier.protocol import staff_wire, wire
from croupier.protocol.refusals import codes_for
from tests.app.documents.json_schema import errors, resolved
from tests.support.browser_connection import Browser
from tests.support.server_process import ServerProcess
from tools.protocol_pages import FILES, pages

pytestmark = pytest.mark.anyio

ASYNCAPI = json.loads((Path(__file__).parent / "asyncapi-3.0.0.json").read_text())
SOCKETS = pytest.mark.parametrize("socket", [PLAYERS, STAFF], ids=["player", "staff"])
SERVICES = pytest.mark.parametrize("service", [PLAYERS_HTTP, STAFF_HTTP], ids=["player", "staff"])
UNIONS = {PLAYERS: (wire.Command, wire.Message), STAFF: (staff_wire.Command, staff_wire.Message)}


def _plain(document: Any) -> Any:
    return json.loads(json.dumps(document))


def _references(of: Any) -> Iterator[str]:
    match of:
        case {"$ref": str(reference)}:
            yield reference
        case dict():
            yield from (found for each in of.values() for found in _references(each))
        case list():
            yield from (found for each in of for found in _references(each))


@SOCKETS
def test_the_asyncapi_document_is_valid(socket: WebSocketApi) -> None:
    assert errors(_plain(asyncapi(socket)), ASYNCAPI, ASYNCAPI) == []


def test_a_document_that_is_wrong_is_found() -> None:
    wrong = _plain(asyncapi(PLAYERS))
    wrong["operations"]["receive_hello"]["action"] = "take"
    assert errors(wrong, ASYNCAPI, ASYNCAPI)


@SOCKETS
def test_every_reference_of_the_asyncapi_document_resolves(socket: WebSocketApi) -> None:
    document = _plain(asyncapi(socket))
    assert [resolved(reference, document) for reference in _references(document)]


@SERVICES
def test_every_reference_of_the_openapi_document_resolves(service: HttpApi) -> None:
    document = _plain(openapi(service))
    assert [resolved(reference, document) for reference in _references(document)]


@SERVICES
def test_the_openapi_document_is_valid(service: HttpApi) -> None:
    validate(_plain(openapi(service)))


@SERVICES
def test_every_operation_is_described(service: HttpApi) -> None:
    document = openapi(service)
    operations = [each for item in document["paths"].values() for each in item.values()]
    assert len({each["operationId"] for each in operations}) == len(operations) == len(service.handlers)
    for each in operations:
        assert re.fullmatch(r"[A-Z].+", each["summary"])
        assert each["description"]
        assert all(parameter["description"] for parameter in each.get("parameters", ()))
        begins = each["operationId"] in UNAUTHORIZED
        assert ("401" in each["responses"]) == (begins or bool(each["security"]))
        errors_ = [one for status, one in each["responses"].items() if int(status) >= 400]
        contents = [resolved(one["$ref"], document)["content"] for one in errors_]
        assert {one["application/json"]["schema"]["$ref"] for one in contents} == {
            "#/components/schemas/Problem"
        }


@SERVICES
def test_every_example_fits_its_schema(service: HttpApi) -> None:
    document = _plain(openapi(service))
    for content in _contents(document):
        if "example" in content:
            assert errors(content["example"], content["schema"], document) == [], content["example"]


def _contents(of: Any) -> Iterator[Any]:
    match of:
        case {"application/json": content}:
            yield content
        case dict():
            yield from (found for each in of.values() for found in _contents(each))


@SOCKETS
def test_every_command_and_message_is_in_the_document(socket: WebSocketApi) -> None:
    commands, messages = UNIONS[socket]
    tags = {each.__struct_config__.tag for each in (*get_args(commands), *get_args(messages))}
    document = asyncapi(socket)
    assert set(document["components"]["messages"]) == tags == set(document["channels"]["socket"]["messages"])


def test_the_view_of_every_game_is_in_the_document() -> None:
    view = asyncapi(PLAYERS)["components"]["schemas"]["PlayedRound"]["properties"]["view"]
    named = {part["$ref"].rpartition("/")[2] for part in view["anyOf"]}
    assert named == {game.view.__name__ for game in games().values()}


@SOCKETS
def test_every_refusal_is_in_the_document_and_on_the_page(socket: WebSocketApi) -> None:
    codes = codes_for(socket.audience)
    schema = asyncapi(socket)["components"]["schemas"]["No"]
    assert [one["properties"]["code"]["const"] for one in schema["oneOf"]] == list(codes)
    page = markdown(socket.audience)
    assert all(f"| `{code}` |" in page for code in codes)


@SOCKETS
def test_every_record_and_field_is_described(socket: WebSocketApi) -> None:
    for name, schema in asyncapi(socket)["components"]["schemas"].items():
        assert schema["description"] != name, name
        missing = [field for field, of in schema["properties"].items() if not of.get("description")]
        assert missing in ([], ["t"], ["game"]), name


def test_no_field_description_is_stale() -> None:
    every = [*map(asyncapi, (PLAYERS, STAFF)), *map(openapi, (PLAYERS_HTTP, STAFF_HTTP))]
    schemas = [pair for document in every for pair in document["components"]["schemas"].items()]
    known = {(name, field) for name, schema in schemas for field in schema["properties"]}
    known |= {("fields", field) for _, field in known}
    described = {(name, field) for name, fields in meanings().items() for field in fields}
    assert described - known == set()


@SOCKETS
def test_the_recorded_session_fits_the_schemas(socket: WebSocketApi) -> None:
    document = _plain(asyncapi(socket))
    spoken = [step.message for step in worked_session(socket.audience) if step.message]
    assert len(spoken) > 10
    for message in spoken:
        payload = document["components"]["messages"][message["t"]]["payload"]
        assert errors(message, payload, document) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_committed_page_is_current(file: Path) -> None:
    assert file.read_text() == pages()[file], "run `python -m tools.protocol_pages`"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_link_of_a_page_resolves(file: Path) -> None:
    text = file.read_text()
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) - anchors == set()


async def test_the_server_has_the_documents(http_server: ServerProcess) -> None:
    async with Browser(http_server.address) as browser:
        for path, document in DOCUMENTS.items():
            assert await browser.get(path, dict[str, Any]) == _plain(document())


@pytest.mark.parametrize("audience", PATHS)
async def test_the_server_has_the_page(http_server: ServerProcess, audience: Any) -> None:
    async with Browser(http_server.address) as browser:
        answer = await browser.http.get(http_server.address + PATHS[audience])
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "<script" not in answer.text
    assert re.search(r"""(src|href)=["'](https?:)?//""", answer.text) is None
    assert '<h2 id="order">' in answer.text or audience == "staff"
