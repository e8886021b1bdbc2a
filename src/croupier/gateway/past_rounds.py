"""HTTP API of a player's past: rounds, statement, totals, and both as CSV."""

from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from typing import Annotated

from litestar import get
from litestar.di import Provide
from litestar.exceptions import ValidationException
from litestar.params import Parameter
from litestar.response import Stream

from croupier.accounts.identity import Player
from croupier.clock import now_ms
from croupier.gateway.pages import history as past
from croupier.gateway.pages.csv_files import csv_file, utc
from croupier.gateway.pages.exports import CsvExports
from croupier.gateway.pages.history import Selection, selected_tables
from croupier.gateway.server import Server
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.rounds.ids import find_rounds

EXPORTS = {"rate": "exports"}
"""Rate limit of CSV files."""
EXPORT_DAYS_MAX = 366
EXPORT_MS_MAX = EXPORT_DAYS_MAX * 24 * 3_600_000
PERIODS_MAX = 12
PageSize = Annotated[int, Parameter(ge=1, le=100)]
SequenceNumber = Annotated[int | None, Parameter(ge=0, le=2**53)]
TimestampMs = Annotated[int | None, Parameter(ge=0, le=2**53)]
PeriodBounds = Annotated[list[int], Parameter(min_items=2, max_items=PERIODS_MAX + 1)]


def selected(
    server: Server,
    table: str | None = None,
    game: str | None = None,
    from_ms: TimestampMs = None,
    to_ms: TimestampMs = None,
) -> Selection:
    """Return the rounds or movements that a request selects."""
    return Selection(selected_tables(server.tables, table, game), from_ms or 0, to_ms)


SELECTED = {"selection": Provide(selected, sync_to_thread=False)}


@get("/history", sync_to_thread=True, dependencies=SELECTED)
def history(
    server: Server, player: Player, selection: Selection, before: str | None = None, limit: PageSize = 25
) -> wire.History:
    """Return a page of the player's rounds, newest first."""
    return past.history(server.ledger, server.tables, player.id, selection, before, limit)


@get("/history.csv", sync_to_thread=False, dependencies=SELECTED, opt=EXPORTS)
def history_csv(player: Player, selection: Selection, exports: CsvExports) -> Stream:
    """Return the player's rounds of at most 366 days as CSV, newest first."""
    period = export_period(selection, now_ms())
    return _csv("rounds", period, exports.rounds(player.id, period))


@get("/rounds/{round_id:str}", sync_to_thread=True)
def one_round(server: Server, player: Player, round_id: str) -> wire.HistoryRound:
    """Return one of the player's rounds, by its id or its game number, with all of its steps."""
    found = find_rounds(server.ledger, round_id, player.id)
    record = server.ledger.round(found[0].id) if found else None
    if record is None:
        raise Refused("no_such_round", round=round_id)
    return past.history_round(server.ledger, server.tables, record, server.sharing.shared_ms(record.id))


@get("/statement", sync_to_thread=True, dependencies=SELECTED)
def statement(
    server: Server,
    player: Player,
    selection: Selection,
    before: SequenceNumber = None,
    limit: PageSize = 50,
) -> list[wire.StatementEntry]:
    """Return a page of the movements on the player's account, newest first."""
    found = server.ledger.statement(player.id, before=before, limit=limit, **selection._asdict())
    return [past.statement_line(movement) for movement in found]


@get("/statement.csv", sync_to_thread=False, dependencies=SELECTED, opt=EXPORTS)
def statement_csv(player: Player, selection: Selection, exports: CsvExports) -> Stream:
    """Return the movements on the player's account in at most 366 days as CSV, newest first."""
    period = export_period(selection, now_ms())
    return _csv("statement", period, exports.statement(player.id, period))


@get("/totals", sync_to_thread=True)
def totals(server: Server, player: Player, bounds: PeriodBounds) -> list[wire.GameTotals]:
    """Return the totals of the player's ended rounds by period, game and currency."""
    return [
        each
        for since_ms, until_ms in _periods(bounds)
        for each in past.game_totals(server.ledger, server.tables, player.id, since_ms, until_ms)
    ]


def _periods(bounds: Sequence[int]) -> list[tuple[int, int]]:
    """Return the periods between ascending bounds."""
    periods = [*pairwise(bounds)]
    if bounds[0] < 0 or bounds[-1] > 2**53 or any(since >= until for since, until in periods):
        raise ValidationException("bounds: times in ascending order")
    return periods


def export_period(selection: Selection, at_ms: int) -> Selection:
    """Complete the period of an export: it ends now and is as long as allowed, unless chosen otherwise."""
    until_ms = at_ms + 1 if selection.until_ms is None else selection.until_ms
    since_ms = selection.since_ms or max(0, until_ms - EXPORT_MS_MAX)
    if until_ms - since_ms > EXPORT_MS_MAX:
        raise ValidationException(f"from_ms: at most {EXPORT_DAYS_MAX} days before to_ms")
    return selection._replace(since_ms=since_ms, until_ms=until_ms)


def _csv(name: str, period: Selection, text: AsyncIterator[str]) -> Stream:
    """Return a file whose name has the first and the last day."""
    assert period.until_ms is not None, "an export ends"
    first, last = utc(period.since_ms)[:10], utc(max(0, period.until_ms - 1))[:10]
    return csv_file(f"{name}-{first}-to-{last}", text)


HISTORY_HANDLERS = (history, history_csv, one_round, statement, statement_csv, totals)
