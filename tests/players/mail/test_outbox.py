"""Messages reach a real SMTP server: with TLS and a password, and later after a failure."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.headerregistry import Address
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from croupier.accounts.mail_addresses import Recipient
from croupier.config.mail import MailServer, MailSettings, Tls
from croupier.outside.systems import OutsideSystem
from croupier.players.mail import outbox as outbox_module
from croupier.players.mail.messages import RECOVERY, credential_notice
from croupier.players.mail.outbox import Outbox
from croupier.refusal import Refused
from tests.support.mail import Mailbox, link_of, text_of
from tests.support.smtp_server import SmtpServer

pytestmark = pytest.mark.anyio

ADA = Recipient("p_1", "ada-lovelace", "ada@example.org")
SENDER = Address("Example Casino", "play", "example.org")
SITE = "https://casino.example.org"
AT_ONCE = (0.0, 0.0)


@asynccontextmanager
async def outbox_to(target: MailServer | Path) -> AsyncIterator[Outbox]:
    server, folder = (None, target) if isinstance(target, Path) else (target, None)
    outbox = Outbox(MailSettings(SENDER, SITE, server, folder), OutsideSystem("mail"), AT_ONCE)
    yield outbox
    await outbox.close()


def settings(server: SmtpServer, tls: Tls = "none", user: str = "", password: str = "") -> MailServer:
    return MailServer("127.0.0.1", server.port, tls, user, password)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a certificate of 127.0.0.1 and its key."""
    key, name = (
        ec.generate_private_key(ec.SECP256R1()),
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail")]),
    )
    now = datetime.now(UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("certificate") / "mail.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + built.public_bytes(serialization.Encoding.PEM)
    )
    return file


async def test_a_message_has_its_headers_and_its_link() -> None:
    with SmtpServer() as server:
        async with outbox_to(settings(server)) as outbox:
            await outbox.send(RECOVERY, ADA, "a-token")
        received = server.next()
    assert (received.sender, received.recipients) == ("play@example.org", ("ada@example.org",))
    message = received.message
    assert message["From"] == "Example Casino <play@example.org>"
    assert message["Message-ID"].endswith("@example.org>")
    assert (message["To"], message["Auto-Submitted"]) == ("ada@example.org", "auto-generated")
    assert message["Date"].datetime.tzinfo is not None
    assert link_of(message) == f"{SITE}/reset-password#a-token"
    assert "ada-lovelace" in text_of(message)


async def test_a_name_in_any_script_arrives_as_it_is() -> None:
    with SmtpServer() as server:
        async with outbox_to(settings(server)) as outbox:
            await outbox.send(
                credential_notice("password", 0, recovers=True), Recipient("p_1", "åda-λ", "ada@example.org")
            )
        assert "åda-λ" in text_of(server.next().message)


async def test_the_password_is_sent_by_tls_only(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "SSL_CERT_FILE", str(certificate))
    with SmtpServer(user="croupier", password="secret", certificate=certificate) as server:
        async with outbox_to(settings(server, "starttls", "croupier", "secret")) as outbox:
            await outbox.send(RECOVERY, ADA, "a-token")
        received = server.next()
    assert (received.user, received.encrypted) == ("croupier", True)


async def test_a_server_without_a_trusted_certificate_gets_nothing(
    certificate: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with SmtpServer(user="croupier", password="secret", certificate=certificate) as server:
        async with outbox_to(settings(server, "starttls", "croupier", "secret")) as outbox:
            await outbox.send(RECOVERY, ADA, "a-token")
        assert server.received.empty()
    assert "SSLCertVerificationError" in caplog.text
    assert "a message couldn't be sent and is dropped" in caplog.text


async def test_a_server_without_encryption_gets_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with SmtpServer() as server:
        async with outbox_to(settings(server, "starttls")) as outbox:
            await outbox.send(RECOVERY, ADA, "a-token")
        assert server.received.empty()
    assert "SMTPNotSupportedError" in caplog.text


async def test_a_temporary_failure_is_tried_again() -> None:
    with SmtpServer(refusals=len(AT_ONCE)) as server:
        async with outbox_to(settings(server)) as outbox:
            await outbox.send(RECOVERY, ADA, "a-token")
        assert server.next().recipients == ("ada@example.org",)


async def test_a_failure_is_logged_without_address_token_and_password(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with SmtpServer(user="croupier", password="another") as server:
        async with outbox_to(settings(server, "none", "croupier", "secret-password")) as outbox:
            await outbox.send(RECOVERY, ADA, "a-token")
    assert "SMTPAuthenticationError 535" in caplog.text
    assert caplog.text.count("couldn't be sent") == 1, "the server would refuse it again"
    for secret in ("ada@example.org", "a-token", "secret-password"):
        assert secret not in caplog.text
    assert "secret-password" not in repr(settings(server, "none", "croupier", "secret-password"))


async def test_jobs_beyond_the_maximum_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(outbox_module, "WAITING_MAX", 2)
    async with outbox_to(tmp_path / "mails") as outbox:
        for number in range(3):
            outbox.start(outbox.send(RECOVERY, ADA, f"token-{number}"))
    links = {link_of(message) for message in Mailbox(tmp_path / "mails").new()}
    assert links == {f"{SITE}/reset-password#token-{number}" for number in range(2)}
    assert "another one is dropped" in caplog.text


async def test_closing_ends_what_still_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox_module, "CLOSING_S", 0.05)
    ended: list[str] = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    async with outbox_to(tmp_path / "mails") as outbox:
        outbox.start(waits())
        await asyncio.sleep(0)
    assert ended == ["cancelled"]


async def test_a_server_that_sends_no_mail_refuses() -> None:
    outbox = Outbox(None, OutsideSystem("mail"))
    with pytest.raises(Refused) as refused:
        outbox.check_offered()
    assert refused.value.code == "mail_not_offered"
    await outbox.send(RECOVERY, ADA, "a-token")
    await outbox.close()
