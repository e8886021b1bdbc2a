"""Audit of a data folder, with the rules of the games and the key of the shoes."""

from collections.abc import Hashable
from pathlib import Path
from typing import NamedTuple

from croupier.audit.evidence import NO_EVIDENCE, Evidence
from croupier.ledger.audit import AuditProgress, AuditReport, BadRow
from croupier.ledger.chain import START
from croupier.ledger.protocol import LedgerReader, RoundRecord
from croupier.ledger.sql.databases import Database, database_errors
from croupier.ledger.sql.last_note import last_note
from croupier.ledger.sql.verify import unreadable, verify
from croupier.ledger.stores import open_ledger_reader
from croupier.play.driving.dealing import DealtRound, replay
from croupier.rounds import round_entries
from croupier.rounds.shoe_key import NOTED, OTHER_KEY, read_key
from croupier.rounds.shoe_seal import Seal

Totals = tuple[int, int]


def audit(
    database: Database, key: Path, progress: AuditProgress, known: Evidence = NO_EVIDENCE
) -> AuditReport:
    """Audit the database and replay every round, from its own shoe if the key is available."""
    shoes = _shoes_key(database, key)
    try:
        ledger = open_ledger_reader(database)
    except database_errors() as error:  # it can't even be opened
        return AuditReport(0, 0, 0, START.hash.hex(), unreadable(error))
    replays = Replays(ledger, shoes.seal, shoes.since_seq)
    try:
        report = verify(database, replay=replays.replay, progress=progress, known=known.hashes)
    finally:
        ledger.close()
    return report._replace(bad=report.bad or known.bad or shoes.bad)


class ShoesKey(NamedTuple):
    """The key that seals the shoes of the rounds opened from `since_seq` on."""

    seal: Seal | None
    since_seq: int = 0
    bad: BadRow | None = None


def _shoes_key(database: Database, path: Path) -> ShoesKey:
    seal, wrong = read_key(path)
    noted = last_note(database, NOTED)
    if seal and noted and seal.fingerprint != noted.body.get("fingerprint"):
        seal, wrong = None, OTHER_KEY
    if seal is None and path.exists():
        return ShoesKey(None, bad=BadRow("key", path.name, wrong))
    return ShoesKey(seal, noted.seq if noted and noted.body.get("new") else 0)


class Replays:
    """Replays rounds. Rounds of one coup with the same stakes and decisions are replayed once."""

    def __init__(self, ledger: LedgerReader, seal: Seal | None, since_seq: int = 0) -> None:
        self._ledger = ledger
        self._since_seq = since_seq
        self._seal = seal
        self._coup: object = None
        self._alike: dict[Hashable, Totals] = {}

    def replay(self, record: RoundRecord) -> Totals | None:
        """Return the stake and return of a round; None for a live round that is open, void or not staked."""
        if round_entries.is_own(record):
            return self._own(record)
        if record.coup is None or record.status == "void" or not record.staked_minor:
            return None
        if record.coup is not self._coup:
            self._coup, self._alike = record.coup, {}
        alike = round_entries.steps_of(record), round_entries.wagers_of(record)
        if alike not in self._alike:
            self._alike[alike] = self._share(record)
        return self._alike[alike]

    def _own(self, record: RoundRecord) -> Totals:
        game, start = round_entries.opened_round(self._ledger, record)
        if self._seal is None or record.opened_seq < self._since_seq:
            return round_entries.settlement(game, replay(start, record.steps))
        deal = DealtRound(start, round_entries.source_of(record, self._seal)).restore(record.steps)
        return round_entries.settlement(game, deal.round)

    def _share(self, record: RoundRecord) -> Totals:
        game, round_ = round_entries.opened_round(self._ledger, record)
        for _, after in round_entries.replay_steps(round_, round_entries.steps_of(record)):
            round_ = after
        return round_entries.share_settlement(game, round_, round_entries.wagers_of(record))
