"""Guests that are created before the server starts."""

import secrets
from pathlib import Path

from croupier.accounts.identity import NewGuest
from croupier.app.serve import open_ledger
from croupier.clock import now_ms
from croupier.ledger.sql.databases import PostgresqlUrl
from croupier.play.contract.amounts import PLAY_MONEY
from croupier.players.guests import welcome_grants
from croupier.storage.sql.accounts import SqlAccounts


def add_guests(folder: Path, number: int, url: PostgresqlUrl | None = None) -> list[str]:
    """Add guests to the database in a folder, or to that of a URL; return their session tokens."""
    at_ms = now_ms()
    players = [f"p_{secrets.token_hex(8)}" for _ in range(number)]
    guests = [NewGuest(player, f"Guest {player[-4:]}", secrets.token_urlsafe(32)) for player in players]
    grants = [grant for player in players for grant in welcome_grants(player, PLAY_MONEY, at_ms)]
    ledger = open_ledger(folder, url)
    try:
        SqlAccounts(ledger).add_guests(guests, grants, at_ms).result()
    finally:
        ledger.close()
    return [guest.token for guest in guests]
