"""A copy of a database in another store, compared row by row and audited."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from croupier.app.serve import SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.ledger.audit import AuditProgress, AuditReport
from croupier.ledger.sql.copying import copy_all
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.table_copies import RowProgress


class DatabaseCopy(NamedTuple):
    """The number of copied rows by table, and the audit of the copy; None if it wasn't audited."""

    rows: Mapping[str, int]
    report: AuditReport | None


def copy_database(
    source: Database, target: Database, data: Path, progress: RowProgress, audited: AuditProgress | None
) -> DatabaseCopy:
    """Copy a database; with `audited`, audit the copy, with the key of the shoes if `data` has it."""
    rows = copy_all(source, target, progress)
    report = audit(target, data / SHOES_KEY, audited) if audited else None
    return DatabaseCopy(rows, report)
