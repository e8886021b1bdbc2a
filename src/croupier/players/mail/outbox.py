"""Messages that are sent in the background, so that no request waits for a mail server."""

import asyncio
import logging
import smtplib
from collections.abc import Coroutine
from email.message import EmailMessage

from croupier.accounts.mail_addresses import Recipient
from croupier.config.mail import MailSettings
from croupier.outside.systems import OutsideSystem
from croupier.players.mail.messages import MailTemplate, mail_message
from croupier.players.mail.transports import transport_of
from croupier.refusal import Refused

log = logging.getLogger(__name__)

WAITING_MAX, AT_ONCE = 500, 4
RETRIES_S = (5.0, 60.0, 300.0)
CLOSING_S = 5.0
PERMANENT = 500
"""The least SMTP code of a failure that isn't temporary."""


class Outbox:
    """Runs jobs that send messages: a few at a time, and again after a failure that may be temporary."""

    def __init__(
        self,
        settings: MailSettings | None,
        system: OutsideSystem,
        retries_s: tuple[float, ...] = RETRIES_S,
    ) -> None:
        self._system = system
        self._settings = settings
        self._transport = transport_of(settings) if settings else None
        self._retries_s = retries_s
        self._free = asyncio.Semaphore(AT_ONCE)
        self._jobs: set[asyncio.Task[None]] = set()

    @property
    def offered(self) -> bool:
        """Return whether the server sends mail."""
        return self._settings is not None

    def check_offered(self) -> None:
        """Refuse `mail_not_offered` if the server sends no mail."""
        if not self.offered:
            raise Refused("mail_not_offered")

    def start(self, job: Coroutine[None, None, None]) -> None:
        """Run a job in the background; drop it while too many wait."""
        if len(self._jobs) >= WAITING_MAX:
            job.close()
            log.error("%d messages wait to be sent; another one is dropped", WAITING_MAX)
            return
        task = asyncio.create_task(job)
        self._jobs.add(task)
        task.add_done_callback(self._ended)

    async def send(self, template: MailTemplate, recipient: Recipient, token: str = "") -> None:
        """Send a message; log a failure without the address."""
        if self._settings is None:
            return
        message = mail_message(self._settings, template, recipient, token)
        for wait_s in (0.0, *self._retries_s):
            await asyncio.sleep(wait_s)
            if await self._sent(message):
                return
        log.error("a message couldn't be sent and is dropped")

    async def close(self) -> None:
        """Give the jobs a moment to end, and cancel the rest."""
        if self._jobs:
            await asyncio.wait(self._jobs, timeout=CLOSING_S)
        left = tuple(self._jobs)
        for job in left:
            job.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    @property
    def waiting(self) -> int:
        """The number of messages that haven't been sent yet."""
        return len(self._jobs)

    async def _sent(self, message: EmailMessage) -> bool:
        """Return whether the message needs no further attempt."""
        try:
            async with self._free:
                with self._system.call("message"):
                    return await self._handed_over(message)
        except (OSError, smtplib.SMTPException) as error:
            log.warning("a message couldn't be sent: %s", _why(error))
            return False

    async def _handed_over(self, message: EmailMessage) -> bool:
        """Send a message; return as well when the server refuses it for good, which is an answer."""
        assert self._transport is not None, "the server sends mail"
        try:
            await asyncio.to_thread(self._transport.send, message)
        except (OSError, smtplib.SMTPException) as error:
            if not _is_permanent(error):
                raise
            log.warning("a message couldn't be sent: %s", _why(error))
        return True

    def _ended(self, job: asyncio.Task[None]) -> None:
        self._jobs.discard(job)
        if not job.cancelled() and (error := job.exception()):
            log.error("a message couldn't be prepared", exc_info=error)


def _is_permanent(error: Exception) -> bool:
    """Return whether the server would refuse the message again."""
    return isinstance(error, smtplib.SMTPRecipientsRefused) or getattr(error, "smtp_code", 0) >= PERMANENT


def _why(error: Exception) -> str:
    """Describe a failure without the address, which the server's answer may repeat."""
    code = getattr(error, "smtp_code", "")
    return f"{type(error).__name__} {code}".strip()
