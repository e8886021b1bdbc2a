"""The reference operator's answers over HTTP, and the faults that it is told to have."""

import time
from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from croupier.gateway.malformed import MALFORMED
from croupier.integration.wallet_operator.wallet import OperatorWallet, WalletAccount, WalletMovement
from croupier.protocol.encoding import encode
from croupier.protocol.signatures import Secret, SignedBody, check_signature
from croupier.protocol.wallet_wire import (
    WALLET_PATHS,
    WalletAmount,
    WalletMessage,
    WalletRoundEnd,
)
from croupier.refusal import Refused

KINDS: Mapping[str, type[WalletMessage]] = {path: kind for kind, path in WALLET_PATHS.items()}
HANG_S = 60.0
"""Time for which a hanging answer is held back: longer than any server waits."""
WalletFault = Literal[
    "time_out",
    "error_500",
    "refuse",
    "twice",
    "drop_answer",
    "late_answer",
    "garbage",
    "error_500_after",
]
"""The first three carry nothing out; a debit that is refused isn't carried out later either. `twice` handles
the message twice. The others carry it out, and then never answer, answer late, or with something else."""
WalletPath = Literal["/balance", "/debit", "/credit", "/rollback", "/round-ended"]


class HttpAnswer(NamedTuple):
    """An answer that is sent after `delay_s` seconds."""

    status: int = 200
    body: bytes = b""
    delay_s: float = 0.0


INSTEAD: Mapping[WalletFault, HttpAnswer] = {
    "time_out": HttpAnswer(delay_s=HANG_S),
    "error_500": HttpAnswer(500),
}
"""Answers of faults in which the message doesn't arrive."""
AFTERWARDS: Mapping[WalletFault, HttpAnswer] = {
    "drop_answer": HttpAnswer(delay_s=HANG_S),
    "garbage": HttpAnswer(body=b"<html>"),
    "error_500_after": HttpAnswer(500),
}
"""Answers of faults that carry the message out."""


class WalletBalance(Struct, frozen=True, forbid_unknown_fields=True):
    player: str
    currency: str
    balance_minor: WalletAmount


class WalletControl(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of the operator's behaviour. None leaves it as it is."""

    faults: tuple[WalletFault, ...] | None = None
    paths: tuple[WalletPath, ...] | None = None
    """Paths that have the faults; empty: all."""
    times: Annotated[int, Meta(ge=1)] | None = None
    """Number of messages with these faults; None with `faults`: all that follow."""
    late_s: Annotated[float, Meta(ge=0, le=HANG_S)] | None = None
    """Delay of the fault `late_answer`."""
    balances: tuple[WalletBalance, ...] = ()
    """Balances to set, also of new players. No movement is logged for them."""


class WalletLog(Struct, frozen=True):
    """Everything that was carried out, in order, and the balances that it led to."""

    balances: tuple[WalletBalance, ...]
    movements: tuple[WalletMovement, ...]
    ends: tuple[WalletRoundEnd, ...]
    differing_ends: tuple[WalletRoundEnd, ...]
    """Ends whose net result isn't that of the round's movements."""


class ReferenceOperator:
    """Answers signed messages from a wallet, as the faults have it."""

    def __init__(self, secret: Secret, wallet: OperatorWallet) -> None:
        self.wallet = wallet
        self._secret = secret
        self._faults: frozenset[WalletFault] = frozenset()
        self._paths: frozenset[str] = frozenset()
        self._times: int | None = None
        self._late_s = 1.0

    def control(self, change: WalletControl) -> None:
        if change.faults is not None:
            self._faults, self._times = frozenset(change.faults), change.times
        if change.paths is not None:
            self._paths = frozenset(change.paths)
        if change.late_s is not None:
            self._late_s = change.late_s
        for each in change.balances:
            self.wallet.balances[WalletAccount(each.player, each.currency)] = each.balance_minor

    @property
    def log(self) -> WalletLog:
        return WalletLog(
            tuple(WalletBalance(*account, balance) for account, balance in self.wallet.balances.items()),
            tuple(self.wallet.movements),
            tuple(self.wallet.ends),
            tuple(self.wallet.differing_ends),
        )

    def respond(self, path: str, signed: SignedBody) -> HttpAnswer:
        """Check, read and answer a message: status 401 for a wrong signature, 400 for a malformed body."""
        if not self._is_genuine(signed):
            return HttpAnswer(401)
        try:
            message = msgspec.json.decode(signed.body, type=KINDS[path])
        except MALFORMED:
            return HttpAnswer(400)
        return self._answer(message, self._present_faults(path))

    def _is_genuine(self, signed: SignedBody) -> bool:
        try:
            check_signature(self._secret, signed, int(time.time()))
        except Refused:
            return False
        return True

    def _present_faults(self, path: str) -> frozenset[WalletFault]:
        """Return the faults of a message, and count it."""
        if not self._faults or (self._paths and path not in self._paths) or self._times == 0:
            return frozenset()
        if self._times is not None:
            self._times -= 1
        return self._faults

    def _answer(self, message: WalletMessage, faults: frozenset[WalletFault]) -> HttpAnswer:
        for fault in INSTEAD.keys() & faults:
            return INSTEAD[fault]
        if "refuse" in faults:
            return HttpAnswer(body=encode(self.wallet.refuse(message, "told to refuse")))
        if "twice" in faults:
            self.wallet.answer(message)
        answer = self.wallet.answer(message)
        for fault in AFTERWARDS.keys() & faults:
            return AFTERWARDS[fault]
        return HttpAnswer(body=encode(answer), delay_s=self._late_s if "late_answer" in faults else 0.0)
