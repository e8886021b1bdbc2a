"""A small SMTP server: it keeps what it receives. It can demand TLS and a password, or refuse for a while."""

import base64
import ssl
from contextlib import suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from queue import SimpleQueue
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import NamedTuple, Self

WITHIN_S = 60.0


class Received(NamedTuple):
    """A message and its envelope; `user` is who signed in, `encrypted` whether by TLS."""

    sender: str
    recipients: tuple[str, ...]
    message: EmailMessage
    user: str
    encrypted: bool


class SmtpServer(ThreadingTCPServer):
    """Listens on a free port of 127.0.0.1 within a `with` block."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(
        self, *, user: str = "", password: str = "", certificate: Path | None = None, refusals: int = 0
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.login = base64.b64encode(f"\0{user}\0{password}".encode()).decode() if user else ""
        self.user = user
        self.certificate = certificate
        self.refusals_left = refusals
        self.received: SimpleQueue[Received] = SimpleQueue()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def __enter__(self) -> Self:
        Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def next(self) -> Received:
        """Return the next message, in the order of their arrival."""
        return self.received.get(timeout=WITHIN_S)


class _Session(StreamRequestHandler):
    server: SmtpServer

    def handle(self) -> None:
        self.user, self.encrypted = "", False
        self._reset()
        with suppress(OSError):  # a client that doesn't trust the certificate goes away
            self._serve()

    def finish(self) -> None:
        super().finish()
        self.request.close()

    def _serve(self) -> None:
        self._answer("220 mail.example ESMTP")
        while line := self.rfile.readline():
            verb, _, rest = line.decode().strip().partition(" ")
            if verb.upper() == "QUIT":
                self._answer("221 bye")
                return
            getattr(self, f"do_{verb.lower()}")(rest)

    def _reset(self) -> None:
        self.sender = ""
        self.recipients: list[str] = []

    def _answer(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())

    def do_ehlo(self, _name: str) -> None:
        secure = self.server.certificate is None or self.encrypted
        offered = ["AUTH PLAIN"] if self.server.login and secure else []
        offered += [] if secure else ["STARTTLS"]
        for line in ("mail.example", *offered):
            self._answer(f"250-{line}")
        self._answer("250 8BITMIME")

    def do_starttls(self, _: str) -> None:
        assert self.server.certificate is not None
        self._answer("220 go ahead")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.server.certificate)
        self.request = context.wrap_socket(self.request, server_side=True)
        self.setup()
        self.encrypted = True

    def do_auth(self, words: str) -> None:
        known = words == f"PLAIN {self.server.login}"
        self.user = self.server.user if known else ""
        self._answer("235 welcome" if known else "535 wrong password")

    def do_mail(self, words: str) -> None:
        if self.server.login and not self.user:
            self._answer("530 sign in first")
        elif self.server.refusals_left:
            self.server.refusals_left -= 1
            self._answer("451 try again later")
        else:
            self.sender = _address(words)
            self._answer("250 ok")

    def do_rcpt(self, words: str) -> None:
        self.recipients.append(_address(words))
        self._answer("250 ok")

    def do_rset(self, _: str) -> None:
        self._reset()
        self._answer("250 ok")

    def do_data(self, _: str) -> None:
        self._answer("354 go ahead")
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line.removeprefix(b"."))
        message = message_from_bytes(b"".join(lines), policy=policy.default)
        self.server.received.put(
            Received(self.sender, tuple(self.recipients), message, self.user, self.encrypted)
        )
        self._answer("250 ok")


def _address(words: str) -> str:
    return words.partition("<")[2].partition(">")[0]
