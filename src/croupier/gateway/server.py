"""The running server: its services, and their start and stop."""

import asyncio
from dataclasses import dataclass

from croupier import clock
from croupier.accounts.approvals import Approvals
from croupier.accounts.passkeys import Passkeys
from croupier.accounts.player_index import PlayerIndex
from croupier.accounts.repository import StaffMembers
from croupier.accounts.staff_sign_ins import StaffSignIns
from croupier.admission.balances import BalanceCache
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.cluster.bus import Bus
from croupier.cluster.presence import NodePresence
from croupier.config import ServerConfig
from croupier.dealing.advice.advising import AdviceService
from croupier.dealing.current_tables import CurrentTables
from croupier.dealing.live.chat.store import ChatStore
from croupier.dealing.live.ownership import LiveTableOwner
from croupier.dealing.live.table import LiveTable
from croupier.dealing.nodes.foreign_changes import ForeignChanges
from croupier.dealing.nodes.journal_follower import JournalFollower
from croupier.dealing.nodes.remote_tables import RemoteTables
from croupier.dealing.own.player_tables import PlayerTables
from croupier.dealing.table_access import TableAccess
from croupier.dealing.table_services import TableServices
from croupier.ledger.protocol import Ledger
from croupier.money.bonus.offers import BonusOffers
from croupier.money.bonus.service import Bonuses
from croupier.money.cashier import Cashier
from croupier.money.currencies import check_decimals, currency_notes, remembered_currencies
from croupier.money.deposit_question import DepositQuestions
from croupier.money.payments.service import PaymentService
from croupier.money.wallet.service import WalletService
from croupier.outside.watch import OutsideWatch
from croupier.play.contract.amounts import Currency
from croupier.play.contract.game import Table
from croupier.players.accounts import AccountService
from croupier.players.closing import AccountClosing
from croupier.players.confirmed_actions import ConfirmedActions
from croupier.players.connected_players import ConnectedPlayers
from croupier.players.database_watch import DatabaseWatch
from croupier.players.devices import DeviceService
from croupier.players.document_acceptance import DocumentAcceptance
from croupier.players.guests import GuestExpiry
from croupier.players.launches import LaunchService
from croupier.players.limited_attempts import LimitedAttempts
from croupier.players.mail.outbox import Outbox
from croupier.players.mail_addresses import MailAddressService
from croupier.players.oidc.service import OidcService
from croupier.players.passkeys.service import PlayerPasskeys
from croupier.players.password_changes import PasswordService
from croupier.players.queries import PlayerQueries
from croupier.players.reauthentication import Reauthentication
from croupier.players.recovery import RecoveryService
from croupier.players.registry_check import RegistryCheck
from croupier.players.restrictions import RestrictionService
from croupier.players.round_sharing import RoundSharing
from croupier.players.sessions import PlayerSessions
from croupier.players.settings import PlayerSettings
from croupier.rounds import round_entries
from croupier.rounds.requests import RequestRegistry
from croupier.video.cameras import Cameras
from croupier.video.hls.streams import Streams
from croupier.video.pictures import Pictures
from croupier.video.recorder import Recorder


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """One process has one. `app.server.build_server` composes it; callers take the services they need."""

    config: ServerConfig
    tables: dict[str, Table]
    """All tables by id, in the currencies of the server."""
    currencies: dict[str, Currency]
    """The server's currencies by code, and once it has started those that it had before."""
    live: dict[str, LiveTable]
    """The live tables by id, once the server has started."""
    ledger: Ledger
    gateway: LedgerGateway
    outside: OutsideWatch
    database: DatabaseWatch
    balances: BalanceCache
    limits: PlayerLimits
    queries: PlayerQueries
    requests: RequestRegistry
    players: ConnectedPlayers
    sessions: PlayerSessions
    reauthentication: Reauthentication
    accounts: AccountService
    passwords: PasswordService
    mail_addresses: MailAddressService
    recovery: RecoveryService
    outbox: Outbox
    devices: DeviceService
    launches: LaunchService
    oidc: OidcService
    attempts: LimitedAttempts
    confirmed: ConfirmedActions
    passkeys: PlayerPasskeys
    settings: PlayerSettings
    restrictions: RestrictionService
    deposit_questions: DepositQuestions
    closing: AccountClosing
    registry: RegistryCheck
    acceptance: DocumentAcceptance
    bonuses: Bonuses
    offers: BonusOffers
    cashier: Cashier
    payments: PaymentService
    wallet: WalletService
    sharing: RoundSharing
    player_tables: PlayerTables
    access: TableAccess
    advice: AdviceService
    approvals: Approvals
    player_index: PlayerIndex
    staff_members: StaffMembers
    staff_sign_ins: StaffSignIns
    passkey_store: Passkeys
    chat: ChatStore
    cameras: Cameras
    streams: Streams
    pictures: Pictures
    """The pictures at all tables, those of other nodes too."""
    recorder: Recorder
    expiry: GuestExpiry
    live_tables: LiveTableOwner
    remote_tables: RemoteTables
    """The live tables of other nodes."""
    current: CurrentTables
    """The tables with their present limits."""
    foreign_changes: ForeignChanges
    follower: JournalFollower | None
    """Follows other nodes on the same database, if there may be any."""
    table_services: TableServices
    bus: Bus | None
    """Connects the nodes that share the database, if there may be any."""
    presence: NodePresence | None
    """Compares this node's bus with that of the others, if there may be any."""

    async def start(self) -> None:
        """Note currencies and rules, resume or void what was left open, and open the live tables.

        DatabaseUnusable if a currency's decimals differ from those of recorded amounts.
        """
        if self.follower:
            await self.follower.prepare()
        await self._note_currencies()
        await asyncio.to_thread(self.limits.load)
        await self.payments.load()
        await self.wallet.load()
        await self.bonuses.load()
        self.offers.load()
        if self.follower:
            self.follower.start()
        await self.reauthentication.sweep()
        await self.gateway.post([round_entries.build_note(clock.now_ms())])
        for table in self.tables.values():
            await self.gateway.post([round_entries.rules_note(table, clock.now_ms())])
        left_open = await asyncio.to_thread(self.ledger.open_rounds)
        await self.player_tables.resume(
            record for record in left_open if record.table not in self.live_tables
        )
        await self.player_tables.end_expired()
        await self.remote_tables.start()
        if self.presence:
            await self.presence.start()
        await self.live_tables.start(left_open)
        self.cameras.start()
        self.recorder.start()
        self.streams.start()

    async def _note_currencies(self) -> None:
        await asyncio.to_thread(check_decimals, self.config, self.ledger)
        if notes := await asyncio.to_thread(currency_notes, self.config, self.ledger, clock.now_ms()):
            await self.gateway.post(notes)
        remembered = await asyncio.to_thread(remembered_currencies, self.ledger)
        self.currencies.update(remembered | self.currencies)

    async def stop(self) -> None:
        """Stop the live tables: their open rounds are void, and every stake is returned."""
        await self.recorder.close()
        await self.streams.close()
        await self.cameras.close()
        await self.live_tables.stop()
        self.remote_tables.stop()
        if self.presence:
            self.presence.stop()
        if self.follower:
            await self.follower.stop()
        self.foreign_changes.stop()
        await self.wallet.close()
        await self.payments.close()
        await self.outbox.close()
        await self.chat.flush()
        await self.advice.close()
        await self.registry.close()
        await self.oidc.close()

    async def end_idle_sessions(self) -> None:
        """End the sessions of connected players who did nothing for too long: called every second."""
        await self.reauthentication.end_idle()
        await self.sessions.end_idle()

    async def sweep(self) -> None:
        """End idle and long sessions, rounds that have waited long enough, and unused guests."""
        await self.reauthentication.sweep()
        await self.sessions.end_idle()
        await self.restrictions.end_long_sessions()
        await self.player_tables.end_expired()
        await self.bonuses.sweep()
        self.requests.sweep(self.players, clock.now_ms())
        await self.expiry.sweep(self.players, clock.now_ms())
        await self.sessions.mark_seen()
