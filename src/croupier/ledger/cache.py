"""The writer's cache of balances, rounds and the journal's head: it needn't read what it has written."""

from collections import defaultdict
from collections.abc import Iterable

from croupier.ledger.chain import START
from croupier.ledger.protocol import RoundSummary

ACCOUNTS_MAX = 500_000
"""Beyond this number of cached accounts, the cache is emptied and reloaded on demand."""

AccountGroup = tuple[str, str]
"""Kind and currency: all accounts of that kind in that currency."""
PlayerAtTable = tuple[str, str]


class LedgerCache:
    """The part of the ledger's state that the writer keeps in memory.

    `balances` and `ids` by account group and owner; `rounds` by id: the open ones and those just ended.
    """

    def __init__(self) -> None:
        self.stale = True
        """True if the cache may differ from the database; it's reloaded before its next use."""
        self.head = START
        self.last_account = 0
        self.balances: dict[AccountGroup, dict[str, int]] = defaultdict(dict)
        self.ids: dict[AccountGroup, dict[str, int]] = defaultdict(dict)
        self.wide: set[int] = set()
        """Ids of accounts whose balance needs, or has needed, both of its columns."""
        self.rounds: dict[str, RoundSummary] = {}
        self.open: dict[PlayerAtTable, str] = {}
        self._ended: list[str] = []

    @property
    def full(self) -> bool:
        return sum(map(len, self.ids.values())) > ACCOUNTS_MAX

    def clear(self) -> None:
        for cached in (self.balances, self.ids, self.rounds, self.open):
            cached.clear()

    def open_round_at(self, player: str, table: str) -> str | None:
        """Return the player's open round there, one at most; no index of the database enforces that."""
        return self.open.get((player, table))

    def put_rounds(self, rounds: Iterable[RoundSummary]) -> None:
        """Add or replace rounds."""
        for round_ in rounds:
            self.rounds[round_.id] = round_
            place = round_.player, round_.table
            if round_.status == "open":
                self.open[place] = round_.id
            else:
                self._ended.append(round_.id)
                if self.open.get(place) == round_.id:
                    del self.open[place]

    def end_rounds(self, rounds: Iterable[RoundSummary]) -> None:
        """Replace open rounds by their ended state; a faster `put_rounds`."""
        cached, open_, ended = self.rounds, self.open, self._ended
        for round_ in rounds:
            cached[round_.id] = round_
            del open_[round_.player, round_.table]
            ended.append(round_.id)

    def remove_round(self, round_: RoundSummary) -> None:
        """Undo the opening of a round."""
        del self.rounds[round_.id]
        if self.open.get((round_.player, round_.table)) == round_.id:
            del self.open[round_.player, round_.table]

    def drop_ended_rounds(self) -> None:
        for round_id in self._ended:
            if (round_ := self.rounds.get(round_id)) and round_.status != "open":
                del self.rounds[round_id]
        self._ended.clear()
