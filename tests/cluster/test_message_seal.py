"""Sealed messages open once, for their subject, for a short time, and with the cluster's key only."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from unittest.mock import patch

import pytest

from croupier.cluster.message_seal import (
    LIFETIME_MS,
    OVERHEAD,
    WINDOW,
    MessageSeal,
    SealBroken,
    reply_subject,
)
from croupier.protocol.signatures import Secret

KEY = Secret(b"0123456789abcdef0123456789abcdef")
OTHER = Secret(b"an entirely different key of 32 b")
SECRET = b"a stake that nobody may read"


@pytest.fixture
def here() -> MessageSeal:
    return MessageSeal(KEY)


@pytest.fixture
def there() -> MessageSeal:
    return MessageSeal(KEY)


def fault_of(opening: Callable[[], object]) -> str:
    with pytest.raises(SealBroken) as raised:
        opening()
    return raised.value.fault


def clock_ahead(ms: int) -> AbstractContextManager[object]:
    now_ns = time.time_ns
    return patch("time.time_ns", lambda: now_ns() + ms * 1_000_000)


def test_what_is_sealed_opens_and_is_not_readable(here: MessageSeal, there: MessageSeal) -> None:
    sealed = here.seal("owner.a", SECRET)
    assert SECRET not in sealed
    assert len(sealed) == len(SECRET) + OVERHEAD
    assert there.open("owner.a", sealed) == SECRET
    assert here.open("owner.a", here.seal("owner.a", b"")) == b"", "a node hears itself"


def test_equal_messages_differ(here: MessageSeal) -> None:
    assert here.seal("owner.a", SECRET) != here.seal("owner.a", SECRET)


def test_a_message_of_another_key_subject_or_content_is_forged(here: MessageSeal, there: MessageSeal) -> None:
    sealed = here.seal("owner.a", SECRET)
    assert fault_of(lambda: there.open("gateway.b", sealed)) == "forged"
    assert fault_of(lambda: MessageSeal(OTHER).open("owner.a", sealed)) == "forged"
    for place in range(1, len(sealed)):
        changed = bytearray(sealed)
        changed[place] ^= 1
        assert fault_of(partial(there.open, "owner.a", bytes(changed))) == "forged"
    assert there.open("owner.a", sealed) == SECRET, "a forgery uses no number up"
    assert there.refused["forged"] == len(sealed)


@pytest.mark.parametrize("message", [b"", b"\x95\xa4plain", bytes(OVERHEAD), SECRET * 10])
def test_what_is_not_sealed_is_malformed(there: MessageSeal, message: bytes) -> None:
    assert fault_of(lambda: there.open("owner.a", message)) == "malformed"


def test_a_message_opens_once_for_each_subscription(here: MessageSeal, there: MessageSeal) -> None:
    sealed = here.seal("journal", SECRET)
    assert [there.open("journal", sealed, number) for number in (0, 1)] == [SECRET, SECRET]
    assert fault_of(lambda: there.open("journal", sealed, 1)) == "replayed"
    assert there.refused["replayed"] == 1


def test_messages_may_overtake_each_other_within_the_window(here: MessageSeal, there: MessageSeal) -> None:
    sealed = [here.seal("journal", b"%d" % number) for number in range(WINDOW + 2)]
    for number in reversed(range(2, WINDOW + 2)):
        assert there.open("journal", sealed[number]) == b"%d" % number
    assert there.open("journal", sealed[1]) == b"1"
    assert fault_of(lambda: there.open("journal", sealed[0])) == "replayed", "too old to tell"
    assert fault_of(lambda: there.open("journal", sealed[WINDOW])) == "replayed"


@pytest.mark.parametrize("ahead_ms", [LIFETIME_MS + 1_000, -LIFETIME_MS - 1_000])
def test_a_message_expires(here: MessageSeal, there: MessageSeal, ahead_ms: int) -> None:
    sealed = here.seal("owner.a", SECRET)
    with clock_ahead(ahead_ms):
        assert fault_of(lambda: there.open("owner.a", sealed)) == "expired"
    assert there.open("owner.a", sealed) == SECRET


def test_senders_are_forgotten_when_their_messages_have_expired(there: MessageSeal) -> None:
    for hours in range(5):
        with clock_ahead(hours * 3_600_000):
            there.open("journal", MessageSeal(KEY).seal("journal", b""))
    assert len(there._senders) == 1


def test_strangers_fill_no_memory(there: MessageSeal) -> None:
    for _ in range(10):
        sealed = MessageSeal(OTHER).seal("journal", b"")
        assert fault_of(partial(there.open, "journal", sealed)) == "forged"
    assert not there._senders


def test_a_reply_fits_its_request_only(here: MessageSeal, there: MessageSeal) -> None:
    one, other = here.seal("pictures.a", b"1"), here.seal("pictures.a", b"2")
    reply = there.seal(reply_subject("pictures.a", one), SECRET)
    assert here.open_reply(reply_subject("pictures.a", one), reply) == SECRET
    assert fault_of(lambda: here.open_reply(reply_subject("pictures.a", other), reply)) == "forged"
