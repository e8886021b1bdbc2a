"""What a player has, as the books say it when he arrives: read among the commits, see `identity`."""

from collections import defaultdict
from dataclasses import dataclass, field
from sqlite3 import Connection
from typing import NamedTuple

from msgspec import Struct

from croupier.accounts import identity
from croupier.accounts.identity import Player

FIND_HELD = (
    "SELECT currency, kind, balance_minor FROM account WHERE owner = ? AND kind IN ('cash', 'in_play')"
)
FIND_VISIT = """SELECT currency, SUM(staked_minor), SUM(returned_minor) FROM round
    WHERE player = ? AND started_ms >= ? AND ended_ms > 0 GROUP BY currency"""
FIND_BEFORE = """SELECT id FROM round INDEXED BY round_by_player
    WHERE player = ? AND opened_seq >= (SELECT min(opened_seq) FROM round WHERE status = 'open')
    AND status = 'open' AND started_ms < ?"""


class Will(NamedTuple):
    """What somebody will have of a currency."""

    cash_minor: int
    in_play_minor: int


class Held(Struct, frozen=True, gc=False):
    """Of one currency; `staked_minor` and `returned_minor` of the rounds of this visit that have ended.

    A value, so that what belongs to an earlier state of a table can be kept until it is told.
    """

    cash_minor: int = 0
    in_play_minor: int = 0
    staked_minor: int = 0
    returned_minor: int = 0

    def sets_aside(self, minor: int) -> "Held":
        """Below 0: it is given back."""
        return Held(
            self.cash_minor - minor, self.in_play_minor + minor, self.staked_minor, self.returned_minor
        )

    def after(self, staked_minor: int, returned_minor: int) -> "Will":
        """What he has once a round has ended so."""
        return Will(self.cash_minor + returned_minor, self.in_play_minor - staked_minor)

    def ended(self, staked_minor: int, returned_minor: int, *, counts: bool) -> "Held":
        """A round; one that began before this visit doesn't count in its result."""
        return Held(
            self.cash_minor + returned_minor,
            self.in_play_minor - staked_minor,
            self.staked_minor + counts * staked_minor,
            self.returned_minor + counts * returned_minor,
        )


@dataclass(slots=True)
class Purse:
    """What a player has of each currency; `before`: rounds that began before this visit."""

    held: dict[str, Held] = field(default_factory=dict)
    before: frozenset[str] = frozenset()


def read(connection: Connection, player: str, visit_ms: int) -> Purse:
    """A player's purse as the books are now, on the writer's connection."""
    before = connection.execute(FIND_BEFORE, (player, visit_ms))
    purse = Purse(before=frozenset(round_id for (round_id,) in before))
    found = defaultdict[str, dict[str, int]](dict)
    for currency, kind, minor in connection.execute(FIND_HELD, (player,)):
        found[currency][f"{kind}_minor"] = minor
    for currency, staked, returned in connection.execute(FIND_VISIT, (player, visit_ms)):
        found[currency] |= {"staked_minor": staked, "returned_minor": returned}
    purse.held |= {currency: Held(**amounts) for currency, amounts in found.items()}
    return purse


def arriving(connection: Connection, token: str, now_ms: int) -> tuple[Player, Purse] | None:
    """Whose session it is, and what he has; None: nobody's."""
    player = identity.signed_in(connection, token, now_ms)
    return (player, read(connection, player.id, player.visit_ms)) if player else None
