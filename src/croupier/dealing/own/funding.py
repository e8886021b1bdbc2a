"""The source of a stake at an own table: the player's cash and bonus, or an operator's wallet."""

from collections.abc import Sequence
from typing import Protocol

from croupier.admission.balances import BalanceCache
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.ledger.entries import MOVE_MINOR_MAX, Entry
from croupier.money.bonus.service import Bonuses
from croupier.money.wallet.stakes import WalletStakes


class Funding(Protocol):
    """Pays a player's stakes in one currency."""

    def funds_minor(self, player: str, currency: str, table: str) -> int:
        """Return what the player can stake, as far as it is known."""
        ...

    def stakable_minor(self, player: str, currency: str, table: str) -> int:
        """Return the largest stake that isn't refused before `post` tries it."""
        ...

    async def post(self, player: str, posted: Sequence[Entry], gateway: LedgerGateway | None = None) -> None:
        """Post the entries of one round, whose stakes are paid; refused, nothing has changed.

        `gateway`: that of the table, if other processes may have it.
        """


class CashFunding:
    """Pays with cash first, and bonus money for the rest."""

    def __init__(self, balances: BalanceCache, bonuses: Bonuses) -> None:
        self._balances = balances
        self._bonuses = bonuses
        self.post = bonuses.post

    def funds_minor(self, player: str, currency: str, table: str) -> int:
        return self._balances.cash(player, currency) + self._bonuses.spendable_minor(player, currency, table)

    def stakable_minor(self, player: str, currency: str, table: str) -> int:
        """Return the player's funds; any amount if their last browser has left, as the ledger decides."""
        known = self._balances.knows(player)
        return self.funds_minor(player, currency, table) if known else MOVE_MINOR_MAX


class WalletFunding:
    """Pays with an operator's wallet."""

    def __init__(self, balances: BalanceCache, stakes: WalletStakes) -> None:
        self._balances = balances
        self.post = stakes.post

    def funds_minor(self, player: str, currency: str, _table: str) -> int:
        """Return the last known balance, 0 for players who aren't connected.

        While it is unknown, any amount: no option may look unaffordable for want of an answer.
        """
        held = self._balances.held(player, currency)
        return MOVE_MINOR_MAX if held.unknown else held.cash_minor

    def stakable_minor(self, _player: str, _currency: str, _table: str) -> int:
        """Return any amount: the balance may have grown elsewhere, so the wallet decides."""
        return MOVE_MINOR_MAX
