"""A wallet behind a network that loses, delays and repeats messages, and that garbles or loses answers."""

import asyncio
import random
from collections.abc import Sequence

import msgspec

from croupier import clock
from croupier.integration.wallet_operator.operator import (
    HANG_S,
    ReferenceOperator,
    WalletControl,
    WalletFault,
)
from croupier.outside.no_answer import NoAnswer
from croupier.protocol.encoding import encode
from croupier.protocol.signatures import (
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    Secret,
    SignedBody,
    signed_headers,
)
from croupier.protocol.wallet_wire import WALLET_PATHS, WalletAnswer, WalletMessage

SECRET = Secret(b"shared by tests only")
OF_DEBITS: Sequence[WalletFault] = (
    "time_out",
    "error_500",
    "refuse",
    "twice",
    "drop_answer",
    "late_answer",
    "garbage",
    "error_500_after",
)
OF_OTHERS = tuple(fault for fault in OF_DEBITS if fault != "refuse")
"""Other messages are never refused for a while: a person would have to look at that."""
FAULTY, DELAYED, REPEATED, ARRIVES = 0.15, 0.05, 0.05, 0.02
"""Shares of the messages that the operator handles wrongly, that come after the time-out, and that come
twice; and of the moments at which one of those arrives."""


class MisbehavingWallet:
    """A client without HTTP. `calls` counts the messages; while `is_honest`, each is answered."""

    def __init__(self, operator: ReferenceOperator, chance: random.Random) -> None:
        self.calls = 0
        self.is_honest = False
        self._operator = operator
        self._chance = chance
        self._under_way: list[WalletMessage] = []

    async def ask(self, message: WalletMessage) -> WalletAnswer:
        self.calls += 1
        await asyncio.sleep(0)
        if self._happens(ARRIVES):
            self._deliver_one()
        if self.is_honest:
            return self._handled(message, ())
        if self._happens(DELAYED):
            self._under_way.append(message)
            raise NoAnswer("delayed")
        if self._happens(REPEATED):
            self._under_way.append(message)
        return self._handled(message, self._faults(message))

    async def close(self) -> None:
        pass

    def deliver_all(self) -> None:
        """Deliver everything that is still under way, in any order."""
        while self._under_way:
            self._deliver_one()

    def _happens(self, share: float) -> bool:
        return self._chance.random() < share

    def _deliver_one(self) -> None:
        if self._under_way:
            late = self._under_way.pop(self._chance.randrange(len(self._under_way)))
            self._operator.wallet.answer(late)

    def _faults(self, message: WalletMessage) -> tuple[WalletFault, ...]:
        possible = OF_DEBITS if WALLET_PATHS[type(message)] == "/debit" else OF_OTHERS
        return (self._chance.choice(possible),) if self._happens(FAULTY) else ()

    def _handled(self, message: WalletMessage, faults: tuple[WalletFault, ...]) -> WalletAnswer:
        self._operator.control(WalletControl(faults=faults))
        body = encode(message)
        headers = signed_headers(SECRET, body, clock.now_ms() // 1000)
        signed = SignedBody(headers[TIMESTAMP_HEADER], headers[SIGNATURE_HEADER], body)
        status, answer, delay_s = self._operator.respond(WALLET_PATHS[type(message)], signed)
        if status != 200 or delay_s == HANG_S:
            raise NoAnswer(f"status {status} after {delay_s} s")
        try:
            return msgspec.json.decode(answer, type=WalletAnswer)
        except msgspec.DecodeError as error:
            raise NoAnswer("garbage") from error
