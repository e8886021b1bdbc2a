"""Facts of the ledger for checks that may not wait, because their result holds only at that moment."""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Any, Protocol, TypeVar

from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader, StakeTotals

T = TypeVar("T")
Query = tuple[Callable[..., Any], tuple[Any, ...], tuple[tuple[str, Any], ...]]
"""A query with its arguments."""


class Read(Protocol):
    """Does a query without holding up the event loop."""

    def __call__(self, query: Callable[[], Any], /) -> Awaitable[Any]: ...


class FactMissing(Exception):
    """A check needs a fact about a player that hasn't been read."""

    def __init__(self, player: str, query: Query) -> None:
        super().__init__(query)
        self.player = player
        self.query = query


class ReadFacts:
    """Answers a check's queries from what was read for it; `when_read` reads the others and checks again.

    What was read about a player is dropped when `changed` says that their entries have changed.
    """

    def __init__(self, ledger: LedgerReader) -> None:
        self.ledger = ledger
        self._changes = Counter[str]()
        self._known: dict[Query, Any] = {}

    def changed(self, player: str) -> None:
        self._changes[player] += 1

    async def when_read(self, check: Callable[[], T], read: Read) -> T:
        """Return the result of a check, all of whose facts are up to date when it is done."""
        known: dict[Query, tuple[str, int, Any]] = {}
        while True:
            fresh = {
                query: result for query, (player, at, result) in known.items() if self._changes[player] == at
            }
            try:
                return self._with_facts(fresh, check)
            except FactMissing as missing:
                at = self._changes[missing.player]
                query, args, options = missing.query
                result = await read(partial(query, *args, **dict(options)))
                known[missing.query] = missing.player, at, result

    def _with_facts(self, known: dict[Query, Any], check: Callable[[], T]) -> T:
        self._known = known
        try:
            return check()
        finally:
            self._known = {}

    # --- queries of checks

    def totals(
        self, player: str, *, since_ms: int = 0, until_ms: int | None = None
    ) -> dict[str, StakeTotals]:
        found: dict[str, StakeTotals] = self._fact(
            player, self.ledger.totals, player, since_ms=since_ms, until_ms=until_ms
        )
        return found

    def deposited(self, player: str, *, since_ms: int = 0, without: Collection[str] = ()) -> dict[str, int]:
        found: dict[str, int] = self._fact(
            player, self.ledger.deposited, player, since_ms=since_ms, without=tuple(without)
        )
        return found

    def balances(self, player: str) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = self._fact(player, self.ledger.balances, player)
        return found

    def entry(self, key: str) -> Entry | None:
        """Return the entry with this key, as it was when it was read."""
        found: Entry | None = self._fact("", self.ledger.entry, key)
        return found

    def _fact(self, player: str, query: Callable[..., Any], *args: Any, **options: Any) -> Any:
        asked = query, args, tuple(options.items())
        if asked not in self._known:
            raise FactMissing(player, asked)
        return self._known[asked]
