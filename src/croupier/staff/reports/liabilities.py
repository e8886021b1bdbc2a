"""The amounts owed to players, at present or at any position of the journal."""

from collections.abc import Mapping

from croupier.ledger.entries import DEBT, PLAYER_KINDS
from croupier.ledger.reports import Holdings, OpenRounds
from croupier.play.contract.game import Table
from croupier.protocol.staff_reports import Liability, LiabilityReport, TableOpenRounds


def liability_report(holdings: Holdings) -> LiabilityReport:
    """Return all players' balances by currency and kind of account."""
    held: dict[str, dict[str, int]] = {}
    for (kind, currency), minor in holdings.minor.items():
        if kind in PLAYER_KINDS:
            held.setdefault(currency, dict.fromkeys(sorted(PLAYER_KINDS), 0))[kind] = minor
    lines = (
        _liability(currency, kinds, -holdings.minor.get((DEBT, currency), 0))
        for currency, kinds in sorted(held.items())
    )
    return LiabilityReport(holdings.seq, holdings.at_ms, tuple(lines))


def _liability(currency: str, held: Mapping[str, int], debt_minor: int) -> Liability:
    kinds = {kind: str(minor) for kind, minor in held.items()}
    return Liability(currency, kinds, str(sum(held.values())), str(debt_minor))


def open_table(of: OpenRounds, tables: Mapping[str, Table]) -> TableOpenRounds:
    title = tables[of.table].title if of.table in tables else of.table
    return TableOpenRounds(of.table, title, of.currency, of.rounds, of.players, str(of.staked_minor))
