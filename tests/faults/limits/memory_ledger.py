"""A ledger in memory: the rules of posting are the server's, the rest is dictionaries.

It is the fast twin of the SQLite store; the campaign also runs over SQLite, with the same answers.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from typing import NamedTuple, TypeVar

from croupier.ledger.cache import LedgerCache
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.leases import Fence
from croupier.ledger.posting import EntryResult, UnitOfWork
from croupier.ledger.protocol import RoundSummary, StakeTotals
from croupier.refusal import Refused

T = TypeVar("T")


class DepositLine(NamedTuple):
    key: str
    at_ms: int
    currency: str
    amount_minor: int


class MemoryLedger:
    """Implements what the services use of `Ledger`. Futures are resolved at once, or if it `defers`, soon."""

    def __init__(self) -> None:
        self.defers = False
        self._cache = LedgerCache()
        self._seq = 0
        self._journal: dict[str, Entry] = {}
        self._rounds: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._deposits: defaultdict[str, list[DepositLine]] = defaultdict(list)

    # --- writes

    def post(self, posted: Sequence[Entry], _fence: Fence | None = None) -> Future[tuple[Posted, ...]]:
        return self.do(lambda: self.posted(posted))

    def post_each(
        self, posted: Sequence[Entry], _fence: Fence | None = None
    ) -> Future[tuple[Posted | Refused, ...]]:
        alone = [[entry] for entry in posted]
        return self.do(lambda: tuple(map(_first, map(self._posted_or_refused, alone))))

    def post_groups(
        self, groups: Sequence[Sequence[Entry]], _fence: Fence | None = None
    ) -> Future[tuple[tuple[Posted, ...] | Refused, ...]]:
        return self.do(lambda: tuple(self._posted_or_refused(group) for group in groups))

    def do(self, work: Callable[[], T]) -> Future[T]:
        """Do some work, and return the future of its result."""
        future = Future[T]()
        resolve: Callable[[], None]
        try:
            result = work()
        except Refused as refused:
            why = refused
            resolve = lambda: future.set_exception(why)  # noqa: E731
        else:
            resolve = lambda: future.set_result(result)  # noqa: E731
        if self.defers:
            asyncio.get_running_loop().call_soon(resolve)
        else:
            resolve()
        return future

    def posted(self, posted: Sequence[Entry]) -> tuple[Posted, ...]:
        """Post all of the entries or none."""
        if any(entry.key in self._journal for entry in posted):
            return self._duplicates(posted)
        unit = UnitOfWork(self._cache, self._seq)
        try:
            results = [unit.apply(entry) for entry in posted]
            _check_whole(results)
        except Refused:
            unit.undo()
            raise
        self._seq = unit.seq
        for result in results:
            if result.entry is not None:
                self._index(result.entry)
        return tuple(Posted(each.seq, False, each.cash_minor, each.refused) for each in results)

    def _posted_or_refused(self, posted: Sequence[Entry]) -> tuple[Posted, ...] | Refused:
        try:
            return self.posted(posted)
        except Refused as refused:
            return refused

    def _duplicates(self, posted: Sequence[Entry]) -> tuple[Posted, ...]:
        for entry in posted:
            if entry.key not in self._journal:
                raise Refused("key_reused", key=entry.key)
        return tuple(Posted(0, duplicate=True) for _ in posted)

    def _index(self, entry: Entry) -> None:
        self._journal[entry.key] = entry
        if entry.kind == "deal":
            self._rounds[entry.player][entry.round] = None
        elif entry.kind == "stakes" and entry.shares:
            for share in entry.shares.each:
                self._rounds[share.player][share.round] = None
        elif entry.kind == "deposit":
            ((_, account, minor),) = entry.moves
            self._deposits[entry.player].append(DepositLine(entry.key, entry.at_ms, account.currency, minor))

    # --- queries

    def balances(self, player: str) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for (kind, currency), owners in self._cache.balances.items():
            if player in owners:
                found.setdefault(currency, {})[kind] = owners[player]
        return found

    def rounds_of(self, player: str) -> list[RoundSummary]:
        return [self._cache.rounds[round_] for round_ in self._rounds.get(player, ())]

    def round(self, round_: str) -> RoundSummary | None:
        return self._cache.rounds.get(round_)

    def open_rounds(self) -> tuple[RoundSummary, ...]:
        return tuple(self._cache.rounds[round_] for round_ in self._cache.open.values())

    def totals(
        self, player: str, *, since_ms: int = 0, until_ms: int | None = None
    ) -> dict[str, StakeTotals]:
        sums: dict[str, StakeTotals] = {}
        for one in self.rounds_of(player):
            if (
                one.ended_ms
                and since_ms <= one.started_ms
                and (until_ms is None or one.started_ms < until_ms)
            ):
                before = sums.get(one.currency, StakeTotals(0, 0))
                sums[one.currency] = StakeTotals(before[0] + one.staked_minor, before[1] + one.returned_minor)
        return sums

    def deposited(self, player: str, *, since_ms: int = 0, without: Collection[str] = ()) -> dict[str, int]:
        sums: dict[str, int] = {}
        for line in self._deposits.get(player, ()):
            if line.at_ms >= since_ms and line.key not in without:
                sums[line.currency] = sums.get(line.currency, 0) + line.amount_minor
        return sums

    def entry(self, key: str) -> Entry | None:
        return self._journal.get(key)

    def entries(self, prefix: str) -> tuple[Entry, ...]:
        return tuple(entry for key, entry in self._journal.items() if key.startswith(prefix))

    def notes(self, prefix: str, *, limit: int = 50) -> tuple[Entry, ...]:
        found = (entry for entry in self.entries(prefix) if entry.kind == "note")
        return tuple(sorted(found, key=lambda entry: entry.key, reverse=True)[:limit])

    def last_ms(self) -> int:
        return next(reversed(self._journal.values())).at_ms if self._journal else 0

    def close(self) -> None:
        pass


def _first(result: tuple[Posted, ...] | Refused) -> Posted | Refused:
    return result if isinstance(result, Refused) else result[0]


def _check_whole(results: Sequence[EntryResult]) -> None:
    """Raise the refusal of a share if it belongs to a sequence of several entries."""
    for refused in (each for result in results for each in result.refused):
        if refused is not None and len(results) > 1:
            raise refused
