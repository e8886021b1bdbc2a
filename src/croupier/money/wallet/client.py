"""The interface of an operator's wallet, and the wallet over HTTP."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Protocol

from croupier import tracing
from croupier.config.wallet import ConfiguredWallet
from croupier.outside.no_answer import NoAnswer
from croupier.outside.systems import OutsideSystem
from croupier.protocol.wallet_wire import (
    WALLET_PATHS,
    WalletAnswer,
    WalletBalanceQuestion,
    WalletCredit,
    WalletDebit,
    WalletMessage,
    WalletOutcome,
    WalletRollback,
    WalletRoundEnd,
)

if TYPE_CHECKING:
    from croupier.outside.signed_client import SignedClient

POOLS = 16
"""Enough connections for hundreds of calls a second to a wallet that answers within 300 ms."""


ANSWERS: Mapping[type[WalletMessage], tuple[WalletOutcome, ...]] = {
    WalletBalanceQuestion: ("done",),
    WalletDebit: ("done", "insufficient", "refused"),
    WalletCredit: ("done", "refused"),
    WalletRollback: ("done", "unknown_transaction", "refused"),
    WalletRoundEnd: ("done", "refused"),
}
"""The outcomes that answer each message."""


class WalletClient(Protocol):
    """Sends messages to the wallet. Each may be repeated: it carries its own idempotency key."""

    async def ask(self, message: WalletMessage, /) -> WalletAnswer:
        """Return the answer; raise NoAnswer if the outcome is unknown."""
        ...

    async def close(self) -> None: ...


class HttpWallet:
    """Speaks `protocol.wallet_wire`."""

    def __init__(self, client: "SignedClient") -> None:
        self._client = client

    async def ask(self, message: WalletMessage) -> WalletAnswer:
        path = WALLET_PATHS[type(message)]
        with tracing.span(f"wallet {path}", _ids(message)):
            return await self._client.ask(path, message, WalletAnswer, partial(_check, message))

    async def close(self) -> None:
        await self._client.close()


def _check(message: WalletMessage, answer: WalletAnswer) -> None:
    """Raise NoAnswer for what can't be an answer to a message: whether it was carried out is unknown."""
    if answer.outcome not in ANSWERS[type(message)]:
        raise NoAnswer(f"{answer.outcome} isn't an answer to {type(message).__name__}")
    if isinstance(message, WalletBalanceQuestion) and answer.balance_minor is None:
        raise NoAnswer("an answer without a balance")


def _ids(message: WalletMessage) -> dict[str, str]:
    """Return the ids of a message that name no player."""
    names = ("round", "table", "transaction")
    return {name: value for name in names if (value := getattr(message, name, ""))}


class NoWallet:
    """Stands for a wallet that is no longer configured: what is due to it waits."""

    async def ask(self, _: WalletMessage) -> WalletAnswer:
        raise NoAnswer("no wallet is configured")

    async def close(self) -> None:
        pass


def wallet_client(wallet: ConfiguredWallet, system: OutsideSystem) -> WalletClient:
    """Return the client of a configuration; nothing is called yet."""
    if wallet.secret is None:
        return NoWallet()
    from croupier.outside.signed_client import SignedClient  # takes long to import

    config = wallet.config
    return HttpWallet(SignedClient(config.url, wallet.secret, config.timeout_s, system, POOLS))
