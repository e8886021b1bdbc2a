"""A post is applied before its caller goes on, however the threads take turns."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Timer
from typing import Any, TypeVar
from unittest.mock import patch

import pytest

from croupier.admission.balances import BalanceCache
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.app.serve import open_ledger
from croupier.ledger import entries
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.wallet_rounds import WalletRounds
from croupier.storage.sql.accounts import SqlAccounts

pytestmark = pytest.mark.anyio
T = TypeVar("T")
PLAYER = "p_ann"


class InterruptedFuture(Future[T]):
    """Has its result as soon as it has a callback, which another thread calls only later.

    This is what happens if the thread that sets the result is interrupted before it calls the callbacks.
    """

    def __init__(self, result: T) -> None:
        super().__init__()
        self._later = result

    def add_done_callback(self, fn: Callable[[Future[T]], object]) -> None:
        super().add_done_callback(fn)
        if not self.done():
            with patch.object(self, "_invoke_callbacks"):
                self.set_result(self._later)
            Timer(0.05, self._invoke_callbacks).start()  # type: ignore[attr-defined]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqlLedger]:
    opened = open_ledger(tmp_path)
    yield opened
    opened.close()


async def test_a_balance_is_applied_before_the_caller_goes_on(ledger: SqlLedger) -> None:
    balances = BalanceCache()
    gateway = LedgerGateway(ledger, balances, PlayerLimits(ledger, balances, lambda _: None), WalletRounds())
    post = ledger.post

    def interrupted(posted: Sequence[Entry], fence: Any) -> Future[tuple[Posted, ...]]:
        return InterruptedFuture(post(posted, fence).result())

    reading = SqlAccounts(ledger).balances({PLAYER: 0})
    await gateway.durable(reading, lambda read: balances.keep(PLAYER, read[PLAYER]))
    with patch.object(ledger, "post", interrupted):
        await gateway.post([entries.deposit("d", 1, PLAYER, "EUR", 5_000)])
        assert balances.balance(PLAYER, "EUR").balance_minor == 5_000
