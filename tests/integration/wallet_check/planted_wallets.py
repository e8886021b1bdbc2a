"""Faulty wallets: each breaks one rule of the protocol."""

from msgspec.structs import replace

from croupier.integration.wallet_operator.wallet import (
    CarriedOut,
    OperatorWallet,
    PlayerRound,
    Transfer,
    WalletAccount,
    refusal,
)
from croupier.protocol.wallet_wire import (
    WalletAnswer,
    WalletBalanceQuestion,
    WalletCredit,
    WalletDebit,
    WalletMessage,
    WalletRollback,
    WalletRoundEnd,
)


class _ChangedIds(OperatorWallet):
    """A wallet that keeps changed ids."""

    def answer(self, message: WalletMessage) -> WalletAnswer:
        if isinstance(message, WalletDebit | WalletCredit | WalletRollback):
            message = replace(message, transaction=self._kept(message.transaction))
        return super().answer(message)

    def _kept(self, transaction: str) -> str:
        raise NotImplementedError


class CutsIds(_ChangedIds):
    def _kept(self, transaction: str) -> str:
        return transaction[:64]


class IgnoresCase(_ChangedIds):
    def _kept(self, transaction: str) -> str:
        return transaction.lower()


class KeyWithoutPlayer(OperatorWallet):
    """A wallet that finds transactions by their id alone."""

    def answer(self, message: WalletMessage) -> WalletAnswer:
        if isinstance(message, WalletDebit | WalletCredit | WalletRollback):
            for player, transaction in self._transfers:
                if transaction == message.transaction:
                    message = replace(message, player=player)
        return super().answer(message)


class ForgetsRefusals(OperatorWallet):
    """A wallet that stores what it has carried out, and no refusal."""

    def refuse(self, _: WalletMessage, reason: str) -> WalletAnswer:
        return refusal(reason)


class ForgetsDebits(OperatorWallet):
    """A wallet that carries each copy of a debit out."""

    def _transfer(self, transfer: Transfer) -> WalletAnswer:
        if isinstance(transfer, WalletDebit):
            self._transfers.pop((transfer.player, transfer.transaction), None)
        return super()._transfer(transfer)


class ForgetsCredits(OperatorWallet):
    def _transfer(self, transfer: Transfer) -> WalletAnswer:
        if isinstance(transfer, WalletCredit):
            self._transfers.pop((transfer.player, transfer.transaction), None)
        return super()._transfer(transfer)


class ComparesNothing(OperatorWallet):
    """A wallet that answers what it stored under the id, whatever the message is."""

    def _transfer(self, transfer: Transfer) -> WalletAnswer:
        known = self._transfers.get((transfer.player, transfer.transaction))
        return known.answer if known else super()._transfer(transfer)


class ComparesAmountsOnly(OperatorWallet):
    def _transfer(self, transfer: Transfer) -> WalletAnswer:
        known = self._transfers.get((transfer.player, transfer.transaction))
        if known and isinstance(known.message, WalletDebit | WalletCredit):
            same = known.message.amount_minor == transfer.amount_minor
            return known.answer if same else refusal("another amount")
        return super()._transfer(transfer)


class ForgetsInsufficiency(OperatorWallet):
    def _transfer(self, transfer: Transfer) -> WalletAnswer:
        answer = super()._transfer(transfer)
        if answer.outcome == "insufficient":
            del self._transfers[transfer.player, transfer.transaction]
        return answer


class NoTombstones(OperatorWallet):
    def _roll_back(self, rollback: WalletRollback) -> WalletAnswer:
        answer = super()._roll_back(rollback)
        if answer.outcome == "unknown_transaction":
            del self._rollbacks[rollback.player, rollback.transaction]
        return answer


class RollsBackTwice(OperatorWallet):
    def _roll_back(self, rollback: WalletRollback) -> WalletAnswer:
        self._rollbacks.pop((rollback.player, rollback.transaction), None)
        return super()._roll_back(rollback)


class RefusesUnknownRollbacks(OperatorWallet):
    def _roll_back(self, rollback: WalletRollback) -> WalletAnswer:
        answer = super()._roll_back(rollback)
        return refusal("no such debit") if answer.outcome == "unknown_transaction" else answer


class RollsBackRounds(OperatorWallet):
    """A wallet that undoes all debits of the round."""

    def _first_rollback(self, known: CarriedOut | None) -> WalletAnswer:
        answer = super()._first_rollback(known)
        if answer.outcome == "done" and known:
            for key, other in self._transfers.items():
                if other.message.round == known.message.round and other is not known:
                    self._rollbacks[key] = super()._first_rollback(other)
        return answer


class RollsBackWins(OperatorWallet):
    def _is_settled(self, key: PlayerRound) -> bool:
        return key in self._ends


class RollsBackEndedRounds(OperatorWallet):
    def _is_settled(self, key: PlayerRound) -> bool:
        return key in self._won


class DebitsAfterRollback(OperatorWallet):
    """A wallet that carries a debit out again after it was rolled back."""

    def _transfer(self, transfer: Transfer) -> WalletAnswer:
        key = transfer.player, transfer.transaction
        rolled_back = self._rollbacks.get(key)
        if rolled_back and rolled_back.outcome == "done":
            del self._rollbacks[key], self._transfers[key]
        return super()._transfer(transfer)


class DebitsAfterEnd(OperatorWallet):
    def _objection(self, transfer: Transfer) -> str:
        objection = super()._objection(transfer)
        return "" if objection == "the round has ended" else objection


class EndsOnce(OperatorWallet):
    def _end_round(self, end: WalletRoundEnd) -> WalletAnswer:
        if (end.player, end.round) in self._ends:
            return refusal("the round has ended")
        return super()._end_round(end)


class NoVoidRounds(OperatorWallet):
    def _end_round(self, end: WalletRoundEnd) -> WalletAnswer:
        return refusal("void") if end.status == "void" else super()._end_round(end)


class EndsKnownRoundsOnly(OperatorWallet):
    def _end_round(self, end: WalletRoundEnd) -> WalletAnswer:
        is_known = any(each.message.round == end.round for each in self._transfers.values())
        return super()._end_round(end) if is_known else refusal("no such round")


class PaysAtTheEnd(OperatorWallet):
    """A wallet that takes the end of a round for a credit."""

    def _end_round(self, end: WalletRoundEnd) -> WalletAnswer:
        self.balances[WalletAccount(end.player, end.currency)] += end.staked_minor
        return super()._end_round(end)


class NegativeBalances(OperatorWallet):
    """A wallet that carries every debit out, and shows debts as nothing."""

    def _carry_out(self, transfer: Transfer) -> WalletAnswer:
        if isinstance(transfer, WalletDebit):
            return self._move("debit", transfer, -transfer.amount_minor)
        return super()._carry_out(transfer)

    def answer(self, message: WalletMessage) -> WalletAnswer:
        answer = super().answer(message)
        return replace(answer, balance_minor=max(0, answer.balance_minor or 0))


class KeepsOneUnit(OperatorWallet):
    """A wallet that compares with < instead of <=."""

    def _carry_out(self, transfer: Transfer) -> WalletAnswer:
        balance = self.balances[WalletAccount(transfer.player, transfer.currency)]
        if isinstance(transfer, WalletDebit) and transfer.amount_minor == balance:
            return WalletAnswer("insufficient", balance)
        return super()._carry_out(transfer)


class CreatesPlayers(OperatorWallet):
    def answer(self, message: WalletMessage) -> WalletAnswer:
        if isinstance(message, WalletDebit | WalletBalanceQuestion) and message.currency == "EUR":
            self.balances.setdefault(WalletAccount(message.player, "EUR"), 1_000)
        return super().answer(message)


class IgnoresCurrencies(OperatorWallet):
    def answer(self, message: WalletMessage) -> WalletAnswer:
        return super().answer(
            message if isinstance(message, WalletRollback) else replace(message, currency="EUR")
        )


class RefusesZero(OperatorWallet):
    def _objection(self, transfer: Transfer) -> str:
        return super()._objection(transfer) if transfer.amount_minor else "no amount"


class IgnoresRefunds(OperatorWallet):
    def _carry_out(self, transfer: Transfer) -> WalletAnswer:
        if isinstance(transfer, WalletCredit) and transfer.reason == "refund" and transfer.amount_minor == 4:
            return self._move("credit", transfer, 0)
        return super()._carry_out(transfer)


class PaysStakedRoundsOnly(OperatorWallet):
    """A wallet that refuses wins without a debit in the round."""

    def _objection(self, transfer: Transfer) -> str:
        debits = (each.message for each in self._transfers.values() if isinstance(each.message, WalletDebit))
        is_promotion = isinstance(transfer, WalletCredit) and transfer.reason == "win"
        if is_promotion and not any(debit.round == transfer.round for debit in debits):
            return "no debit"
        return super()._objection(transfer)


class OneDebitARound(OperatorWallet):
    def _objection(self, transfer: Transfer) -> str:
        others = (each.message for each in self._transfers.values() if isinstance(each.message, WalletDebit))
        is_debit = isinstance(transfer, WalletDebit)
        if is_debit and any(
            other.round == transfer.round and other.player == transfer.player for other in others
        ):
            return "the round has a debit"
        return super()._objection(transfer)


class TellsOldBalances(OperatorWallet):
    def _transfer(self, transfer: Transfer) -> WalletAnswer:
        before = self.balances.get(WalletAccount(transfer.player, transfer.currency))
        return replace(super()._transfer(transfer), balance_minor=before)


class IgnoresCredits(OperatorWallet):
    """A wallet that acknowledges wins and gives nothing."""

    def _carry_out(self, transfer: Transfer) -> WalletAnswer:
        if isinstance(transfer, WalletCredit) and transfer.reason == "win":
            return WalletAnswer("done")
        return super()._carry_out(transfer)


class RollsBackNothing(OperatorWallet):
    """A wallet that acknowledges rollbacks and gives nothing."""

    def _first_rollback(self, known: CarriedOut | None) -> WalletAnswer:
        answer = super()._first_rollback(known)
        if answer.outcome == "done" and known and isinstance(known.message, WalletDebit):
            self.balances[WalletAccount(known.message.player, "EUR")] -= known.message.amount_minor
        return answer


class KnowsNobody(OperatorWallet):
    def answer(self, message: WalletMessage) -> WalletAnswer:
        is_question = isinstance(message, WalletBalanceQuestion)
        return refusal("no such player") if is_question else super().answer(message)
