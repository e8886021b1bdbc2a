"""Rounds and movements as CSV, newest first, read from the ledger in pages."""

from collections.abc import AsyncIterator, Mapping, Sequence

from croupier.gateway.pages.csv_files import PagedCsv, guarded, plain_amount, utc
from croupier.gateway.pages.history import Selection, history_line, statement_line
from croupier.ledger.protocol import CashMovement, LedgerReader, RoundSummary
from croupier.play.contract.amounts import Currency
from croupier.play.contract.game import Table

PAGE_ROWS = 500

ROUND_COLUMNS = (
    "round",
    "number",
    "started",
    "ended",
    "game",
    "table",
    "title",
    "status",
    "currency",
    "staked",
    "returned",
    "result",
)
MOVEMENT_COLUMNS = ("entry", "time", "what", "table", "round", "currency", "amount", "balance", "reason")


class CsvExports:
    """Exports of players' rounds and statements; `tables` and `currencies` give titles and decimals."""

    def __init__(
        self, ledger: LedgerReader, tables: Mapping[str, Table], currencies: Mapping[str, Currency]
    ) -> None:
        self._ledger = ledger
        self._tables = tables
        self._currencies = currencies
        self._paged = PagedCsv()

    def rounds(self, player: str, selection: Selection) -> AsyncIterator[str]:
        """Return the text of a player's rounds."""

        def page(last: RoundSummary | None) -> Sequence[RoundSummary]:
            before = last.id if last else None
            return self._ledger.rounds(player, before=before, limit=PAGE_ROWS, **selection._asdict())

        return self._paged.text(ROUND_COLUMNS, page, self._round)

    def statement(self, player: str, selection: Selection) -> AsyncIterator[str]:
        """Return the text of a player's statement."""

        def page(last: CashMovement | None) -> Sequence[CashMovement]:
            before = last.seq if last else None
            return self._ledger.statement(player, before=before, limit=PAGE_ROWS, **selection._asdict())

        return self._paged.text(MOVEMENT_COLUMNS, page, self._movement)

    def _round(self, round_: RoundSummary) -> Sequence[str]:
        line, table = history_line(round_, self._tables), self._tables.get(round_.table)
        net_minor = line.returned_minor - line.staked_minor
        ended = line.status != "open"
        return (
            guarded(line.round),
            guarded(line.number),
            utc(line.started_ms),
            utc(line.ended_ms) if ended else "",
            guarded(table.game.title) if table else "",
            guarded(line.table),
            guarded(line.title),
            line.status,
            guarded(line.currency),
            self._amount(line.currency, line.staked_minor),
            self._amount(line.currency, line.returned_minor) if ended else "",
            self._amount(line.currency, net_minor) if ended else "",
        )

    def _movement(self, movement: CashMovement) -> Sequence[str]:
        line = statement_line(movement)
        return (
            str(line.seq),
            utc(line.at_ms),
            line.what,
            guarded(movement.table),
            guarded(line.round),
            guarded(line.currency),
            self._amount(line.currency, line.amount_minor),
            self._amount(line.currency, line.balance_minor),
            guarded(line.reason),
        )

    def _amount(self, currency: str, amount_minor: int) -> str:
        return plain_amount(self._currencies[currency], amount_minor)
