"""Composition of the server from its stores, tables and configuration."""

from collections.abc import Mapping

from croupier.config import DEFAULT_CONFIG, ServerConfig
from croupier.play.contract.game import Table
from croupier.runtime.advice.advising import AdviceService
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.live.chat.store import ChatStore
from croupier.runtime.live.speculation.interface import Speculate
from croupier.runtime.live.speculation.round_end import speculating
from croupier.runtime.live.table import LiveTable
from croupier.runtime.own.player_tables import PlayerTables
from croupier.runtime.players.balances import BalanceCache
from croupier.runtime.players.cashier import Cashier
from croupier.runtime.players.guests import GuestExpiry
from croupier.runtime.players.play_limits import PlayLimitsRegistry
from croupier.runtime.players.player_limits import PlayerLimits
from croupier.runtime.players.queries import PlayerQueries
from croupier.runtime.players.registry import ConnectedPlayers
from croupier.runtime.players.restrictions import RestrictionService
from croupier.runtime.players.sessions import PlayerSessions
from croupier.runtime.players.settings import PlayerSettings
from croupier.runtime.requests import RequestRegistry
from croupier.runtime.server import Server
from croupier.runtime.shoe_seal import Seal
from croupier.runtime.stores import Stores
from croupier.runtime.table_access import TableAccess
from croupier.runtime.table_services import TableServices
from croupier.tables.limits import in_currencies


def build_server(
    stores: Stores,
    tables: Mapping[str, Table],
    seal: Seal,
    config: ServerConfig = DEFAULT_CONFIG,
    speculate: Speculate | None = None,
) -> Server:
    """Return a server that isn't started; `seal` is that of the shoes."""
    profile, currencies, ledger = config.profile, tuple(config.currencies), stores.ledger
    tables = in_currencies(tables, currencies)
    live: dict[str, LiveTable] = {}
    balances = BalanceCache()
    players = ConnectedPlayers(balances)
    limits = PlayerLimits(ledger, balances, players.visit_began_ms)
    gateway = LedgerGateway(ledger, balances, limits)
    queries = PlayerQueries(ledger, currencies)
    requests = RequestRegistry(lambda: {table.state.round for table in live.values()})
    services = TableServices(ledger, gateway, balances, limits, players, queries, seal)
    play_limits = PlayLimitsRegistry(profile, queries)
    player_tables = PlayerTables(services, tables, play_limits, config.inactivity)
    sessions = PlayerSessions(gateway, stores.accounts, players, limits, play_limits, config)
    return Server(
        config=config,
        tables=tables,
        live=live,
        ledger=ledger,
        gateway=gateway,
        balances=balances,
        limits=limits,
        queries=queries,
        requests=requests,
        players=players,
        sessions=sessions,
        settings=PlayerSettings(gateway, stores.accounts, profile, currencies),
        restrictions=RestrictionService(
            gateway, limits, players, sessions, player_tables, config.responsible_gaming.cooling_off_hours
        ),
        cashier=Cashier(gateway, requests, players, queries, currencies),
        player_tables=player_tables,
        access=TableAccess(tables, live, player_tables, limits, profile.tables_max),
        advice=AdviceService(ledger, gateway, stores.training, tables, profile),
        staff_members=stores.staff,
        chat=ChatStore(gateway, stores.chat),
        expiry=GuestExpiry(gateway, stores.unused_guests, config.inactivity.unused_guest_days),
        table_services=services,
        speculate=speculate or speculating(),
    )
