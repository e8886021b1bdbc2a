"""The services that tables use."""

from dataclasses import dataclass

from croupier.ledger.protocol import Ledger
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.measurements import TableMeasurements
from croupier.runtime.own.funding import CashFunding, Funding, WalletFunding
from croupier.runtime.players.balances import BalanceCache
from croupier.runtime.players.bonuses import Bonuses
from croupier.runtime.players.player_limits import PlayerLimits
from croupier.runtime.players.queries import PlayerQueries
from croupier.runtime.players.registry import ConnectedPlayers
from croupier.runtime.shoe_seal import Seal
from croupier.runtime.wallet.stakes import WalletStakes


@dataclass(frozen=True, slots=True)
class TableServices:
    """The services that own and live tables share.

    `seal`: that of the shoes.
    """

    ledger: Ledger
    gateway: LedgerGateway
    balances: BalanceCache
    limits: PlayerLimits
    players: ConnectedPlayers
    queries: PlayerQueries
    seal: Seal
    bonuses: Bonuses
    wallet: WalletStakes
    measurements: TableMeasurements

    def funding(self, currency: str) -> Funding:
        """Return what pays for stakes in this currency at own tables."""
        if currency in self.wallet.rounds.currencies:
            return WalletFunding(self.balances, self.wallet)
        return CashFunding(self.balances, self.bonuses)
