"""Session cookies, which over HTTPS have the prefix `__Host-`."""

import re

from litestar.datastructures import Cookie

from croupier.gateway.origins import HeaderLookup

HOST_ONLY = "__Host-"
"""Browsers accept a cookie with this prefix only over HTTPS, from the host itself and for all paths."""

_is_token = re.compile(r"[A-Za-z0-9_-]{1,128}", re.ASCII).fullmatch


def session_token(header: HeaderLookup, name: str) -> str:
    """Return the token in the cookie of that name, with or without the prefix; empty if there is none.

    Sessions started before an upgrade, or over plain HTTP, have a cookie without the prefix.
    """
    parts = (part.strip().partition("=") for part in (header("Cookie") or "").split(";"))
    values = {key: value for key, _, value in parts}
    token = values.get(HOST_ONLY + name) or values.get(name, "")
    return token if _is_token(token) else ""


def session_cookie(name: str, token: str, scheme: str, max_age: int | None = None) -> Cookie:
    """Return the cookie with a session's token."""
    secure = scheme == "https"
    key = HOST_ONLY + name if secure else name
    return Cookie(key, value=token, httponly=True, samesite="strict", max_age=max_age, secure=secure)


def expired_cookies(name: str, scheme: str) -> list[Cookie]:
    """Return the cookies that delete a session from the browser."""
    plain = Cookie(name, value="", max_age=0, httponly=True, samesite="strict")
    return [plain, session_cookie(name, "", scheme, max_age=0)] if scheme == "https" else [plain]
