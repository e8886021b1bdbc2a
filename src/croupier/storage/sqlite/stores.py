"""All stores in one SQLite file."""

from croupier.ledger.sqlite.store import SqliteLedger
from croupier.runtime.stores import Stores
from croupier.storage.sqlite.accounts import SqliteAccounts
from croupier.storage.sqlite.chat_rows import SqliteChatRows
from croupier.storage.sqlite.staff_members import SqliteStaffMembers
from croupier.storage.sqlite.training_records import SqliteTrainingRecords
from croupier.storage.sqlite.unused_guests import SqliteUnusedGuests


def sqlite_stores(ledger: SqliteLedger) -> Stores:
    """Return the ledger, and the other repositories in its file."""
    return Stores(
        ledger=ledger,
        accounts=SqliteAccounts(ledger),
        unused_guests=SqliteUnusedGuests(ledger),
        staff=SqliteStaffMembers(ledger),
        chat=SqliteChatRows(ledger),
        training=SqliteTrainingRecords(ledger),
    )
