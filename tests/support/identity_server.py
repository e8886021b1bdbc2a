"""An identity server (OpenID Connect) on this machine that misbehaves on command, and a site that uses it."""

import hmac
import json
import secrets
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Literal
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import httpx
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core.grants.util import create_half_hash
from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

from croupier.protocol import wire
from tests.support.accounts import sent
from tests.support.browser_connection import Browser
from tests.support.server_process import ServerProcess

CLIENT, CLIENT_SECRET = "casino", "the identity server's secret"
CREDENTIALS = f"{CLIENT}:{CLIENT_SECRET}"
LABEL = "Example ID"
CONFIG = f"""
[oidc]
issuer = "{{issuer}}"
client_id = "{CLIENT}"
client_secret_file = "oidc.secret"
label = "{LABEL}"
timeout_s = 2
"""
SLOW_S = 3
TokenFault = Literal[
    "alg_none",
    "hs256_by_public_key",
    "foreign_signature",
    "unpublished_key",
    "garbage_token",
    "wrong_nonce",
    "no_nonce",
    "wrong_issuer",
    "wrong_audience",
    "second_audience",
    "expired",
    "issued_later",
    "no_subject",
    "long_subject",
    "number_as_subject",
    "wrong_at_hash",
    "invalid_grant",
]
"""Faults of ID tokens, and a refused code: nobody is proven to be a player."""
AnswerFault = Literal["slow", "garbage", "list", "huge", "server_error", "redirect"]
"""Faults of whole answers of the token endpoint."""


@dataclass
class IssuedCode:
    """The request that a code answers, kept until the code is exchanged."""

    query: Mapping[str, str]
    subject: str


@dataclass
class IdentityProvider:
    """The state of the identity server. `issued` has every code and token, which no log may show."""

    issuer: str = ""
    subject: str = "ada"
    claims: Mapping[str, object] = field(default_factory=dict)
    fault: TokenFault | AnswerFault | None = None
    denial: str = ""
    """Error code with which the browser is sent back."""
    metadata: Mapping[str, object] = field(default_factory=dict)
    """Changes of the discovery document."""
    keys: Mapping[str, object] | None = None
    """The published keys, if others than the present one."""
    redirect_uris: set[str] = field(default_factory=set)
    issued: list[str] = field(default_factory=lambda: [CLIENT_SECRET])
    asked: list[str] = field(default_factory=list)
    codes: dict[str, IssuedCode] = field(default_factory=dict)
    alg: str = "RS256"
    key: RSAKey | ECKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "first"}))

    def allow(self, server: ServerProcess) -> None:
        """Register the address to which the browser returns."""
        self.redirect_uris.add(f"{server.address}/oidc/callback")

    def rotate(self) -> None:
        """Replace the key that signs tokens, and publish the new one only."""
        self.key = RSAKey.generate_key(2048, {"kid": secrets.token_hex(4)})

    def discovery(self) -> dict[str, object]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "response_types_supported": ["code"],
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
            **self.metadata,
        }

    def published(self) -> Mapping[str, object]:
        unknown = {"kty": "EC", "crv": "new", "x": "AA", "y": "AA"}
        return self.keys or {"keys": [{"kty": "new"}, unknown, self.key.as_dict(private=False)]}

    def authorize(self, query: Mapping[str, str]) -> str:
        """Return where the browser goes: back, with a code or an error."""
        assert query["redirect_uri"] in self.redirect_uris, "not a registered address"
        assert query["client_id"] == CLIENT
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        assert "openid" in query["scope"].split()
        if self.denial:
            answer = {"error": self.denial, "error_description": "<b>No</b>"}
        else:
            code = self._new()
            self.codes[code] = IssuedCode(query, self.subject)
            answer = {"code": code, "iss": self.issuer}
        return f"{query['redirect_uri']}?{urlencode({**answer, 'state': query['state']})}"

    def exchange(self, authorization: str, form: Mapping[str, str]) -> tuple[int, Mapping[str, object]]:
        """Return the answer of the token endpoint, which accepts each code once."""
        basic = b64decode(authorization.removeprefix("Basic ")).decode()
        if CREDENTIALS not in (basic, f"{form.get('client_id')}:{form.get('client_secret')}"):
            return 401, {"error": "invalid_client"}
        issued = self.codes.pop(form["code"], None)
        if issued is None or self.fault == "invalid_grant" or not _proves(form, issued.query):
            return 400, {"error": "invalid_grant"}
        access_token = self._new()
        token = self._signed(self._claims(issued, access_token))
        self.issued.append(token)
        return 200, {"access_token": access_token, "token_type": "Bearer", "id_token": token}

    def _new(self) -> str:
        self.issued.append(secrets.token_urlsafe(24))
        return self.issued[-1]

    def _claims(self, issued: IssuedCode, access_token: str) -> dict[str, object]:
        now = int(time.time())
        half_hash = create_half_hash(access_token, self.alg)
        right: dict[str, object] = {
            "iss": self.issuer,
            "sub": issued.subject,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": issued.query["nonce"],
            "at_hash": half_hash.decode(),
            "auth_time": now,
            **self.claims,
        }
        wrong = WRONG_CLAIMS.get(str(self.fault), {})
        return {name: value for name, value in {**right, **wrong}.items() if value is not None}

    def _signed(self, claims: dict[str, object]) -> str:
        header = {"alg": self.alg, "kid": str(self.key.kid)}
        match self.fault:
            case "alg_none":
                return _compact({"alg": "none"}, claims, lambda _: b"")
            case "hs256_by_public_key":
                pem = self.key.as_pem(private=False)
                return _compact(
                    {**header, "alg": "HS256"}, claims, lambda text: hmac.digest(pem, text, sha256)
                )
            case "foreign_signature":
                return jwt.encode(header, claims, RSAKey.generate_key(2048))
            case "unpublished_key":
                return jwt.encode({**header, "kid": "secret"}, claims, self.key)
            case "garbage_token":
                return "a.b.c"
        return jwt.encode(header, claims, self.key)


WRONG_CLAIMS: Mapping[str, Mapping[str, object]] = {
    "wrong_nonce": {"nonce": "another"},
    "no_nonce": {"nonce": None},
    "wrong_issuer": {"iss": "https://another.example"},
    "wrong_audience": {"aud": "another", "azp": CLIENT},
    "second_audience": {"aud": [CLIENT, "another"], "azp": "another"},
    "expired": {"exp": 1_700_000_000},
    "issued_later": {"iat": 4_000_000_000},
    "no_subject": {"sub": None},
    "long_subject": {"sub": "a" * 256},
    "number_as_subject": {"sub": 7},
    "wrong_at_hash": {"at_hash": "another"},
}
"""Claims of faulty tokens; None: the claim is missing."""


def _proves(form: Mapping[str, str], query: Mapping[str, str]) -> bool:
    """Return whether a request for tokens comes from who began the sign-in (PKCE)."""
    same_page = form["redirect_uri"] == query["redirect_uri"]
    return same_page and create_s256_code_challenge(form["code_verifier"]) == query["code_challenge"]


def _compact(header: object, claims: object, sign: Callable[[bytes], bytes]) -> str:
    """Return a JSON Web Signature that the library refuses to make."""
    text = b".".join(_base64(json.dumps(part).encode()) for part in (header, claims))
    return (text + b"." + _base64(sign(text))).decode()


def _base64(raw: bytes) -> bytes:
    return urlsafe_b64encode(raw).rstrip(b"=")


class _Handler(BaseHTTPRequestHandler):
    provider: IdentityProvider

    def do_GET(self) -> None:
        path, query = urlsplit(self.path).path, dict(parse_qsl(urlsplit(self.path).query))
        self.provider.asked.append(path)
        match path:
            case "/.well-known/openid-configuration":
                self._answer(200, self.provider.discovery())
            case "/jwks":
                self._answer(200, self.provider.published())
            case "/authorize":
                self.send_response(302)
                self.send_header("Location", self.provider.authorize(query))
                self.end_headers()

    def do_POST(self) -> None:
        form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        self.provider.asked.append(self.path)
        status, answer = self.provider.exchange(self.headers["Authorization"] or "", form)
        match self.provider.fault:
            case "slow":
                time.sleep(SLOW_S)
            case "garbage":
                return self._send(200, b"<html>")
            case "list":
                return self._answer(200, [])
            case "huge":
                return self._answer(200, {**answer, "padding": "x" * 300_000})
            case "server_error":
                return self._answer(500, answer)
            case "redirect":
                return self._send(302, b"")
        self._answer(status, answer)
        return None

    def _answer(self, status: int, body: object) -> None:
        self._send(status, json.dumps(body).encode())

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def identity_provider() -> Iterator[IdentityProvider]:
    """Run an identity server in a thread."""
    provider = IdentityProvider()
    handler = type("Handler", (_Handler,), {"provider": provider})
    listening = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    provider.issuer = f"http://localhost:{listening.server_port}"  # another site than 127.0.0.1
    Thread(target=listening.serve_forever, daemon=True).start()
    yield provider
    listening.shutdown()
    listening.server_close()


@contextmanager
def oidc_server(folder: Path, provider: IdentityProvider, more: str = "") -> Iterator[ServerProcess]:
    """Yield a server whose players the identity server signs in; it stores and logs no code and no token.

    `more` follows the fields of the block.
    """
    (folder / "oidc.secret").write_text(CLIENT_SECRET)
    (folder / "server.toml").write_text(CONFIG.format(issuer=provider.issuer) + more)
    server = ServerProcess(folder / "data", options=("--config", str(folder / "server.toml"))).start()
    provider.allow(server)
    try:
        yield server
    finally:
        status = server.stop()
    assert status == 0
    log = server.log.read_text()
    assert "Traceback" not in log
    stored = b"".join(path.read_bytes() for path in (folder / "data").rglob("*") if path.is_file())
    assert [each for each in provider.issued if each in log or each.encode() in stored] == []


async def start(browser: Browser, **headers: str) -> httpx.Response:
    """Ask for the identity server's page, as a page of the site does."""
    page = {"Origin": browser.address, **headers}
    return await browser.http.post(f"{browser.address}/api/oidc/start", headers=page)


async def answer_for(browser: Browser) -> wire.IdentityServerAnswer:
    """Go to the identity server, and return what it sends back with the browser."""
    url = (await start(browser)).json()["url"]
    location = (await browser.http.get(url)).headers["Location"]
    query: Mapping[str, Any] = {
        name: values[0] for name, values in parse_qs(urlsplit(location).query).items()
    }
    return wire.IdentityServerAnswer(*(query.get(name, "") for name in ("state", "code", "error", "iss")))


async def finish(browser: Browser, answer: wire.IdentityServerAnswer) -> httpx.Response:
    return await sent(browser, "/api/oidc/finish", answer)


async def sign_in_elsewhere(browser: Browser) -> httpx.Response:
    """Sign a guest in by the identity server."""
    return await finish(browser, await answer_for(browser))
