"""Messages in a folder, as a server in development writes them."""

import asyncio
import re
import time
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

LINK = re.compile(r"https?://\S+#\S+")
TRIES_MAX = 1200


class Mailbox:
    """The messages in a folder; each is read once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: set[Path] = set()

    def new(self) -> list[EmailMessage]:
        """Return the messages that weren't read before."""
        found = {path for path in self._folder.glob("*.eml") if path not in self._read}
        self._read |= found
        return [_read(path) for path in found]

    async def next(self, address: str) -> EmailMessage:
        """Return the next message to an address, once it has arrived."""
        return await asyncio.to_thread(self.wait, address)

    def wait(self, address: str) -> EmailMessage:
        """Do as `next` does, and block meanwhile."""
        for _ in range(TRIES_MAX):
            for path in self._folder.glob("*.eml"):
                if path not in self._read and (message := _read(path))["To"] == address:
                    self._read.add(path)
                    return message
            time.sleep(0.05)
        raise AssertionError(f"no message to {address}")

    def wait_for_link(self, address: str) -> str:
        """Return the link of the next message to an address that has one; skip the others."""
        while True:
            message = self.wait(address)
            if LINK.search(text_of(message)):
                return link_of(message)


def text_of(message: EmailMessage) -> str:
    return str(message.get_content())


def link_of(message: EmailMessage) -> str:
    (link,) = LINK.findall(text_of(message))
    return str(link)


def token_of(message: EmailMessage) -> str:
    return link_of(message).partition("#")[2]


def _read(path: Path) -> EmailMessage:
    return message_from_bytes(path.read_bytes(), policy=policy.default)
