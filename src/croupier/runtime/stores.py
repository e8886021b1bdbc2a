"""Everything that the server stores."""

from dataclasses import dataclass

from croupier.accounts.repository import Accounts, StaffMembers, UnusedGuests
from croupier.ledger.protocol import Ledger
from croupier.runtime.advice.training import TrainingRecords
from croupier.runtime.live.chat.rows import ChatRows


@dataclass(frozen=True, slots=True)
class Stores:
    """The ledger, and the repositories beside it."""

    ledger: Ledger
    accounts: Accounts
    unused_guests: UnusedGuests
    staff: StaffMembers
    chat: ChatRows
    training: TrainingRecords
