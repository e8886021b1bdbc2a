"""All stores in one SQL database."""

from croupier.ledger.sql.store import SqlLedger
from croupier.storage.sql.accounts import SqlAccounts
from croupier.storage.sql.approvals import SqlApprovals
from croupier.storage.sql.attempts import SqlAttempts
from croupier.storage.sql.chat_rows import SqlChatRows
from croupier.storage.sql.credential_changes import SqlCredentialChanges
from croupier.storage.sql.external_players import SqlExternalPlayers
from croupier.storage.sql.identities import SqlIdentities
from croupier.storage.sql.leases import SqlLeases
from croupier.storage.sql.mail_addresses import SqlMailAddresses
from croupier.storage.sql.passkeys import SqlPasskeys
from croupier.storage.sql.payments import SqlPayments
from croupier.storage.sql.player_index import SqlPlayerIndex
from croupier.storage.sql.sessions import SqlSessions
from croupier.storage.sql.staff_members import SqlStaffMembers
from croupier.storage.sql.staff_sign_ins import SqlStaffSignIns
from croupier.storage.sql.training_records import SqlTrainingRecords
from croupier.storage.sql.unused_guests import SqlUnusedGuests
from croupier.storage.stores import Stores


def sql_stores(ledger: SqlLedger) -> Stores:
    """Return the ledger, and the other repositories in its database."""
    return Stores(
        ledger=ledger,
        accounts=SqlAccounts(ledger),
        attempts=SqlAttempts(ledger),
        approvals=SqlApprovals(ledger),
        player_index=SqlPlayerIndex(ledger),
        identities=SqlIdentities(ledger),
        leases=SqlLeases(ledger, shared=ledger.is_shared),
        external_players=SqlExternalPlayers(ledger),
        passkeys=SqlPasskeys(ledger),
        sessions=SqlSessions(ledger),
        credential_changes=SqlCredentialChanges(ledger),
        mail_addresses=SqlMailAddresses(ledger),
        unused_guests=SqlUnusedGuests(ledger),
        staff=SqlStaffMembers(ledger),
        staff_sign_ins=SqlStaffSignIns(ledger),
        chat=SqlChatRows(ledger),
        training=SqlTrainingRecords(ledger),
        payments=SqlPayments(ledger),
    )
