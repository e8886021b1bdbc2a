"""All stores in one SQLite file."""

from croupier.ledger.sqlite.store import SqliteLedger
from croupier.runtime.stores import Stores
from croupier.storage.sqlite.accounts import SqliteAccounts
from croupier.storage.sqlite.approvals import SqliteApprovals
from croupier.storage.sqlite.chat_rows import SqliteChatRows
from croupier.storage.sqlite.external_players import SqliteExternalPlayers
from croupier.storage.sqlite.identities import SqliteIdentities
from croupier.storage.sqlite.mail_addresses import SqliteMailAddresses
from croupier.storage.sqlite.passkeys import SqlitePasskeys
from croupier.storage.sqlite.payments import SqlitePayments
from croupier.storage.sqlite.player_index import SqlitePlayerIndex
from croupier.storage.sqlite.sessions import SqliteSessions
from croupier.storage.sqlite.staff_members import SqliteStaffMembers
from croupier.storage.sqlite.staff_sign_ins import SqliteStaffSignIns
from croupier.storage.sqlite.training_records import SqliteTrainingRecords
from croupier.storage.sqlite.unused_guests import SqliteUnusedGuests


def sqlite_stores(ledger: SqliteLedger) -> Stores:
    """Return the ledger, and the other repositories in its file."""
    return Stores(
        ledger=ledger,
        accounts=SqliteAccounts(ledger),
        approvals=SqliteApprovals(ledger),
        player_index=SqlitePlayerIndex(ledger),
        identities=SqliteIdentities(ledger),
        external_players=SqliteExternalPlayers(ledger),
        passkeys=SqlitePasskeys(ledger),
        sessions=SqliteSessions(ledger),
        mail_addresses=SqliteMailAddresses(ledger),
        unused_guests=SqliteUnusedGuests(ledger),
        staff=SqliteStaffMembers(ledger),
        staff_sign_ins=SqliteStaffSignIns(ledger),
        chat=SqliteChatRows(ledger),
        training=SqliteTrainingRecords(ledger),
        payments=SqlitePayments(ledger),
    )
