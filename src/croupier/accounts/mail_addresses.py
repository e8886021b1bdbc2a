"""E-mail addresses of accounts, and the one-use tokens that are sent to them."""

import re
from concurrent.futures import Future
from email.errors import MessageError
from email.headerregistry import Address
from typing import Literal, NamedTuple, Protocol

from croupier.accounts.login_names import normalised
from croupier.refusal import Refused

TOKEN_MINUTES = 30
LENGTH_MAX = 254
TokenPurpose = Literal["verify", "reset"]

_is_address = re.compile(r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)+").fullmatch


class AddressStatus(NamedTuple):
    """The verified address of a player, and one that waits for its verification; empty: none."""

    verified: str = ""
    pending: str = ""


class MailToken(NamedTuple):
    """A token to store, by its hash. A player has one for each purpose."""

    token: str
    player: str
    purpose: TokenPurpose
    address: str


class Recipient(NamedTuple):
    """A player to whom mail can be sent."""

    player: str
    account: str
    address: str


class MailAddresses(Protocol):
    """Verified addresses are unique. Only the hashes of tokens are stored."""

    def status(self, player: str, now_ms: int) -> Future[AddressStatus]: ...

    def add_token(self, token: MailToken, now_ms: int) -> Future[None]:
        """Store a token in place of the player's earlier one for its purpose."""

    def owner(self, token: str, purpose: TokenPurpose, now_ms: int) -> Future[Recipient | None]:
        """Return the owner of a valid token and the address that it was sent to."""

    def recipients(self, name: str) -> Future[tuple[Recipient, ...]]:
        """Return the players with this name or this verified address, who have a verified address.

        There may be two, since a name may be the address of somebody else.
        """

    def of(self, player: str) -> Future[Recipient | None]:
        """Return a player with a verified address."""


def mail_address(typed: str) -> str:
    """Return an address in the form in which it is stored; refuse `mail_address` for an unusable one."""
    address = normalised(typed)
    if len(address) > LENGTH_MAX or not _is_address(address) or not _fits_a_header(address):
        raise Refused("mail_address")
    return address


def _fits_a_header(address: str) -> bool:
    try:
        return Address(addr_spec=address).addr_spec == address
    except (ValueError, MessageError):
        return False
