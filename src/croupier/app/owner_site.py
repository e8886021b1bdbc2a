"""The HTTP site of a node that only runs live tables: the back office, and no pages for players."""

from litestar.types import ASGIApp, Receive, Scope, Send

FOR_STAFF = ("/staff", "/assets/", "/api/staff", "/api/server", "/api/tables")
"""Prefixes of the paths that the back office uses."""
NOT_HERE = b"This node runs live tables. Players' pages are on the gateways.\n"
HEADERS = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(NOT_HERE))]


def staff_only(site: ASGIApp) -> ASGIApp:
    """Answer 404 for every path that isn't part of the back office."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if _is_for_staff(scope["path"]):
            await site(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 404, "headers": HEADERS})
        await send({"type": "http.response.body", "body": NOT_HERE, "more_body": False})

    return app


def _is_for_staff(path: str) -> bool:
    is_file = path.count("/") == 1 and "." in path
    return is_file or path.startswith(FOR_STAFF)
