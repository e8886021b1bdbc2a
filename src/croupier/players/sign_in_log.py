"""Failed sign-ins of players, in the server's log and in the event log."""

import logging
from contextlib import suppress

import msgspec

from croupier import clock
from croupier.accounts.attempts import FailedAttempts
from croupier.action_log import Actor, log_action
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.refusal import Refused

log = logging.getLogger(__name__)

LOGGED_MAX, LOGGED_IN_MS = 600, 3_600_000
"""Failed sign-ins beyond this rate go to the server's log only, so that strangers can't fill the journal."""


class PlayerSignInRefused(msgspec.Struct, frozen=True, tag_field="t", tag="player_sign_in_refused"):
    """Record of a player's failed sign-in in the event log."""

    address: str


class SignInLog:
    """Records the player whose password was wrong, and never what was typed.

    A typed name may be a password in the wrong field, and the journal can't forget an e-mail address.
    """

    def __init__(self, gateway: LedgerGateway) -> None:
        self._gateway = gateway
        self._logged = FailedAttempts(LOGGED_MAX, LOGGED_IN_MS, 1)

    async def failed(self, address: str, player: str) -> None:
        """Record a failed sign-in; `player` is empty for an unknown name."""
        log.warning("a sign-in from %s is refused: %s", address, player or "unknown name")
        with suppress(Refused):
            self._logged.count("", clock.now_ms())
            actor = Actor(player, "player")
            await log_action(self._gateway, actor, PlayerSignInRefused(address), _refuse)

    def limited(self, address: str) -> None:
        """Record that a sign-in wasn't tried."""
        log.warning("a sign-in from %s is refused: too many failed attempts", address)


async def _refuse() -> None:
    raise Refused("wrong_sign_in")
