"""Transports of messages: an SMTP server, or a folder."""

import secrets
import smtplib
import ssl
from email.message import EmailMessage
from pathlib import Path
from typing import Protocol

from croupier.config.mail import MailServer, MailSettings

TIMEOUT_S = 10.0


class MailTransport(Protocol):
    """Sends messages; blocks while it does, and raises OSError or SMTPException if it can't."""

    def send(self, message: EmailMessage) -> None: ...


class FolderTransport:
    """Writes each message into a file of its own, for development."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, message: EmailMessage) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        written = self._folder / f"{secrets.token_hex(8)}.part"
        written.write_bytes(bytes(message))
        written.rename(written.with_suffix(".eml"))


class SmtpTransport:
    """Opens a connection for each message: they are few."""

    def __init__(self, server: MailServer) -> None:
        self._server = server

    def send(self, message: EmailMessage) -> None:
        with self._connect() as connection:
            if self._server.tls == "starttls":
                connection.starttls(context=ssl.create_default_context())
            if self._server.user:
                connection.login(self._server.user, self._server.password)
            connection.send_message(message)

    def _connect(self) -> smtplib.SMTP:
        host, port = self._server.host, self._server.port
        if self._server.tls == "implicit":
            context = ssl.create_default_context()
            return smtplib.SMTP_SSL(host, port, timeout=TIMEOUT_S, context=context)
        return smtplib.SMTP(host, port, timeout=TIMEOUT_S)


def transport_of(settings: MailSettings) -> MailTransport | None:
    if settings.server:
        return SmtpTransport(settings.server)
    return FolderTransport(settings.folder) if settings.folder else None
