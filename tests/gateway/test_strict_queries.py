"""Unknown query parameters are refused by every route of players and staff, and named."""

import pytest
from litestar.routes import HTTPRoute

from croupier.app.site import routed_site
from croupier.gateway.strict_queries import only_known_parameters
from tests.support.browser_connection import Browser, connect_guest
from tests.support.server_process import ServerProcess

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning"),
]


def test_every_route_of_the_api_refuses_unknown_parameters() -> None:
    routes = [route for route in routed_site().routes if isinstance(route, HTTPRoute)]
    api = [route for route in routes if route.path.startswith("/api/")]
    assert len(api) > 100
    for route in api:
        for handler in route.route_handlers:
            guards = [getattr(guard, "func", guard) for guard in handler.resolve_guards()]
            assert only_known_parameters in guards or "OPTIONS" in handler.http_methods, route.path


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/api/history?limt=5", "limt"),
        ("/api/history?limit=5&currency=EUR", "currency"),
        ("/api/statement.csv?from=0", "from"),
        ("/api/tables/classic/rules?n=5", "n"),
        ("/api/tables/classic/results?table=classic", "table"),
        ("/api/server?", ""),
        ("/api/server?a", "a"),
        ("/api/staff/log?player_id=x", "player_id"),
        ("/api/openapi.json?version=1", "version"),
        (f"/api/me?{'x' * 300}=1", "x" * 40),
    ],
)
async def test_an_unknown_parameter_is_refused_by_name(
    http_server: ServerProcess, path: str, name: str
) -> None:
    async with connect_guest(http_server.address) as browser:
        answer = await browser.http.get(http_server.address + path)
    if name:
        assert answer.status_code == 400
        assert answer.json() == {"code": "malformed", "args": {"why": f"no such parameter: {name}"}}
    else:
        assert answer.status_code == 200


async def test_an_unknown_parameter_of_a_change_changes_nothing(http_server: ServerProcess) -> None:
    async with Browser(http_server.address) as browser:
        answer = await browser.http.post(f"{http_server.address}/api/guest?name=Ada")
        assert answer.status_code == 400
        assert not browser.http.cookies


@pytest.mark.parametrize(
    "path",
    ["/api/history?limit=5&table=classic", "/api/history.csv?game=Roulette", "/api/totals?bounds=1&bounds=2"],
)
async def test_known_parameters_are_accepted(http_server: ServerProcess, path: str) -> None:
    async with connect_guest(http_server.address) as browser:
        assert (await browser.http.get(http_server.address + path)).status_code == 200


@pytest.mark.parametrize("path", ["/?utm_source=mail", "/oidc?code=1&state=2", "/table/classic?from=ad"])
async def test_addresses_of_pages_may_have_any_parameters(http_server: ServerProcess, path: str) -> None:
    async with Browser(http_server.address) as browser:
        assert (await browser.http.get(http_server.address + path)).status_code == 200
