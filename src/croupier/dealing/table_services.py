"""The services that tables use."""

from dataclasses import dataclass

from croupier.admission.balances import BalanceCache
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.dealing.own.funding import CashFunding, Funding, WalletFunding
from croupier.ledger.protocol import Ledger
from croupier.measurements import TableMeasurements
from croupier.money.bonus.service import Bonuses
from croupier.money.wallet.stakes import WalletStakes
from croupier.players.connected_players import ConnectedPlayers
from croupier.players.queries import PlayerQueries
from croupier.rounds.shoe_seal import Seal


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
