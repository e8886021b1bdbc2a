"""The money of the reference operator, in memory: what each message of the protocol does to it."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Literal, NamedTuple

from msgspec import Struct

from croupier.protocol.wallet_wire import (
    MAX_MINOR,
    WalletAnswer,
    WalletBalanceQuestion,
    WalletCredit,
    WalletDebit,
    WalletMessage,
    WalletRollback,
    WalletRoundEnd,
)

Transfer = WalletDebit | WalletCredit
PlayerTransaction = tuple[str, str]
PlayerRound = tuple[str, str]


class WalletAccount(NamedTuple):
    player: str
    currency: str


class WalletMovement(Struct, frozen=True):
    """A change of a balance by one message; zero amounts are listed too."""

    operation: Literal["debit", "credit", "rollback"]
    player: str
    currency: str
    transaction: str
    round: str
    change_minor: int


class CarriedOut(NamedTuple):
    """A message that has its final answer, which every repetition gets."""

    message: Transfer | WalletRoundEnd
    answer: WalletAnswer

    def repeated(self, message: Transfer | WalletRoundEnd) -> WalletAnswer:
        return self.answer if message == self.message else refusal("the id belongs to another message")


def refusal(reason: str) -> WalletAnswer:
    return WalletAnswer("refused", reason=reason)


class OperatorWallet:
    """Balances, and a log of the movements that is kept beside them."""

    def __init__(self, balances: Mapping[WalletAccount, int]) -> None:
        self.balances = dict(balances)
        self.movements: list[WalletMovement] = []
        self.ends: list[WalletRoundEnd] = []
        self._transfers: dict[PlayerTransaction, CarriedOut] = {}
        self._rollbacks: dict[PlayerTransaction, WalletAnswer] = {}
        self._ends: dict[PlayerRound, CarriedOut] = {}
        self._won: set[PlayerRound] = set()
        self._nets: dict[PlayerRound, int] = defaultdict(int)

    def answer(self, message: WalletMessage) -> WalletAnswer:
        match message:
            case WalletBalanceQuestion():
                return self._tell_balance(message)
            case WalletRollback():
                return self._roll_back(message)
            case WalletRoundEnd():
                return self._end_round(message)
            case _:
                return self._transfer(message)

    def refuse(self, message: WalletMessage, reason: str) -> WalletAnswer:
        """Refuse a message; a new debit for good, since nobody would roll a late copy back."""
        if not isinstance(message, WalletDebit):
            return refusal(reason)
        known = self._transfers.get((message.player, message.transaction))
        return known.repeated(message) if known else self._keep(message, refusal(reason))

    @property
    def differing_ends(self) -> list[WalletRoundEnd]:
        """Return the ends whose net result isn't that of the round's movements."""
        return [
            end
            for end in self.ends
            if end.returned_minor - end.staked_minor != self._nets[end.player, end.round]
        ]

    def _tell_balance(self, question: WalletBalanceQuestion) -> WalletAnswer:
        balance = self.balances.get(WalletAccount(question.player, question.currency))
        return refusal("no such account") if balance is None else WalletAnswer("done", balance)

    def _transfer(self, transfer: Transfer) -> WalletAnswer:
        key = transfer.player, transfer.transaction
        if key in self._rollbacks:
            return refusal("the transaction is rolled back")
        if known := self._transfers.get(key):
            return known.repeated(transfer)
        if objection := self._objection(transfer):
            return self.refuse(transfer, objection)
        return self._keep(transfer, self._carry_out(transfer))

    def _keep(self, transfer: Transfer, answer: WalletAnswer) -> WalletAnswer:
        self._transfers[transfer.player, transfer.transaction] = CarriedOut(transfer, answer)
        return answer

    def _objection(self, transfer: Transfer) -> str:
        """Return why a new transfer is refused; "": it isn't."""
        balance = self.balances.get(WalletAccount(transfer.player, transfer.currency))
        if balance is None:
            return "no such account"
        if (transfer.player, transfer.round) in self._ends:
            return "the round has ended"
        is_too_much = isinstance(transfer, WalletCredit) and balance + transfer.amount_minor > MAX_MINOR
        return "the balance would be too large" if is_too_much else ""

    def _carry_out(self, transfer: Transfer) -> WalletAnswer:
        balance = self.balances[WalletAccount(transfer.player, transfer.currency)]
        if isinstance(transfer, WalletDebit):
            if transfer.amount_minor > balance:
                return WalletAnswer("insufficient", balance)
            return self._move("debit", transfer, -transfer.amount_minor)
        if transfer.reason == "win":
            self._won.add((transfer.player, transfer.round))
        return self._move("credit", transfer, transfer.amount_minor)

    def _roll_back(self, rollback: WalletRollback) -> WalletAnswer:
        key = rollback.player, rollback.transaction
        if key not in self._rollbacks:
            answer = self._first_rollback(self._transfers.get(key))
            if answer.outcome == "refused":
                return answer
            self._rollbacks[key] = answer
        return self._rollbacks[key]

    def _first_rollback(self, known: CarriedOut | None) -> WalletAnswer:
        """Undo a debit. The answer `unknown_transaction` is kept, and refuses the debit if it comes later."""
        if known is None or known.answer.outcome != "done":
            return WalletAnswer("unknown_transaction")
        debit = known.message
        if not isinstance(debit, WalletDebit):
            return refusal("only debits can be rolled back")
        if self._is_settled((debit.player, debit.round)):
            return refusal("the round has a win or has ended")
        return self._move("rollback", debit, debit.amount_minor)

    def _is_settled(self, key: PlayerRound) -> bool:
        return key in self._won or key in self._ends

    def _end_round(self, end: WalletRoundEnd) -> WalletAnswer:
        if known := self._ends.get((end.player, end.round)):
            return known.repeated(end)
        balance = self.balances.get(WalletAccount(end.player, end.currency))
        if balance is None:
            return refusal("no such account")
        self._ends[end.player, end.round] = CarriedOut(end, WalletAnswer("done", balance))
        self.ends.append(end)
        return WalletAnswer("done", balance)

    def _move(
        self, operation: Literal["debit", "credit", "rollback"], of: Transfer, change_minor: int
    ) -> WalletAnswer:
        account = WalletAccount(of.player, of.currency)
        self.balances[account] += change_minor
        self._nets[of.player, of.round] += change_minor
        self.movements.append(WalletMovement(operation, *account, of.transaction, of.round, change_minor))
        return WalletAnswer("done", self.balances[account])
