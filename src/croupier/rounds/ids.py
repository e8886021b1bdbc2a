"""Ids of new rounds, and the rounds that people name."""

import secrets

from croupier.ledger.protocol import LedgerReader, RoundSummary
from croupier.tables.game_number import RANDOM_BITS, round_id, round_of_number


def new_round_id(now_ms: int) -> str:
    """Return an id that no other round has; the ledger refuses one that is used (`round_exists`)."""
    return round_id(now_ms, secrets.randbits(RANDOM_BITS))


def find_rounds(ledger: LedgerReader, name: str, player: str = "") -> tuple[RoundSummary, ...]:
    """Return the rounds with this game number or id, as typed; a coup has one for each of its players.

    With a player, theirs alone.
    """
    return ledger.rounds_named(round_of_number(name) or name.strip(), player=player)
