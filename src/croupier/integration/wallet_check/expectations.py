"""Expectations of replies, and the failure of a check that finds something else."""

from collections.abc import Sequence
from typing import NoReturn

from croupier.integration.wallet_check.replies import WalletReply
from croupier.protocol.wallet_wire import WalletOutcome


class WrongAnswer(Exception):
    """A reply or a balance that contradicts the protocol."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.expected, self.found = expected, found


def fail(expected: str, found: str) -> NoReturn:
    raise WrongAnswer(expected, found)


def expect_equal(name: str, expected: int, found: int) -> None:
    if expected != found:
        fail(f"{name} {expected}", str(found))


def expect_rejected(reply: WalletReply, *outcomes: WalletOutcome) -> None:
    """Fail unless the wallet answers `refused`, one of `outcomes`, or with a status from 400 to 499."""
    is_refused = reply.answer is not None and reply.answer.outcome in ("refused", *outcomes)
    if not (is_refused or 400 <= reply.status < 500):
        fail("refused, or a status from 400 to 499", reply.described)


def count(replies: Sequence[WalletReply], outcome: WalletOutcome) -> int:
    return sum(reply.answer is not None and reply.answer.outcome == outcome for reply in replies)
