"""The client of an identity server: its caches, and its checks of documents, keys and tokens."""

import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from http.server import HTTPServer
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qsl, urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OctKey

from croupier import clock
from croupier.accounts.identity import Identity
from croupier.config.oidc import ConfiguredOidc, OidcConfig
from croupier.outside.no_answer import NoAnswer
from croupier.outside.systems import OutsideSystem
from croupier.players.oidc.errors import WrongToken
from croupier.players.oidc.id_token import TokenCheck, verified_player
from croupier.players.oidc.identity_server import CACHED_MS, IdentityServer
from croupier.players.oidc.sign_in_attempt import SignInAttempt
from croupier.protocol.signatures import Secret
from tests.dealing.waiting_round import clock_at
from tests.support.identity_server import CLIENT, CLIENT_SECRET, IdentityProvider, identity_provider

pytestmark = pytest.mark.anyio

BACK = "https://casino.example/oidc/callback"
MAX_AGE_S = 900


@pytest.fixture(scope="module")
def running() -> Iterator[IdentityProvider]:
    with identity_provider() as provider:
        provider.redirect_uris.add(BACK)
        yield provider


@pytest.fixture
def provider(running: IdentityProvider) -> Iterator[IdentityProvider]:
    yield running
    running.claims, running.metadata, running.keys, running.fault = {}, {}, None, None
    running.asked.clear()


@asynccontextmanager
async def client_of(
    issuer: str, max_age_s: int = 0, secret: bytes = CLIENT_SECRET.encode()
) -> AsyncIterator[IdentityServer]:
    config = OidcConfig(issuer, CLIENT, timeout_s=2, scopes=("openid", "profile"))
    server = IdentityServer(ConfiguredOidc(config, Secret(secret)), max_age_s, OutsideSystem("identity"))
    yield server
    await server.close()


async def page_of(server: IdentityServer, attempt: SignInAttempt) -> Mapping[str, str]:
    """Return the parameters that the browser takes to the identity server."""
    return dict(parse_qsl(urlsplit(await server.sign_in_url("state", attempt)).query))


async def identity_of(server: IdentityServer, provider: IdentityProvider) -> Identity:
    """Sign in, and return the identity."""
    attempt = SignInAttempt("browser", BACK)
    back = provider.authorize(await page_of(server, attempt))
    code = dict(parse_qsl(urlsplit(back).query))["code"]
    return (await server.player(code, attempt)).identity


async def test_the_page_gets_the_challenge_and_not_the_verifier(provider: IdentityProvider) -> None:
    attempt = SignInAttempt("browser", BACK)
    async with client_of(provider.issuer) as server:
        page = await page_of(server, attempt)
    assert page["scope"] == "openid profile"
    assert (page["nonce"], page["state"]) == (attempt.nonce, "state")
    assert "max_age" not in page
    assert attempt.verifier not in str(page)
    assert attempt.verifier not in repr(attempt)


async def test_documents_are_fetched_once_an_hour(provider: IdentityProvider) -> None:
    async with client_of(provider.issuer) as server:
        fetched_ms = clock.now_ms()
        for later_ms, times in ((0, 1), (CACHED_MS // 2, 1), (2 * CACHED_MS, 2)):
            with clock_at(fetched_ms + later_ms):
                await page_of(server, SignInAttempt("browser", BACK))
            assert provider.asked.count("/jwks") == times


async def test_another_key_and_algorithm_that_the_document_names_are_accepted(
    provider: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "key", ECKey.generate_key("P-256", {"kid": "curve"}))
    monkeypatch.setattr(provider, "alg", "ES256")
    provider.metadata = {"id_token_signing_alg_values_supported": ["RS256", "ES256"]}
    async with client_of(provider.issuer) as server:
        assert await identity_of(server, provider) == Identity("oidc", f"{provider.issuer} ada")


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post", "private_key_jwt"])
async def test_the_secret_is_sent_as_the_document_says(provider: IdentityProvider, method: str) -> None:
    """OpenID Connect Core 1.0, 9. Where neither way is named, the usual one is tried."""
    provider.metadata = {"token_endpoint_auth_methods_supported": [method]}
    async with client_of(provider.issuer) as server:
        await identity_of(server, provider)


async def test_a_wrong_secret_is_refused(provider: IdentityProvider) -> None:
    async with client_of(provider.issuer, secret=b"another secret") as server:
        with pytest.raises(WrongToken, match="invalid_client"):
            await identity_of(server, provider)


@pytest.mark.parametrize("algorithms", [["HS256"], ["none"], [], ["ES256"]])
async def test_an_algorithm_that_is_not_offered_or_not_safe_is_refused(
    provider: IdentityProvider, algorithms: list[str]
) -> None:
    provider.metadata = {"id_token_signing_alg_values_supported": algorithms}
    async with client_of(provider.issuer) as server:
        with pytest.raises(WrongToken):
            await identity_of(server, provider)


def test_a_shared_key_signs_no_token() -> None:
    """Whoever can check a signature by a shared key could also have made it."""
    key = OctKey.import_key(b"k" * 32, {"kid": "first"})
    token = jwt.encode({"alg": "HS256", "kid": "first"}, {"sub": "ada"}, key)
    check = TokenCheck(("HS256", "RS256"), "", "", 0, 0)
    with pytest.raises(WrongToken, match="UnsupportedAlgorithmError"):
        verified_player(token, KeySet([key]), check, OidcConfig("https://id.example", CLIENT))


@pytest.mark.parametrize(
    "changed",
    [
        {"issuer": "https://another.example"},
        {"token_endpoint": "http://another.example/token"},
        {"jwks_uri": "file:///etc/passwd"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"token_endpoint": None},
        {"id_token_signing_alg_values_supported": "RS256"},
    ],
)
async def test_a_discovery_document_that_is_not_right_is_refused(
    provider: IdentityProvider, changed: Mapping[str, object]
) -> None:
    provider.metadata = changed
    async with client_of(provider.issuer) as server:
        with pytest.raises(NoAnswer):
            await identity_of(server, provider)


@pytest.mark.parametrize(
    "keys", [{}, {"keys": 1}, {"keys": [1]}, {"keys": [{"kty": "RSA", "n": "?", "e": 1}]}, {"keys": [{}]}]
)
async def test_malformed_keys_are_refused(provider: IdentityProvider, keys: Mapping[str, object]) -> None:
    provider.keys = keys or {"other": 1}
    async with client_of(provider.issuer) as server:
        with pytest.raises(NoAnswer):
            await identity_of(server, provider)


@pytest.mark.parametrize(
    ("claims", "accepted"), [({}, True), ({"auth_time": 1}, False), ({"auth_time": None}, False)]
)
async def test_where_players_sign_in_again_they_also_do_so_there(
    provider: IdentityProvider, claims: Mapping[str, object], accepted: bool
) -> None:
    """GLI-19 2.5.4: a session at the identity server alone doesn't end the wait."""
    provider.claims = claims
    async with client_of(provider.issuer, MAX_AGE_S) as server:
        assert (await page_of(server, SignInAttempt("browser", BACK)))["max_age"] == str(MAX_AGE_S)
        if accepted:
            await identity_of(server, provider)
        else:
            with pytest.raises(WrongToken):
                await identity_of(server, provider)


async def test_an_identity_server_that_is_not_there_gives_no_answer() -> None:
    async with client_of("http://127.0.0.1:9") as server:
        with pytest.raises(NoAnswer):
            await page_of(server, SignInAttempt("browser", BACK))


async def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    listening = HTTPServer(("127.0.0.1", 0), type("Unused", (), {}))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_self_signed(tmp_path / "own.pem"))
    listening.socket = context.wrap_socket(listening.socket, server_side=True, do_handshake_on_connect=False)
    Thread(target=listening.handle_request, daemon=True).start()
    async with client_of(f"https://127.0.0.1:{listening.server_port}") as server:
        with pytest.raises(NoAnswer, match="ConnectError"):
            await page_of(server, SignInAttempt("browser", BACK))
    listening.server_close()


def _self_signed(file: Path) -> Path:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    certificate = (
        x509.CertificateBuilder(
            name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(1)
        )
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    form = serialization.Encoding.PEM
    plain = serialization.NoEncryption()
    private = key.private_bytes(form, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(private + certificate.public_bytes(form))
    return file
