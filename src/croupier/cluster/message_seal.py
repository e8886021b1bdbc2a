"""Authenticated encryption of the messages between nodes, with a key that never crosses the bus.

A sealed message has the id of its sender, a number, the time and the encrypted payload. It opens for its own
subject only, for a short time, and once for each receiver, so who reaches the message server can neither read
nor forge messages, nor replay them.
"""

import os
import time
from bisect import bisect_left
from collections import Counter
from struct import Struct
from typing import Literal

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from croupier.protocol.signatures import Secret

LIFETIME_MS = 30_000
"""Maximum difference between the time of a message and the receiver's clock."""
WINDOW = 64
"""Latest messages of a sender that a subscription remembers; one older than all of them is refused."""
SENDER_BYTES, KEY_BYTES, TAG_BYTES = 16, 32, 16
VERSION = 1
PURPOSE = b"croupier bus 1 "
NONCE_PADDING = bytes(4)
SealFault = Literal["malformed", "forged", "expired", "replayed"]
SEAL_FAULTS: tuple[SealFault, ...] = ("malformed", "forged", "expired", "replayed")

_HEADER = Struct(">B16sQQ")
OVERHEAD = _HEADER.size + TAG_BYTES


class SealBroken(Exception):
    """A message that doesn't open; `fault` says why."""

    def __init__(self, fault: SealFault) -> None:
        super().__init__(fault)
        self.fault: SealFault = fault


class ReplayWindow:
    """The numbers of a sender's latest messages. Numbers may be missing: others got those."""

    __slots__ = ("_floor", "_numbers")

    def __init__(self) -> None:
        self._floor = -1
        self._numbers: list[int] = []

    def accept(self, number: int) -> bool:
        """Remember a number; return False if it is known, or too old to tell."""
        if number <= self._floor:
            return False
        place = bisect_left(self._numbers, number)
        if place < len(self._numbers) and self._numbers[place] == number:
            return False
        self._numbers.insert(place, number)
        if len(self._numbers) > WINDOW:
            self._floor = self._numbers.pop(0)
        return True


class _Sender:
    """A sender that has proved to know the key."""

    __slots__ = ("cipher", "sent_ms", "windows")

    def __init__(self, cipher: AESGCM) -> None:
        self.cipher = cipher
        self.sent_ms = 0
        self.windows: dict[int, ReplayWindow] = {}
        """By subscription."""

    def check_new(self, number: int, subscription: int) -> None:
        window = self.windows.get(subscription)
        if window is None:
            window = self.windows[subscription] = ReplayWindow()
        if not window.accept(number):
            raise SealBroken("replayed")


class MessageSeal:
    """Seals messages in the name of one sender, and opens those of all who have the same key.

    Each process is a new sender with a key of its own, so that no number is used twice with one key.
    """

    def __init__(self, key: Secret) -> None:
        self._key = key.derived(PURPOSE)
        self._id = os.urandom(SENDER_BYTES)
        self._own = self._cipher(self._id)
        self._sent = 0
        self._senders: dict[bytes, _Sender] = {}
        self.refused = Counter[str](dict.fromkeys(SEAL_FAULTS, 0))
        """Messages that didn't open, by fault."""

    def _cipher(self, sender: bytes) -> AESGCM:
        derive = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=PURPOSE + sender)
        return AESGCM(derive.derive(self._key))

    def seal(self, subject: str, payload: bytes) -> bytes:
        """Encrypt a message for the receivers of a subject."""
        self._sent += 1
        header = _HEADER.pack(VERSION, self._id, self._sent, _now_ms())
        return header + self._own.encrypt(_nonce(self._sent), payload, header + subject.encode())

    def open(self, subject: str, sealed: bytes, subscription: int = 0) -> bytes:
        """Decrypt a message; SealBroken, which is counted, unless it is genuine, fresh and new.

        `subscription`: a number of the receiver's, as each of its subscriptions gets the message.
        """
        try:
            sender, number, payload = self._decrypt(subject, sealed)
            sender.check_new(number, subscription)
        except SealBroken as broken:
            self.refused[broken.fault] += 1
            raise
        return payload

    def open_reply(self, subject: str, sealed: bytes) -> bytes:
        """Decrypt a message whose subject, see `reply_subject`, has one message only."""
        try:
            return self._decrypt(subject, sealed)[2]
        except SealBroken as broken:
            self.refused[broken.fault] += 1
            raise

    def _decrypt(self, subject: str, sealed: bytes) -> tuple[_Sender, int, bytes]:
        """Return the sender, the number and the payload; SealBroken unless it is genuine and fresh."""
        if len(sealed) < OVERHEAD or sealed[0] != VERSION:
            raise SealBroken("malformed")
        header = sealed[: _HEADER.size]
        _, name, number, sent_ms = _HEADER.unpack(header)
        sender = self._senders.get(name) or _Sender(self._cipher(name))
        try:
            payload = sender.cipher.decrypt(_nonce(number), sealed[_HEADER.size :], header + subject.encode())
        except InvalidTag:
            raise SealBroken("forged") from None
        now_ms = _now_ms()
        if abs(now_ms - sent_ms) > LIFETIME_MS:
            raise SealBroken("expired")
        if name not in self._senders:
            self._forget_silent(now_ms)
            self._senders[name] = sender
        sender.sent_ms = max(sender.sent_ms, sent_ms)
        return sender, number, payload

    def _forget_silent(self, now_ms: int) -> None:
        """Forget the senders all of whose messages have expired."""
        for sender, known in tuple(self._senders.items()):
            if now_ms - known.sent_ms > LIFETIME_MS:
                del self._senders[sender]


def reply_subject(subject: str, request: bytes) -> str:
    """Return the subject of the only reply to a sealed request, which fits no other."""
    return f"{subject}:{request[: _HEADER.size].hex()}"


def _nonce(number: int) -> bytes:
    return NONCE_PADDING + number.to_bytes(8)


def _now_ms() -> int:
    """Return the machine's time: nodes' own clocks ignore its steps, and would never agree again."""
    return time.time_ns() // 1_000_000
