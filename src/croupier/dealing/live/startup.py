"""Live tables at the start of the server: rounds that a crash left open are void, and the tables show it."""

from collections.abc import Iterable, Sequence

from croupier import clock
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.cluster.table_lease import TableLease
from croupier.config import ServerConfig
from croupier.dealing.live.broadcast.player_views import PlayerHistory
from croupier.dealing.live.chat.store import ChatStore
from croupier.dealing.live.money.bonus_money import post_call_offs
from croupier.dealing.live.money.results import RecentResults
from croupier.dealing.live.speculation.interface import Speculate
from croupier.dealing.live.table import LiveTable
from croupier.dealing.table_services import TableServices
from croupier.ledger.protocol import RoundRecord
from croupier.money.bonus.service import Bonuses
from croupier.play.contract.game import Table
from croupier.tables.live.effects import Void
from croupier.tables.live.inputs import TableOpened

RESTARTED, CLOSES = "house_restarted", "house_closes"
"""Why a round is void: the server failed while it was open, or stops."""


async def void_left_open(
    left_open: Sequence[RoundRecord], gateway: LedgerGateway, bonuses: Bonuses
) -> Sequence[RoundRecord]:
    """Give back every stake of the rounds of live tables that a crash left open."""
    if left_open:
        await post_call_offs(gateway, bonuses, left_open, clock.now_ms(), RESTARTED)
    return left_open


async def start_table(
    table: Table,
    config: ServerConfig,
    services: TableServices,
    chat: ChatStore,
    voided: Iterable[RoundRecord],
    speculate: Speculate,
    lease: TableLease,
) -> LiveTable:
    """Return the table, open unless a manager is to open it; show its players which round is void."""
    running = config.live_table(table.id)
    room = await chat.room(table.id, open=running.chat)
    results = await services.gateway.read(RecentResults, services.ledger, table.id)
    live = LiveTable(services, config.setup(table), running, room, speculate, lease, results)
    void = [record for record in voided if record.table == table.id]
    for record in void:
        player = live.broadcaster.register(record.player, "")
        round_ = record.id.removesuffix(f".{record.player}")
        ended = Void(record.player, record.currency, round_, record.staked_minor, RESTARTED)
        player.history, player.seen_ms = PlayerHistory(ended=(ended, record.number)), clock.now_ms()
    if void:
        room.post_notice("restarted", {"number": void[0].number}, clock.now_ms())
    if running.opened:
        live.submit(TableOpened())
    return live
