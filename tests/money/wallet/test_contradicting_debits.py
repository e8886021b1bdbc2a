"""An answer that can't be one to a debit says nothing about it: the debit is rolled back."""

from pathlib import Path

import pytest

from croupier.integration.wallet_operator.wallet import OperatorWallet
from croupier.protocol.wallet_wire import WalletAnswer, WalletDebit, WalletMessage
from tests.money.wallet.own_table import OwnTable, serving
from tests.support.wallet import START_MINOR, LocalOperator, assert_agree, settled

pytestmark = pytest.mark.anyio


class ContradictsDebits(OperatorWallet):
    """A wallet that carries debits out and says that it doesn't know them."""

    def answer(self, message: WalletMessage) -> WalletAnswer:
        answer = super().answer(message)
        return WalletAnswer("unknown_transaction") if isinstance(message, WalletDebit) else answer


async def test_a_debit_that_is_answered_with_unknown_transaction_is_rolled_back(tmp_path: Path) -> None:
    operator = LocalOperator("anna")
    operator.wallet = ContradictsDebits(operator.wallet.balances)
    async with serving(tmp_path, operator) as server:
        table = await OwnTable.open(server)
        assert await table.deal() == "wallet_no_answer"
        await settled(server)
        assert operator.balance("anna", "SC") == START_MINOR
        assert_agree(operator, server.ledger, anna=table.player)
