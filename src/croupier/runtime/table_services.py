"""The services that tables use."""

from dataclasses import dataclass

from croupier.ledger.protocol import Ledger
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.players.balances import BalanceCache
from croupier.runtime.players.player_limits import PlayerLimits
from croupier.runtime.players.queries import PlayerQueries
from croupier.runtime.players.registry import ConnectedPlayers
from croupier.runtime.shoe_seal import Seal


@dataclass(frozen=True, slots=True)
class TableServices:
    """`seal`: that of the shoes."""

    ledger: Ledger
    gateway: LedgerGateway
    balances: BalanceCache
    limits: PlayerLimits
    players: ConnectedPlayers
    queries: PlayerQueries
    seal: Seal
