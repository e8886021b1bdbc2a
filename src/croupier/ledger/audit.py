"""The input and result of an audit, whatever the store."""

from collections.abc import Callable
from typing import NamedTuple

from croupier.ledger.protocol import RoundRecord

Replay = Callable[[RoundRecord], tuple[int, int] | None]
"""Replays a round from its record and returns what was staked and returned; None if it can't be replayed.

What was returned is ignored unless the round is settled. The ledger itself has no rules of games."""
AuditProgress = Callable[[int, int], None]
"""Called with the number of entries checked and the number of all."""


class BadRow(NamedTuple):
    """The first wrong row: its table, its name, and what is wrong."""

    table: str
    row: str
    why: str


class KnownHash(NamedTuple):
    """The hash that a journal entry had according to another source."""

    seq: int
    hash: str
    source: str


class AuditReport(NamedTuple):
    """The numbers checked, up to the end or to `bad`; `head` is the hash of the last journal row checked."""

    entries: int
    rounds: int
    replayed: int
    head: str
    bad: BadRow | None
