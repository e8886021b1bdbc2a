"""Live tables as the house opens: what a crash left open is void, and every table says so (003)."""

from collections.abc import Iterable, Sequence

from croupier import clock
from croupier.config import ServerConfig
from croupier.ledger.protocol import RoundRecord
from croupier.play.contract.game import Table
from croupier.runtime.ledger_gateway import Bank
from croupier.runtime.live.broadcast.broadcaster import Guests
from croupier.runtime.live.broadcast.player_views import Past
from croupier.runtime.live.chat.store import ChatLog
from croupier.runtime.live.money import coup_entries
from croupier.runtime.live.table import LiveTable
from croupier.tables.live.effects import Void
from croupier.tables.live.inputs import TableOpened

RESTARTED, CLOSES = "house_restarted", "house_closes"
"""Why a round is void: the house failed while it was open, or closes."""


async def call_off(left_open: Sequence[RoundRecord], bank: Bank) -> Sequence[RoundRecord]:
    """A round of a live table that a crash left open can't be finished: every stake goes back."""
    if left_open:
        await bank.enter(coup_entries.call_offs(left_open, clock.now_ms(), RESTARTED))
    return left_open


async def opened(
    table: Table,
    floor: ServerConfig,
    bank: Bank,
    chat: ChatLog,
    called_off: Iterable[RoundRecord],
    guests: Guests,
) -> LiveTable:
    """The table, open unless the manager is to open it; who was in a round that is void is told so."""
    running = floor.of(table.id)
    room = await chat.room(table.id, open=running.chat)
    live = LiveTable(bank, floor.setup(table), running, room, guests)
    void = [record for record in called_off if record.table == table.id]
    for record in void:
        place = live.hall.place(record.player, "")
        round_ = record.id.removesuffix(f".{record.player}")
        ended = Void(record.player, record.currency, round_, record.staked_minor, RESTARTED)
        place.past, place.seen_ms = Past(ended=(ended, record.number)), clock.now_ms()
    if void:
        room.notice("restarted", {"number": void[0].number}, clock.now_ms())
    if running.opened:
        live.ask(TableOpened())
    return live
