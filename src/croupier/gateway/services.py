"""Objects of the server for HTTP handlers: they come with each request, so routes are made without them."""

from collections.abc import Mapping
from typing import Any

from litestar.di import Provide
from litestar.types import ASGIApp, Receive, Scope, Send

_KEY = "croupier_services"


def services_of(scope: Any) -> Mapping[str, Any]:
    """Return the objects that came with a request, by name."""
    services: Mapping[str, Any] = scope[_KEY]
    return services


def service(name: str) -> Provide:
    """Return a dependency: the object of that name."""

    def named(scope: Scope) -> Any:
        return services_of(scope)[name]

    return Provide(named, sync_to_thread=False)


def with_services(site: ASGIApp, services: Mapping[str, object]) -> ASGIApp:
    """Add the objects to each request to `site`."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        with_them: Any = {**scope, _KEY: services}
        await site(with_them, receive, send)

    return app
