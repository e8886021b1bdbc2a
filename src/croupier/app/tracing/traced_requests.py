"""Spans of HTTP requests."""

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from croupier import tracing

SERVER_ERROR = 500


def traced_requests(app: ASGIApp) -> ASGIApp:
    """Record a span for each request. It is named after its route, since a path may contain a token."""

    async def traced(scope: Scope, receive: Receive, send: Send) -> None:
        if not tracing.is_on():
            await app(scope, receive, send)
            return
        method, route = str(scope.get("method")), str(scope.get("path_template"))
        named = {"http.request.method": method, "http.route": route}
        with tracing.span(f"{method} {route}", named) as span:

            async def noting_status(message: Message) -> None:
                if message["type"] == "http.response.start":
                    status = message["status"]
                    span.note({"http.response.status_code": status}, failed=status >= SERVER_ERROR)
                await send(message)

            await app(scope, receive, noting_status)

    return traced
