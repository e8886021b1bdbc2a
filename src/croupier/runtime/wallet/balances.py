"""Balances of an operator's wallet, as players see them."""

from collections.abc import Iterable

from croupier.ledger.entries import Ticket
from croupier.ledger.protocol import LedgerReader
from croupier.protocol.wallet_wire import WalletAnswer, WalletBalanceQuestion
from croupier.runtime.no_answer import NoAnswer
from croupier.runtime.players.balances import BalanceCache
from croupier.runtime.players.registry import ConnectedPlayers
from croupier.runtime.wallet.client import WalletClient


class WalletBalances:
    """Shows a balance that the wallet reports, with what is still to be credited to it."""

    def __init__(
        self, ledger: LedgerReader, balances: BalanceCache, players: ConnectedPlayers, client: WalletClient
    ) -> None:
        self._ledger = ledger
        self._balances = balances
        self._players = players
        self._client = client
        self._asked: set[str] = set()
        """Players whose balances are asked for, and who have been shown none meanwhile."""

    async def ask(self, player: str, name: str, currencies: Iterable[str]) -> None:
        """Ask for a player's balances. A balance may be older than one that was shown meanwhile: drop it."""
        for currency in currencies:
            self._asked.add(player)
            try:
                answer = await self._client.ask(WalletBalanceQuestion(name, currency))
            except NoAnswer:
                return  # the answer to the next bet has the balance
            if player in self._asked:
                self.show(Ticket("", player, "", currency), answer)

    def show(self, of: Ticket, answer: WalletAnswer) -> None:
        """Show the balance of an answer, whose outcome is in the ledger."""
        self._asked.discard(of.player)
        if answer.balance_minor is None or of.player not in self._players:
            return
        owed_minor = self._ledger.balances(of.player).get(of.currency, {}).get("owed", 0)
        self._balances.set_cash(of.player, of.currency, answer.balance_minor + owed_minor)
        self._players.send_balance(of.player, of.currency)
