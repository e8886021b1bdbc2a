"""Changes of an account's credentials, and the messages about them to its addresses."""

from concurrent.futures import Future

from croupier.accounts.credential_changes import ChangedAccount, CredentialChanges
from croupier.accounts.mail_addresses import Recipient
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.players.mail.messages import credential_notice
from croupier.players.mail.outbox import Outbox


class CredentialUpdates:
    """Waits for changes of the `store`, and tells every verified address that the account has or had."""

    def __init__(self, gateway: LedgerGateway, store: CredentialChanges, outbox: Outbox) -> None:
        self.store = store
        self._gateway = gateway
        self._outbox = outbox

    async def done(self, change: Future[ChangedAccount]) -> ChangedAccount:
        """Wait for a change, and tell what was changed and when, and what to do if it wasn't the owner."""
        changed = await self._gateway.durable(change)
        self._tell(changed, changed.address, recovers=True)
        self._tell(changed, changed.former_address, recovers=False)
        return changed

    def _tell(self, changed: ChangedAccount, recipient: Recipient | None, *, recovers: bool) -> None:
        if recipient:
            notice = credential_notice(changed.what, changed.at_ms, recovers=recovers)
            self._outbox.start(self._outbox.send(notice, recipient))
