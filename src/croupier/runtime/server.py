"""The running server: its services, and their start and stop."""

from dataclasses import dataclass

from croupier import clock
from croupier.accounts.repository import StaffMembers
from croupier.config import ServerConfig
from croupier.ledger.protocol import Ledger
from croupier.play.contract.game import Table
from croupier.runtime import round_entries
from croupier.runtime.advice.advising import AdviceService
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.live.chat.store import ChatStore
from croupier.runtime.live.speculation.interface import Speculate
from croupier.runtime.live.startup import CLOSES, start_table, void_left_open
from croupier.runtime.live.table import LiveTable
from croupier.runtime.own.player_tables import PlayerTables
from croupier.runtime.players.balances import BalanceCache
from croupier.runtime.players.cashier import Cashier
from croupier.runtime.players.guests import GuestExpiry
from croupier.runtime.players.player_limits import PlayerLimits
from croupier.runtime.players.queries import PlayerQueries
from croupier.runtime.players.registry import ConnectedPlayers
from croupier.runtime.players.restrictions import RestrictionService
from croupier.runtime.players.sessions import PlayerSessions
from croupier.runtime.players.settings import PlayerSettings
from croupier.runtime.requests import RequestRegistry
from croupier.runtime.table_access import TableAccess
from croupier.runtime.table_services import TableServices


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """One process has one. `app.server.build_server` composes it; callers take the services they need."""

    config: ServerConfig
    tables: dict[str, Table]
    """All tables by id, in the currencies of the server."""
    live: dict[str, LiveTable]
    """The live tables by id, once the server has started."""
    ledger: Ledger
    gateway: LedgerGateway
    balances: BalanceCache
    limits: PlayerLimits
    queries: PlayerQueries
    requests: RequestRegistry
    players: ConnectedPlayers
    sessions: PlayerSessions
    settings: PlayerSettings
    restrictions: RestrictionService
    cashier: Cashier
    player_tables: PlayerTables
    access: TableAccess
    advice: AdviceService
    staff_members: StaffMembers
    chat: ChatStore
    expiry: GuestExpiry
    table_services: TableServices
    speculate: Speculate

    async def start(self) -> None:
        """Enter the rules of every table, resume or void what was left open, and open the live tables."""
        self.limits.load()
        for table in self.tables.values():
            await self.gateway.post([round_entries.rules_note(table, clock.now_ms())])
        left_open = self.ledger.open_rounds()
        dealt_live = {table.id for table in self.tables.values() if table.dealing == "live"}
        await self.player_tables.resume(record for record in left_open if record.table not in dealt_live)
        await self.player_tables.end_waiting()
        left_open_live = [record for record in left_open if record.table in dealt_live]
        void = await void_left_open(left_open_live, self.gateway)
        for table in (self.tables[name] for name in sorted(dealt_live)):
            self.live[table.id] = await start_table(
                table, self.config, self.table_services, self.chat, void, self.speculate
            )

    async def stop(self) -> None:
        """Stop the live tables: their open rounds are void, and every stake is returned."""
        for table in self.live.values():
            await table.close(CLOSES)
        await self.chat.flush()
        await self.advice.close()

    async def sweep(self) -> None:
        """End idle and long sessions, rounds that have waited long enough, and unused guests."""
        await self.sessions.end_idle()
        await self.restrictions.end_long_sessions()
        await self.player_tables.end_waiting()
        self.requests.sweep(self.players, clock.now_ms())
        await self.expiry.sweep(self.players, clock.now_ms())
        await self.sessions.mark_seen()
