"""The staff's search field: one text finds players, rounds, payments and calls to the operator's wallet."""

from functools import partial

from msgspec.structs import replace

from croupier.accounts.payments import Payment
from croupier.accounts.staff_members import Member
from croupier.gateway.pages.history import history_line
from croupier.gateway.payments import payment_line
from croupier.gateway.server import Server
from croupier.ledger.wallet_entries import RecordedCall, recorded_calls, round_prefix
from croupier.ledger.wallet_rounds import round_of_transaction
from croupier.protocol.staff_players import (
    FoundPayment,
    FoundRound,
    FoundWalletCall,
    Search,
    SearchResults,
)
from croupier.rounds.ids import find_rounds
from croupier.staff.players import OfficeLog, StaffPlayers


class StaffSearch:
    """The search over everything that a player, a provider or a log may name."""

    def __init__(self, server: Server, players: StaffPlayers, log: OfficeLog) -> None:
        self._server = server
        self._players = players
        self._log = log

    async def find(self, member: Member, text: str) -> SearchResults:
        """Return what a text names; the search is logged, without the text."""
        return await self._log.execute(member, Search(), partial(self._find, text))

    async def _find(self, text: str) -> SearchResults:
        read = self._server.gateway.read
        rounds = await read(self._rounds, text)
        payment = await self._server.payments.find(text)
        of_round = rounds[0].line.round if len(rounds) == 1 else ""
        return SearchResults(
            players=await self._players.find(text),
            rounds=rounds,
            payments=(_found_payment(payment),) if payment else (),
            wallet_calls=await read(self._wallet_calls, text, of_round),
        )

    def _rounds(self, text: str) -> tuple[FoundRound, ...]:
        found = find_rounds(self._server.ledger, text)
        return tuple(FoundRound(each.player, history_line(each, self._server.tables)) for each in found)

    def _wallet_calls(self, transaction: str, of_round: str) -> tuple[FoundWalletCall, ...]:
        """Return the calls of a round or, without one, the call of a transaction."""
        named = f"{round_prefix(round_of_transaction(transaction))}{transaction}:"
        prefix = round_prefix(of_round) if of_round else named
        return tuple(map(_found_call, recorded_calls(self._server.ledger.entries(prefix))))


def _found_payment(payment: Payment) -> FoundPayment:
    return FoundPayment(payment.player, replace(payment_line(payment), redirect=""))


def _found_call(call: RecordedCall) -> FoundWalletCall:
    return FoundWalletCall(
        transaction=call.transaction,
        player=call.ticket.player,
        table=call.ticket.table,
        round=call.ticket.round,
        currency=call.order.currency,
        amount_minor=call.order.amount_minor,
        what=call.order.reason,
        progress=call.progress,
        opened_ms=call.opened_ms,
        changed_ms=call.changed_ms,
    )
