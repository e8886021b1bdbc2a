"""Apply a sequence of entries to the cache before any of it is written; no I/O."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from croupier.ledger.cache import AccountGroup, LedgerCache
from croupier.ledger.entries import (
    CASHLESS_KINDS,
    COUP_KINDS,
    DEBT,
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
from croupier.ledger.round_records import end_all, follow, follow_stake
from croupier.play.contract.amounts import BALANCE_MINOR_MAX
from croupier.refusal import Refused

ADDED_KINDS = frozenset({"grant", "adjustment", "deposit", "bonus_grant"})
"""Entries that may not raise a balance above its maximum."""
Posting = tuple[int, AccountGroup, str, int, int]
"""Seq of the entry, group and owner of the account, signed amount, balance after it."""


class EntryResult(NamedTuple):
    """The entry as it enters the journal, and its seq; None and 0 if nothing is left of it.

    `cash_minor` and `refused` mean the same as in `Posted`.
    """

    entry: Entry | None
    seq: int
    cash_minor: tuple[int, ...]
    refused: tuple[Refused | None, ...] = ()


class UnitOfWork:
    """The changes that one sequence makes, applied to the cache at once and undoable.

    `rounds` and `coups` are the changed rounds in their state before; `coups` those that coups end.
    """

    def __init__(self, cache: LedgerCache, seq: int) -> None:
        self.seq = seq
        self.postings: list[Posting] = []
        self.rounds: dict[str, RoundSummary | None] = {}
        self.coups: list[list[RoundSummary]] = []
        self._cache = cache
        self._before: dict[AccountGroup, dict[str, int]] = defaultdict(dict)

    def apply(self, entry: Entry) -> EntryResult:
        """Apply the next entry; Refused when a rule of the ledger forbids it."""
        check(entry)
        self.seq += 1
        if entry.shares is None:
            return EntryResult(entry, self.seq, self._apply_single(entry))
        if entry.kind in COUP_KINDS:
            return EntryResult(entry, self.seq, self._apply_coup(entry, entry.shares))
        return self._apply_stakes(entry, entry.shares)

    @property
    def accounts(self) -> Mapping[AccountGroup, Mapping[str, int]]:
        """The changed accounts with their balances before."""
        return self._before

    def balanced(self) -> bool:
        """Return whether the postings sum to zero in every currency."""
        sums: dict[str, int] = {}
        for (kind, currency), before in self._before.items():
            now = self._cache.balances[kind, currency]
            added = sum(map(now.__getitem__, before)) - sum(before.values())
            sums[currency] = sums.get(currency, 0) + added
        return not any(sums.values())

    def undo(self) -> None:
        """Restore the cache."""
        for group, before in self._before.items():
            self._cache.balances[group].update(before)
        for rounds in self.coups:
            self._cache.put_rounds(rounds)
        for round_id, round_ in reversed(self.rounds.items()):
            if round_ is None:
                self._cache.remove_round(self._cache.rounds[round_id])
            else:
                self._cache.put_rounds([round_])

    # --- entries of one player

    def _apply_single(self, entry: Entry) -> tuple[int, ...]:
        if entry.kind in ROUND_KINDS:
            self._follow_round(entry)
        for account, amount in _net_amounts(entry.moves):
            self._post(entry, account, amount)
        return self._cash_after(entry)

    def _follow_round(self, entry: Entry) -> None:
        cache = self._cache
        if entry.kind == "deal":
            self._check_may_open(entry.player, entry.table, entry.moves[0].debit.currency)
        before = cache.rounds.get(entry.round)
        after = follow(before, entry, self.seq)
        self.rounds.setdefault(after.id, before)
        cache.put_rounds([after])

    def _check_may_open(self, player: str, table: str, currency: str) -> None:
        """Refuse a second open round, and a balance that a win could raise beyond exact amounts."""
        if open_round := self._cache.open_round_at(player, table):
            raise Refused("round_open", round=open_round)
        if self._cache.balances["cash", currency].get(player, 0) > BALANCE_MINOR_MAX:
            raise Refused("balance_too_high", currency=currency, max_minor=BALANCE_MINOR_MAX)

    def _post(self, entry: Entry, account: Account, amount_minor: int) -> None:
        owner, kind, currency = account
        group = kind, currency
        held = self._cache.balances[group].get(owner, 0)
        balance = held + amount_minor
        if kind in PLAYER_KINDS:
            _check_balance(entry, currency, held, amount_minor)
        if kind == DEBT and balance > 0:
            raise Refused("not_covered", currency=currency, balance_minor=-held, needed_minor=amount_minor)
        if amount_minor:
            self._add(group, owner, amount_minor)
            self.postings.append((self.seq, group, owner, amount_minor, balance))

    def _cash_after(self, entry: Entry) -> tuple[int, ...]:
        if not entry.moves or entry.kind in CASHLESS_KINDS:
            return ()
        currency = entry.moves[0].debit.currency
        return (self._cache.balances["cash", currency].get(entry.player, 0),)

    # --- entries of many players at a table

    def _apply_stakes(self, entry: Entry, shares: Shares) -> EntryResult:
        accepted: list[Share] = []
        refused: list[Refused | None] = []
        for share in shares.each:
            try:
                self._stake(entry, share, len(accepted))
            except Refused as refusal:
                refused.append(refusal)
            else:
                refused.append(None)
                accepted.append(share)
        if not accepted:
            self.seq -= 1
            return EntryResult(None, 0, (), tuple(refused))
        cash = self._cache.balances["cash", shares.currency]
        after = tuple([cash[share.player] for share in accepted])
        entered = entry if len(accepted) == len(shares.each) else _with_shares(entry, accepted)
        return EntryResult(entered, self.seq, after, tuple(refused))

    def _stake(self, entry: Entry, share: Share, place: int) -> None:
        """Apply one share; Refused before anything has changed."""
        assert entry.shares is not None
        cache, currency = self._cache, entry.shares.currency
        round_id, player, more, less = share
        before = cache.rounds.get(round_id)
        if before is None:
            self._check_may_open(player, entry.table, currency)
        after = follow_stake(before, entry, share, self.seq, place)
        cash = cache.balances["cash", currency].get(player, 0)
        if cash < more:
            raise Refused("not_covered", currency=currency, balance_minor=cash, needed_minor=more)
        balance = self._add(("cash", currency), player, less - more)
        self._add(("in_play", currency), player, more - less)
        self.postings.append((self.seq, ("cash", currency), player, less - more, balance))
        self.rounds.setdefault(round_id, before)
        cache.put_rounds((after,))

    def _add(self, group: AccountGroup, owner: str, amount_minor: int) -> int:
        """Return the new balance, and remember the one before."""
        balances = self._cache.balances[group]
        held = balances.get(owner, 0)
        self._before[group].setdefault(owner, held)
        balances[owner] = held + amount_minor
        return held + amount_minor

    def _apply_coup(self, entry: Entry, shares: Shares) -> tuple[int, ...]:
        """Thousands of shares: work on all of them at once where possible, not on each."""
        cache, (currency, each) = self._cache, shares
        ended = end_all(cache.rounds, entry, shares, self.seq)
        self.coups.append([cache.rounds[round_.id] for round_ in ended])
        cache.end_rounds(ended)
        paid = [(player, returned) for _, player, _, returned in each if returned]
        held = self._remembered("in_play", currency, [share.player for share in each])
        cash = self._remembered("cash", currency, [player for player, _ in paid])
        held.update({player: held[player] - staked for _, player, staked, _ in each})
        cash.update({player: cash[player] + returned for player, returned in paid})
        if entry.kind == "coup":
            won = sum([staked - returned for _, _, staked, returned in each])
            self._post(entry, Account(entry.table, "table", currency), won)
        group = ("cash", currency)
        self.postings += [(self.seq, group, player, returned, cash[player]) for player, returned in paid]
        return tuple([cash[share.player] for share in each])

    def _remembered(self, kind: str, currency: str, players: Sequence[str]) -> dict[str, int]:
        """Return the group's balances after remembering those of `players`."""
        balances = self._cache.balances[kind, currency]
        before = {player: balances[player] for player in players}
        self._before[kind, currency] = before | self._before[kind, currency]
        return balances


def _check_balance(entry: Entry, currency: str, held_minor: int, amount_minor: int) -> None:
    balance = held_minor + amount_minor
    if balance < 0:
        raise Refused("not_covered", currency=currency, balance_minor=held_minor, needed_minor=-amount_minor)
    if balance > BALANCE_MINOR_MAX and entry.kind in ADDED_KINDS and amount_minor > 0:
        raise Refused("over_maximum", currency=currency, balance_minor=held_minor)


def _net_amounts(moves: Sequence[Move]) -> Iterable[tuple[Account, int]]:
    """Return the net amount of each account."""
    if len(moves) == 1:  # every bet: nothing to sum
        ((debit, credit, amount),) = moves
        return (debit, -amount), (credit, amount)
    sums: dict[Account, int] = {}
    for debit, credit, amount in moves:
        sums[debit] = sums.get(debit, 0) - amount
        sums[credit] = sums.get(credit, 0) + amount
    return sums.items()


def _with_shares(entry: Entry, shares: Iterable[Share]) -> Entry:
    assert entry.shares is not None
    return replace(entry, shares=entry.shares._replace(each=tuple(shares)))
