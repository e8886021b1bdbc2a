"""Checks the books of a data folder with what the house knows: the rules, and the key of the shoes."""

from collections.abc import Hashable
from pathlib import Path

from croupier.ledger.book import Books, RoundRecord
from croupier.ledger.sqlite import SqliteBooks
from croupier.ledger.verify import Progress, Report, verify
from croupier.play.dealing import Deal, replayed
from croupier.server import records
from croupier.server.seal import Seal

Totals = tuple[int, int]


def audit(books: Path, key: Path, progress: Progress) -> Report:
    """The whole audit of the books; every round is played again, from its own shoe where `key` is there."""
    ledger = SqliteBooks(books)
    replays = Replays(ledger, Seal.of_file(key) if key.exists() else None)
    try:
        return verify(books, replay=replays.replay, progress=progress)
    finally:
        ledger.close()


class Replays:
    """Plays rounds again; those of one coup that were staked and decided alike only once."""

    def __init__(self, ledger: Books, seal: Seal | None) -> None:
        self._ledger = ledger
        self._seal = seal
        self._coup: object = None
        self._alike: dict[Hashable, Totals] = {}

    def replay(self, record: RoundRecord) -> Totals | None:
        """What it staked and returned; None for a live round that didn't come to its end."""
        if records.of_own(record):
            return self._own(record)
        if record.coup is None or record.status == "void" or not record.staked_minor:
            return None
        if record.coup is not self._coup:
            self._coup, self._alike = record.coup, {}
        alike = records.steps_of(record), records.wagers_of(record)
        if alike not in self._alike:
            self._alike[alike] = self._share(record)
        return self._alike[alike]

    def _own(self, record: RoundRecord) -> Totals:
        game, start = records.opened_round(self._ledger, record)
        if self._seal is None:
            return records.settlement(game, replayed(start, record.steps))
        deal = Deal(start, records.source_of(record, self._seal)).restored(record.steps)
        return records.settlement(game, deal.round)

    def _share(self, record: RoundRecord) -> Totals:
        game, round_ = records.opened_round(self._ledger, record)
        for _, after in records.stepped(round_, records.steps_of(record)):
            round_ = after
        return records.share_settled(game, round_, records.wagers_of(record))
