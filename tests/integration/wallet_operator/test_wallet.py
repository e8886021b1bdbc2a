"""The money of the reference operator: each rule of the protocol, in order."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from croupier.integration.wallet_operator.wallet import OperatorWallet, WalletAccount
from croupier.protocol.wallet_wire import (
    MAX_MINOR,
    WalletBalanceQuestion,
    WalletCredit,
    WalletDebit,
    WalletMessage,
    WalletOutcome,
    WalletRollback,
    WalletRoundEnd,
)

ANNA, BERT = "anna", "bert"


def debit(amount: int, transaction: str = "t", player: str = ANNA, currency: str = "EUR") -> WalletDebit:
    return WalletDebit(transaction, player, currency, amount, "round", "table", "roulette")


def credit(amount: int, transaction: str = "c", player: str = ANNA) -> WalletCredit:
    return WalletCredit(transaction, player, "EUR", amount, "round", "table", "roulette", "win")


def rollback(transaction: str = "t", player: str = ANNA) -> WalletRollback:
    return WalletRollback(transaction, player)


def end(staked: int = 0, returned: int = 0) -> WalletRoundEnd:
    return WalletRoundEnd(ANNA, "EUR", "round", "table", "roulette", "settled", staked, returned)


class Step(NamedTuple):
    message: WalletMessage
    outcome: WalletOutcome
    balance: int
    """Anna's balance afterwards, of 100 at first."""


SEQUENCES: dict[str, Sequence[Step]] = {
    "a debit takes": [Step(debit(30), "done", 70)],
    "a credit gives": [Step(credit(30), "done", 130)],
    "nothing is moved": [Step(debit(0), "done", 100), Step(credit(0), "done", 100)],
    "the whole balance": [Step(debit(100), "done", 0), Step(debit(1, "u"), "insufficient", 0)],
    "debits of one round": [Step(debit(10), "done", 90), Step(debit(20, "u"), "done", 70)],
    "the same debit": [Step(debit(30), "done", 70), Step(debit(30), "done", 70)],
    "the same credit": [Step(credit(30), "done", 130), Step(credit(30), "done", 130)],
    "another amount": [Step(debit(30), "done", 70), Step(debit(31), "refused", 70)],
    "another kind": [Step(debit(30), "done", 70), Step(credit(30, "t"), "refused", 70)],
    "another player": [Step(debit(30), "done", 70), Step(debit(30, player=BERT), "done", 70)],
    "insufficient stays": [
        Step(debit(101), "insufficient", 100),
        Step(credit(1), "done", 101),
        Step(debit(101), "insufficient", 101),
    ],
    "a refused debit stays refused": [
        Step(end(), "done", 100),
        Step(debit(1), "refused", 100),
        Step(debit(1), "refused", 100),
        Step(rollback(), "unknown_transaction", 100),
    ],
    "a rollback returns": [Step(debit(30), "done", 70), Step(rollback(), "done", 100)],
    "a rollback once": [
        Step(debit(30), "done", 70),
        Step(rollback(), "done", 100),
        Step(rollback(), "done", 100),
        Step(debit(30), "refused", 100),
    ],
    "a late debit": [
        Step(rollback(), "unknown_transaction", 100),
        Step(rollback(), "unknown_transaction", 100),
        Step(debit(30), "refused", 100),
    ],
    "a rollback of another player": [
        Step(debit(30), "done", 70),
        Step(rollback(player=BERT), "unknown_transaction", 70),
        Step(rollback(), "done", 100),
    ],
    "a rollback of nothing": [
        Step(debit(101), "insufficient", 100),
        Step(rollback(), "unknown_transaction", 100),
    ],
    "a rollback of a credit": [Step(credit(30), "done", 130), Step(rollback("c"), "refused", 130)],
    "a rollback after a win": [
        Step(debit(30), "done", 70),
        Step(credit(5), "done", 75),
        Step(rollback(), "refused", 75),
    ],
    "a rollback after the end": [
        Step(debit(30), "done", 70),
        Step(end(30), "done", 70),
        Step(rollback(), "refused", 70),
    ],
    "an ended round": [
        Step(end(), "done", 100),
        Step(end(), "done", 100),
        Step(end(1), "refused", 100),
        Step(debit(1), "refused", 100),
        Step(credit(1), "refused", 100),
    ],
    "an unknown player": [
        Step(debit(1, player="nobody"), "refused", 100),
        Step(WalletBalanceQuestion("nobody", "EUR"), "refused", 100),
        Step(rollback(player="nobody"), "unknown_transaction", 100),
    ],
    "an unknown currency": [Step(debit(1, currency="USD"), "refused", 100)],
    "too large a balance": [Step(credit(MAX_MINOR - 99), "refused", 100)],
}


@pytest.mark.parametrize("steps", SEQUENCES.values(), ids=SEQUENCES)
def test_each_message_has_its_outcome(steps: Sequence[Step]) -> None:
    wallet = OperatorWallet({WalletAccount(ANNA, "EUR"): 100, WalletAccount(BERT, "EUR"): 50})
    for step in steps:
        assert wallet.answer(step.message).outcome == step.outcome, step
        assert wallet.balances[WalletAccount(ANNA, "EUR")] == step.balance, step
        moved = sum(movement.change_minor for movement in wallet.movements if movement.player == ANNA)
        assert 100 + moved == step.balance


def test_a_refusal_is_final_for_a_debit_and_no_other_message() -> None:
    wallet = OperatorWallet({WalletAccount(ANNA, "EUR"): 100})
    for message, later in ((debit(30), "refused"), (credit(30), "done")):
        assert wallet.refuse(message, "maintenance").outcome == "refused"
        assert wallet.answer(message).outcome == later


def test_a_carried_out_debit_is_not_refused() -> None:
    wallet = OperatorWallet({WalletAccount(ANNA, "EUR"): 100})
    assert wallet.answer(debit(30)) == wallet.refuse(debit(30), "maintenance")


@pytest.mark.parametrize(("returned", "differs"), [(45, False), (44, True)])
def test_an_end_that_differs_from_the_movements_is_found(returned: int, differs: bool) -> None:
    wallet = OperatorWallet({WalletAccount(ANNA, "EUR"): 100})
    for message in (debit(30), debit(9, "u"), rollback("u"), credit(45), end(30, returned)):
        assert wallet.answer(message).outcome == "done"
    assert bool(wallet.differing_ends) == differs
