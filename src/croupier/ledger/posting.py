"""The sheet on which a sequence of entries is worked out before any of it is written: no I/O."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from croupier.ledger.cache import AccountGroup, LedgerCache
from croupier.ledger.entries import (
    COUP_KINDS,
    GRANTED_BALANCE_MINOR_MAX,
    PLAYER_KINDS,
    ROUND_KINDS,
    Account,
    Entry,
    Move,
    Share,
    Shares,
)
from croupier.ledger.entry_checks import check
from croupier.ledger.protocol import RoundSummary
from croupier.ledger.round_records import follow, shared, staked
from croupier.refusal import Refused

Posting = tuple[int, AccountGroup, str, int, int]
"""The entry's seq, whose account it is, the amount with its sign, and what the account holds after it."""


class EntryResult(NamedTuple):
    """The entry as it is to stand in the journal, and at which seq; None and 0 where it comes to nothing.

    `cash_minor` and `refused` as in Posted.
    """

    entry: Entry | None
    seq: int
    cash_minor: tuple[int, ...]
    refused: tuple[Refused | None, ...] = ()


class UnitOfWork:
    """What a sequence does to the books: to those on the slate at once, and it can be taken back.

    `rounds` and `coups` are the rounds it changes, each as it was before; the coups' are the many.
    """

    def __init__(self, cache: LedgerCache, seq: int) -> None:
        self.seq = seq
        self.postings: list[Posting] = []
        self.rounds: dict[str, RoundSummary | None] = {}
        self.coups: list[list[RoundSummary]] = []
        self._cache = cache
        self._before: dict[AccountGroup, dict[str, int]] = defaultdict(dict)

    def enter(self, entry: Entry) -> EntryResult:
        """Refused when a rule of the books forbids it."""
        check(entry)
        self.seq += 1
        if entry.shares is None:
            return EntryResult(entry, self.seq, self._own(entry))
        if entry.kind in COUP_KINDS:
            return EntryResult(entry, self.seq, self._coup(entry, entry.shares))
        return self._stakes(entry, entry.shares)

    @property
    def accounts(self) -> Mapping[AccountGroup, Mapping[str, int]]:
        """All accounts that it changes, as they were before."""
        return self._before

    def balanced(self) -> bool:
        """Whether all that was posted sums to zero in every currency."""
        sums: dict[str, int] = {}
        for (kind, currency), before in self._before.items():
            now = self._cache.balances[kind, currency]
            added = sum(map(now.__getitem__, before)) - sum(before.values())
            sums[currency] = sums.get(currency, 0) + added
        return not any(sums.values())

    def undo(self) -> None:
        """The slate is as it was before."""
        for group, before in self._before.items():
            self._cache.balances[group].update(before)
        for lines in self.coups:
            self._cache.put(lines)
        for round_id, line in reversed(self.rounds.items()):
            if line is None:
                self._cache.remove(self._cache.rounds[round_id])
            else:
                self._cache.put([line])

    # --- one player's

    def _own(self, entry: Entry) -> tuple[int, ...]:
        if entry.kind in ROUND_KINDS:
            self._follow(entry)
        self._move(entry)
        return self._cash_after(entry)

    def _follow(self, entry: Entry) -> None:
        cache = self._cache
        if entry.kind == "deal" and (open_round := cache.open_round_at(entry.player, entry.table)):
            raise Refused("round_open", round=open_round)
        before = cache.rounds.get(entry.round)
        line = follow(before, entry, self.seq)
        self.rounds.setdefault(line.id, before)
        cache.put([line])

    def _move(self, entry: Entry) -> None:
        """One posting for each account, however often its money is moved."""
        for account, amount in _sums(entry.moves):
            self._post(entry, account, amount)

    def _post(self, entry: Entry, account: Account, amount_minor: int) -> None:
        owner, kind, currency = account
        group = kind, currency
        held = self._cache.balances[group].get(owner, 0)
        balance = held + amount_minor
        if balance < 0 and kind in PLAYER_KINDS:
            raise Refused("not_covered", currency=currency, balance_minor=held, needed_minor=-amount_minor)
        if (
            balance > GRANTED_BALANCE_MINOR_MAX
            and entry.kind in ("grant", "deposit")
            and kind in PLAYER_KINDS
        ):
            raise Refused("over_maximum", currency=currency, balance_minor=held)
        if amount_minor:
            self._add(group, owner, amount_minor)
            self.postings.append((self.seq, group, owner, amount_minor, balance))

    def _cash_after(self, entry: Entry) -> tuple[int, ...]:
        if not entry.moves:
            return ()
        currency = entry.moves[0].debit.currency
        return (self._cache.balances["cash", currency].get(entry.player, 0),)

    # --- many players' at a table

    def _stakes(self, entry: Entry, shares: Shares) -> EntryResult:
        stand: list[Share] = []
        refused: list[Refused | None] = []
        for share in shares.each:
            try:
                self._stake(entry, share, len(stand))
            except Refused as no:
                refused.append(no)
            else:
                refused.append(None)
                stand.append(share)
        if not stand:
            self.seq -= 1
            return EntryResult(None, 0, (), tuple(refused))
        cash = self._cache.balances["cash", shares.currency]
        after = tuple([cash[share.player] for share in stand])
        standing = entry if len(stand) == len(shares.each) else _with(entry, stand)
        return EntryResult(standing, self.seq, after, tuple(refused))

    def _stake(self, entry: Entry, share: Share, place: int) -> None:
        """Refused before anything of it has changed."""
        assert entry.shares is not None
        cache, currency = self._cache, entry.shares.currency
        round_, player, more, less = share
        before = cache.rounds.get(round_)
        if before is None and (open_round := cache.open_round_at(player, entry.table)):
            raise Refused("round_open", round=open_round)
        line = staked(before, entry, share, self.seq, place)
        cash = cache.balances["cash", currency].get(player, 0)
        if cash < more:
            raise Refused("not_covered", currency=currency, balance_minor=cash, needed_minor=more)
        after = self._add(("cash", currency), player, less - more)
        self._add(("in_play", currency), player, more - less)
        self.postings.append((self.seq, ("cash", currency), player, less - more, after))
        self.rounds.setdefault(round_, before)
        cache.put((line,))

    def _add(self, group: AccountGroup, owner: str, amount_minor: int) -> int:
        """What the account holds after it; what it held before is remembered."""
        balances = self._cache.balances[group]
        held = balances.get(owner, 0)
        self._before[group].setdefault(owner, held)
        balances[owner] = held + amount_minor
        return held + amount_minor

    def _coup(self, entry: Entry, shares: Shares) -> tuple[int, ...]:
        """Many at once: nothing here is done for each player that can be done for all of them."""
        cache, (currency, each) = self._cache, shares
        ended = shared(cache.rounds, entry, shares, self.seq)
        self.coups.append([cache.rounds[line.id] for line in ended])
        cache.end(ended)
        paid = [(player, returned) for _, player, _, returned in each if returned]
        held = self._group("in_play", currency, [share.player for share in each])
        cash = self._group("cash", currency, [player for player, _ in paid])
        held.update({player: held[player] - staked for _, player, staked, _ in each})
        cash.update({player: cash[player] + returned for player, returned in paid})
        if entry.kind == "coup":
            won = sum([staked - returned for _, _, staked, returned in each])
            self._post(entry, Account(entry.table, "table", currency), won)
        group = ("cash", currency)
        self.postings += [(self.seq, group, player, returned, cash[player]) for player, returned in paid]
        return tuple([cash[share.player] for share in each])

    def _group(self, kind: str, currency: str, players: Sequence[str]) -> dict[str, int]:
        """A purse of which these players' balances are remembered as they are."""
        group = self._cache.balances[kind, currency]
        before = {player: group[player] for player in players}
        self._before[kind, currency] = before | self._before[kind, currency]
        return group


def _sums(moves: Sequence[Move]) -> Iterable[tuple[Account, int]]:
    if len(moves) == 1:  # as every bet has: it needs no sums
        ((debit, credit, amount),) = moves
        return (debit, -amount), (credit, amount)
    sums: dict[Account, int] = {}
    for debit, credit, amount in moves:
        sums[debit] = sums.get(debit, 0) - amount
        sums[credit] = sums.get(credit, 0) + amount
    return sums.items()


def _with(entry: Entry, stand: Iterable[Share]) -> Entry:
    """The entry with these of its shares."""
    assert entry.shares is not None
    return replace(entry, shares=entry.shares._replace(each=tuple(stand)))
