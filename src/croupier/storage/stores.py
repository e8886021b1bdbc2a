"""Everything that the server stores."""

from dataclasses import dataclass

from croupier.accounts.approvals import Approvals
from croupier.accounts.attempts import AttemptCounts
from croupier.accounts.credential_changes import CredentialChanges
from croupier.accounts.mail_addresses import MailAddresses
from croupier.accounts.passkeys import Passkeys
from croupier.accounts.player_index import PlayerIndex
from croupier.accounts.repository import (
    Accounts,
    DeviceSessions,
    ExternalPlayers,
    Identities,
    PaymentRepository,
    StaffMembers,
    UnusedGuests,
)
from croupier.accounts.staff_sign_ins import StaffSignIns
from croupier.dealing.advice.training import TrainingRecords
from croupier.dealing.live.chat.rows import ChatRows
from croupier.ledger.leases import Leases
from croupier.ledger.protocol import Ledger


@dataclass(frozen=True, slots=True)
class Stores:
    """The ledger, and the repositories beside it."""

    ledger: Ledger
    accounts: Accounts
    attempts: AttemptCounts
    identities: Identities
    leases: Leases
    passkeys: Passkeys
    sessions: DeviceSessions
    mail_addresses: MailAddresses
    credential_changes: CredentialChanges
    unused_guests: UnusedGuests
    staff: StaffMembers
    staff_sign_ins: StaffSignIns
    chat: ChatRows
    training: TrainingRecords
    approvals: Approvals
    player_index: PlayerIndex
    payments: PaymentRepository
    external_players: ExternalPlayers
