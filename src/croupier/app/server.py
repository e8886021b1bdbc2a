"""Composition of the server from its stores, tables and configuration."""

from collections.abc import Collection, Mapping

from croupier.admission.balances import BalanceCache
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.cluster.bus import Bus
from croupier.cluster.presence import NodePresence
from croupier.cluster.roles import BOTH_ROLES, NodeRole, node_id
from croupier.cluster.table_leases import TableLeases
from croupier.config import DEFAULT_CONFIG, ServerConfig
from croupier.config.ice import ConfiguredIce
from croupier.dealing.advice.advising import AdviceService
from croupier.dealing.current_tables import CurrentTables
from croupier.dealing.live.chat.store import ChatStore
from croupier.dealing.live.ownership import LiveTableOwner
from croupier.dealing.live.speculation.interface import Speculate
from croupier.dealing.live.speculation.round_end import speculating
from croupier.dealing.live.table import LiveTable
from croupier.dealing.nodes.foreign_changes import ForeignChanges
from croupier.dealing.nodes.journal_follower import JournalFollower
from croupier.dealing.nodes.remote_tables import RemoteTables
from croupier.dealing.own.player_tables import PlayerTables
from croupier.dealing.table_access import TableAccess
from croupier.dealing.table_services import TableServices
from croupier.gateway.server import Server
from croupier.ledger.wallet_calls import HeldCalls, SharedCalls
from croupier.ledger.wallet_rounds import WalletRounds
from croupier.measurements import TableMeasurements
from croupier.money.bonus.offers import BonusOffers
from croupier.money.bonus.service import Bonuses
from croupier.money.cashier import Cashier
from croupier.money.deposit_question import DepositQuestions
from croupier.money.payments.providers import payment_services
from croupier.money.payments.service import PaymentService
from croupier.money.play_conditions import CurrentConditions
from croupier.money.wallet.service import wallet_service
from croupier.outside.systems import OutsideSystems
from croupier.outside.watch import OutsideWatch
from croupier.play.contract.game import Table
from croupier.players.accounts import AccountService
from croupier.players.closing import AccountClosing
from croupier.players.confirmed_actions import ConfirmedActions
from croupier.players.connected_players import ConnectedPlayers
from croupier.players.credential_updates import CredentialUpdates
from croupier.players.database_watch import DatabaseWatch
from croupier.players.devices import DeviceService
from croupier.players.document_acceptance import DocumentAcceptance
from croupier.players.external_sessions import ExternalSessions
from croupier.players.guests import GuestExpiry
from croupier.players.launches import LaunchService
from croupier.players.limited_attempts import LimitedAttempts
from croupier.players.mail.outbox import Outbox
from croupier.players.mail_addresses import MailAddressService
from croupier.players.oidc.service import OidcService
from croupier.players.passkeys.service import PlayerPasskeys
from croupier.players.password_changes import PasswordService
from croupier.players.password_hashing import PasswordHashing
from croupier.players.play_limits import PlayLimitsRegistry
from croupier.players.queries import PlayerQueries
from croupier.players.reauthentication import Reauthentication
from croupier.players.recovery import RecoveryService
from croupier.players.registry_check import RegistryCheck, registry_of
from croupier.players.restrictions import RestrictionService
from croupier.players.round_sharing import RoundSharing
from croupier.players.sessions import OutsideBalances, PlayerSessions
from croupier.players.settings import PlayerSettings
from croupier.rounds.requests import RequestRegistry
from croupier.rounds.shoe_seal import Seal
from croupier.storage.stores import Stores
from croupier.tables.limits import in_currencies
from croupier.video.cameras import Cameras
from croupier.video.hls.streams import Streams
from croupier.video.ice import IceServers
from croupier.video.pictures import Pictures
from croupier.video.port import Media
from croupier.video.recorder import Recorder


def build_server(
    stores: Stores,
    tables: Mapping[str, Table],
    seal: Seal,
    config: ServerConfig = DEFAULT_CONFIG,
    speculate: Speculate | None = None,
    bus: Bus | None = None,
    media: Media | None = None,
    roles: Collection[NodeRole] = BOTH_ROLES,
) -> Server:
    """Return a server that hasn't been started.

    `seal`: the seal of the shoes. `bus`: connects the nodes that share the database; None for a single node.
    `media`: replaces the configured media server. `roles`: the roles of this node.
    """
    profile, currencies, ledger = config.profile, tuple(config.currencies), stores.ledger
    tables = in_currencies(tables, currencies)
    live: dict[str, LiveTable] = {}
    balances = BalanceCache()
    outside = OutsideSystems()
    players = ConnectedPlayers(balances)
    limits = PlayerLimits(ledger, balances, players.visit_began_ms, config.reports.zone)
    wallet_rounds = WalletRounds(
        config.wallet.currencies,
        {table.id: table.game.name for table in tables.values()},
        SharedCalls(ledger) if stores.leases.is_shared else HeldCalls(),
    )
    stores.payments.rules = config.payment_rules
    gateway = LedgerGateway(ledger, balances, limits, wallet_rounds)
    queries = PlayerQueries(ledger, currencies)
    requests = RequestRegistry(lambda: {table.state.round for table in live.values()})
    bonuses = Bonuses(ledger, gateway, players, tables, config.bonuses, stores.payments)
    offers = BonusOffers(gateway, ledger, stores.payments, limits, queries, bonuses, config)
    leases = TableLeases(stores.leases, gateway)
    wallet = wallet_service(
        gateway,
        ledger,
        stores.external_players,
        balances,
        players,
        limits,
        wallet_rounds,
        config.wallet,
        leases,
        outside.wallet,
    )
    measured = TableMeasurements()
    services = TableServices(
        ledger, gateway, balances, limits, players, queries, seal, bonuses, wallet.stakes, measured
    )
    play_limits = PlayLimitsRegistry(gateway, profile, queries, config.documents)
    player_tables = PlayerTables(services, tables, play_limits, config.inactivity, leases)
    hashing, outbox = PasswordHashing(), Outbox(config.mail, outside.mail)
    attempts = LimitedAttempts(gateway, stores.attempts)
    credentials = CredentialUpdates(gateway, stores.credential_changes, outbox)
    confirmed = ConfirmedActions(gateway, stores.identities, stores.passkeys, hashing, attempts)
    outside_balances = OutsideBalances(wallet.expect, wallet.arrived, wallet.refresh)
    sessions = PlayerSessions(
        gateway, stores.accounts, players, limits, play_limits, outside_balances, config
    )
    settings = PlayerSettings(gateway, stores.accounts, profile, currencies)
    care = config.responsible_gaming
    cooling_off_hours = care.cooling_off_hours
    end_rounds = player_tables.end_expired_of
    restrictions = RestrictionService(gateway, limits, players, sessions, end_rounds, cooling_off_hours)
    devices = DeviceService(gateway, stores.sessions, sessions)
    registry = RegistryCheck(registry_of(care, outside.registry), restrictions, limits, care)
    external = ExternalSessions(
        gateway, stores.external_players, limits, sessions, players, settings, queries, config
    )
    chat = ChatStore(gateway, stores.chat)
    remote_tables = RemoteTables(bus, node_id(), live)
    acceptance = DocumentAcceptance(gateway, queries, play_limits, config.documents)
    changes = ForeignChanges(
        sessions, restrictions, bonuses, players, limits, player_tables, acceptance, settings
    )
    media = (media or _media(config)) if "tables" in roles else None
    ice = IceServers(config.media.ice if config.media else ConfiguredIce())
    hls = config.media.hls if config.media else None
    cameras = Cameras(media, _filmed(config, tables), live, players, ice, hls, remote_tables.node)
    streams = Streams(cameras, media, hls)
    live_tables = LiveTableOwner(
        live,
        tables,
        config,
        services,
        chat,
        speculate or speculating(),
        leases,
        runs_tables="tables" in roles,
    )
    presence = NodePresence(stores.leases, gateway, bus, remote_tables.node, roles) if bus else None
    if presence:
        live_tables.lets_others_own = presence.lets_others_own
    payments = PaymentService(
        gateway,
        ledger,
        stores.payments,
        requests,
        players,
        limits,
        bonuses,
        offers,
        config,
        payment_services(config.payments, outside),
    )
    limits.add_conditions(CurrentConditions(bonuses, play_limits, payments.debts.owed))
    changes.look_at_debts = payments.debts.look_at
    return Server(
        config=config,
        tables=tables,
        currencies=dict(config.currencies),
        live=live,
        ledger=ledger,
        gateway=gateway,
        outside=OutsideWatch(outside, gateway),
        database=DatabaseWatch(gateway.writes, gateway.reads, players),
        balances=balances,
        limits=limits,
        queries=queries,
        requests=requests,
        players=players,
        sessions=sessions,
        reauthentication=Reauthentication(
            gateway, stores.sessions, players, sessions, config.accounts.sign_in_again_minutes
        ),
        accounts=AccountService(
            gateway, stores.identities, stores.sessions, sessions, limits, hashing, registry, attempts
        ),
        passwords=PasswordService(credentials, sessions, hashing, confirmed),
        mail_addresses=MailAddressService(
            gateway, stores.mail_addresses, credentials, confirmed, outbox, attempts
        ),
        recovery=RecoveryService(
            gateway, stores.mail_addresses, credentials, sessions, hashing, outbox, attempts
        ),
        outbox=outbox,
        devices=devices,
        attempts=attempts,
        confirmed=confirmed,
        passkeys=PlayerPasskeys(
            gateway, stores.identities, stores.passkeys, credentials, confirmed, limits, registry, attempts
        ),
        launches=LaunchService(external, restrictions, limits, tables, config.operator),
        oidc=OidcService(gateway, external, sessions, registry, config, outside.identity),
        settings=settings,
        restrictions=restrictions,
        deposit_questions=DepositQuestions(ledger, gateway, queries, limits, config),
        closing=AccountClosing(
            gateway,
            ledger,
            restrictions,
            limits,
            players,
            sessions,
            devices,
            end_rounds,
            config.currencies,
        ),
        registry=registry,
        acceptance=acceptance,
        bonuses=bonuses,
        offers=offers,
        cashier=Cashier(gateway, requests, players, queries, bonuses, config, stores.payments),
        payments=payments,
        wallet=wallet,
        sharing=RoundSharing(ledger, gateway),
        player_tables=player_tables,
        access=TableAccess(tables, live, player_tables, limits, profile.tables_max),
        advice=AdviceService(ledger, gateway, stores.training, tables, profile),
        approvals=stores.approvals,
        player_index=stores.player_index,
        staff_members=stores.staff,
        staff_sign_ins=stores.staff_sign_ins,
        passkey_store=stores.passkeys,
        chat=chat,
        cameras=cameras,
        streams=streams,
        pictures=Pictures(cameras, streams, bus, remote_tables, live),
        recorder=Recorder(cameras, media, config.media.recording if config.media else None),
        expiry=GuestExpiry(gateway, stores.unused_guests, config.inactivity.unused_guest_days),
        live_tables=live_tables,
        remote_tables=remote_tables,
        current=CurrentTables(tables, live, remote_tables),
        foreign_changes=changes,
        follower=JournalFollower(ledger, gateway, bus, changes.apply) if bus else None,
        table_services=services,
        bus=bus,
        presence=presence,
    )


def _media(config: ServerConfig) -> Media | None:
    """Return the configured media server."""
    if config.media is None:
        return None
    from croupier.video.janus.media import JanusMedia

    return JanusMedia(config.media)


def _filmed(config: ServerConfig, tables: Mapping[str, Table]) -> list[str]:
    """Return the tables that may have a camera."""
    live = [table.id for table in tables.values() if table.dealing == "live"]
    chosen = config.media.tables if config.media else ()
    return [table for table in live if not chosen or table in chosen]
