"""Stakes that an operator's wallet pays: debited first, then posted together with the stake's own entry.

A debit without an answer may have been carried out. Its stake isn't accepted, and the debit is rolled back.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from croupier import clock
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.ledger.entries import Entry, Ticket
from croupier.ledger.leases import LeaseLost
from croupier.ledger.wallet_entries import (
    WalletCall,
    WalletOrder,
    call_of,
    wallet_call,
    wallet_debited,
    wallet_refused,
    wallet_rollback,
)
from croupier.ledger.wallet_rounds import WalletRounds, new_transaction
from croupier.money.wallet.balances import WalletBalances
from croupier.money.wallet.client import WalletClient
from croupier.money.wallet.names import OperatorNames
from croupier.outside.no_answer import NoAnswer
from croupier.protocol.wallet_wire import WalletAnswer, WalletDebit
from croupier.refusal import Refused

log = logging.getLogger(__name__)


class PaidStake(NamedTuple):
    """A debit that the wallet has carried out: to be posted with its stake, or rolled back."""

    call: WalletCall
    answer: WalletAnswer


class WalletStakes:
    """Takes stakes from an operator's wallet.

    `rounds` has the wallet's currencies.
    """

    def __init__(
        self,
        gateway: LedgerGateway,
        limits: PlayerLimits,
        rounds: WalletRounds,
        names: OperatorNames,
        client: WalletClient,
        balances: WalletBalances,
    ) -> None:
        self.rounds = rounds
        self._gateway = gateway
        self._limits = limits
        self._names = names
        self._client = client
        self._balances = balances

    async def post(self, player: str, posted: Sequence[Entry], gateway: LedgerGateway | None = None) -> None:
        """Post the entries of one round at an own table; the wallet pays their stakes.

        Refused as by `debit`, by the ledger and by the player's limits.
        """
        gateway = gateway or self._gateway
        staked = [entry for entry in posted if entry.moved("cash", "in_play")]
        if not staked:
            await gateway.post(posted)
            return
        currency = staked[0].moves[0].debit.currency
        ticket = Ticket(staked[0].round, player, staked[0].table, currency)
        async with gateway.hold_reservation(partial(self._limits.reserve, posted)):
            amount_minor = sum(entry.moved("cash", "in_play") for entry in staked)
            paid = await self.debit(ticket, amount_minor, gateway)
            await self._check_still_admitted(paid)
            await self.accept(paid, posted, gateway)

    async def _check_still_admitted(self, paid: PaidStake) -> None:
        """Roll a debit back if the player's break or exclusion began while the wallet answered."""
        try:
            self._limits.check_not_barred(paid.call.ticket.player)
        except Refused:
            await self.roll_back(paid.call)
            raise

    async def debit(self, ticket: Ticket, amount_minor: int, gateway: LedgerGateway) -> PaidStake:
        """Ask the wallet for a stake at a table with this gateway.

        LeaseLost if another process runs the table, as it may have ended the round. Refuse `wallet_only` for
        a player who isn't the operator's, `not_covered`, `wallet_refused`, and `wallet_no_answer` if the
        outcome is unknown.
        """
        name = await self._names.of(ticket.player)
        if not name:
            raise Refused("wallet_only", currency=ticket.currency)
        call = await self._open_call(ticket, amount_minor, gateway)
        try:
            answer = await self._client.ask(_debit(name, call))
        except NoAnswer as error:
            log.warning(
                "wallet: no answer to the debit %s, which is rolled back: %s", call.transaction, error
            )
            await self.roll_back(call)
            raise Refused("wallet_no_answer") from error
        if answer.outcome == "done":
            return PaidStake(call, answer)
        raise await self._refusal(call, answer)

    async def accept(self, paid: PaidStake, posted: Sequence[Entry], gateway: LedgerGateway) -> None:
        """Post the entries of a stake with the money that the wallet has paid; roll back if they are refused.

        `gateway`: that of the table, which isn't the table's any more if another process runs it.
        The caller checks the player's own limits.
        """
        debited = wallet_debited(paid.call, clock.now_ms())
        try:
            await gateway.post_reserved([debited, *posted])
        except (Refused, LeaseLost) as error:
            await self.roll_back(paid.call)
            if isinstance(error, Refused) and error.args_.get("key") == debited.key:
                raise Refused("wallet_no_answer") from error  # another process has rolled it back
            raise
        await self._balances.show(paid.call.ticket, paid.answer)

    async def roll_back(self, call: WalletCall) -> None:
        """Have a debit undone, however long that takes."""
        await self._gateway.post([wallet_rollback(call, clock.now_ms())])

    async def _open_call(self, ticket: Ticket, amount_minor: int, gateway: LedgerGateway) -> WalletCall:
        order = WalletOrder(ticket.currency, amount_minor, "stake", self.rounds.game(ticket.table))
        entry = wallet_call(ticket, new_transaction(ticket), clock.now_ms(), order)
        await gateway.post([entry])
        return call_of(entry, "called")

    async def _refusal(self, call: WalletCall, answer: WalletAnswer) -> Refused:
        with suppress(Refused):  # rolled back meanwhile by a process that took this one for dead
            await self._gateway.post([wallet_refused(call, clock.now_ms(), answer.reason)])
        await self._balances.show(call.ticket, answer)
        if answer.outcome == "insufficient":
            balance_minor, needed_minor = answer.balance_minor or 0, call.order.amount_minor
            currency = call.order.currency
            return Refused(
                "not_covered", currency=currency, balance_minor=balance_minor, needed_minor=needed_minor
            )
        log.warning("wallet: the debit %s is refused: %s", call.transaction, answer.reason)
        return Refused("wallet_refused")


def _debit(name: str, call: WalletCall) -> WalletDebit:
    (round_, _, table, currency), order = call.ticket, call.order
    return WalletDebit(call.transaction, name, currency, order.amount_minor, round_, table, order.game)
