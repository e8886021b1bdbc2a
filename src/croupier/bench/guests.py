"""Players who are known to the house before it opens, as if each had asked to be its guest."""

import secrets
from pathlib import Path
from sqlite3 import Connection

from croupier.accounts import identity
from croupier.app.serve import open_books
from croupier.clock import now_ms
from croupier.ledger.audited_rows import Key, rows_note
from croupier.ledger.protocol import Recorded
from croupier.play.contract.amounts import PLAY_MONEY
from croupier.runtime.guests import welcome


def add_guests(folder: Path, number: int) -> list[str]:
    """Enters so many guests in the books of a folder; the answer are the tokens of their sessions."""
    at_ms = now_ms()
    tokens = {f"p_{secrets.token_hex(8)}": secrets.token_urlsafe(32) for _ in range(number)}

    def add(books: Connection) -> Recorded[None]:
        for player, token in tokens.items():
            identity.add_guest(books, player, f"Guest {player[-4:]}", token, at_ms)
        players = [Key("player", player) for player in tokens]
        sessions = [Key("session", identity.hash_of(token)) for token in tokens.values()]
        return Recorded(None, (rows_note(books, [*players, *sessions], at_ms),))

    ledger = open_books(folder)
    try:
        ledger.run_recorded(add).result()
        ledger.post([grant for player in tokens for grant in welcome(player, PLAY_MONEY, at_ms)]).result()
    finally:
        ledger.close()
    return list(tokens.values())
