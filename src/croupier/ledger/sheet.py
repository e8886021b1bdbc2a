"""The sheet on which a sequence of entries is worked out before any of it is written: no I/O."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from croupier.ledger.book import RoundLine
from croupier.ledger.checks import check
from croupier.ledger.entries import GIVEN_MOST_MINOR, PLAYER_KINDS, ROUND_KINDS, Account, Entry, Move, Shares
from croupier.ledger.rounds import follow, shared
from croupier.ledger.slate import Purse, Slate
from croupier.refusal import Refused

Posting = tuple[int, Purse, str, int, int]
"""The entry's seq, whose account it is, the amount with its sign, and what the account holds after it."""


class Sheet:
    """What a sequence does to the books: to those on the slate at once, and it can be taken back.

    `rounds` and `coups` are the rounds it changes, each as it was before; the coups' are the many.
    """

    def __init__(self, slate: Slate, seq: int) -> None:
        self.seq = seq
        self.postings: list[Posting] = []
        self.rounds: dict[str, RoundLine | None] = {}
        self.coups: list[list[RoundLine]] = []
        self._slate = slate
        self._before: dict[Purse, dict[str, int]] = defaultdict(dict)

    def enter(self, entry: Entry) -> tuple[int, ...]:
        """The cash of whom it is about, after it; Refused when a rule of the books forbids it."""
        check(entry)
        self.seq += 1
        if entry.shares is not None:
            return self._coup(entry, entry.shares)
        if entry.kind in ROUND_KINDS:
            self._follow(entry)
        self._move(entry)
        return self._cash_after(entry)

    @property
    def accounts(self) -> Mapping[Purse, Mapping[str, int]]:
        """All accounts that it changes, as they were before."""
        return self._before

    def balanced(self) -> bool:
        """Whether all that was posted sums to zero in every currency."""
        sums: dict[str, int] = {}
        for (kind, currency), before in self._before.items():
            now = self._slate.balances[kind, currency]
            added = sum(map(now.__getitem__, before)) - sum(before.values())
            sums[currency] = sums.get(currency, 0) + added
        return not any(sums.values())

    def take_back(self) -> None:
        """The slate is as it was before."""
        for purse, before in self._before.items():
            self._slate.balances[purse].update(before)
        for lines in self.coups:
            self._slate.put(lines)
        for round_id, line in reversed(self.rounds.items()):
            if line is None:
                self._slate.remove(self._slate.rounds[round_id])
            else:
                self._slate.put([line])

    # --- one player's

    def _follow(self, entry: Entry) -> None:
        slate = self._slate
        if entry.kind == "deal" and (open_round := slate.open.get((entry.player, entry.table))):
            raise Refused("round_open", round=open_round)
        before = slate.rounds.get(entry.round)
        line = follow(before, entry, self.seq)
        self.rounds.setdefault(line.id, before)
        slate.put([line])

    def _move(self, entry: Entry) -> None:
        """One posting for each account, however often its money is moved."""
        for account, amount in _sums(entry.moves):
            self._post(entry, account, amount)

    def _post(self, entry: Entry, account: Account, amount_minor: int) -> None:
        owner, kind, currency = account
        purse = kind, currency
        balances = self._slate.balances[purse]
        held = balances.get(owner, 0)
        balance = held + amount_minor
        if balance < 0 and kind in PLAYER_KINDS:
            raise Refused("not_covered", currency=currency, balance_minor=held, needed_minor=-amount_minor)
        if balance > GIVEN_MOST_MINOR and entry.kind in ("grant", "deposit") and kind in PLAYER_KINDS:
            raise Refused("over_maximum", currency=currency, balance_minor=held)
        if amount_minor:
            self._before[purse].setdefault(owner, held)
            balances[owner] = balance
            self.postings.append((self.seq, purse, owner, amount_minor, balance))

    def _cash_after(self, entry: Entry) -> tuple[int, ...]:
        if not entry.moves:
            return ()
        currency = entry.moves[0].debit.currency
        return (self._slate.balances["cash", currency].get(entry.player, 0),)

    # --- everybody's at a table

    def _coup(self, entry: Entry, shares: Shares) -> tuple[int, ...]:
        """Many at once: nothing here is done for each player that can be done for all of them."""
        slate, (currency, each) = self._slate, shares
        ended = shared(slate.rounds, entry, shares, self.seq)
        self.coups.append([slate.rounds[line.id] for line in ended])
        slate.end(ended)
        paid = [(player, returned) for _, player, _, returned in each if returned]
        held = self._purse("in_play", currency, [share.player for share in each])
        cash = self._purse("cash", currency, [player for player, _ in paid])
        held.update({player: held[player] - staked for _, player, staked, _ in each})
        cash.update({player: cash[player] + returned for player, returned in paid})
        if entry.kind == "coup":
            won = sum([staked - returned for _, _, staked, returned in each])
            self._post(entry, Account(entry.table, "table", currency), won)
        purse = ("cash", currency)
        self.postings += [(self.seq, purse, player, returned, cash[player]) for player, returned in paid]
        return tuple([cash[share.player] for share in each])

    def _purse(self, kind: str, currency: str, players: Sequence[str]) -> dict[str, int]:
        """A purse of which these players' balances are remembered as they are."""
        purse = self._slate.balances[kind, currency]
        before = {player: purse[player] for player in players}
        self._before[kind, currency] = before | self._before[kind, currency]
        return purse


def _sums(moves: Sequence[Move]) -> Iterable[tuple[Account, int]]:
    if len(moves) == 1:  # as every bet has: it needs no sums
        ((debit, credit, amount),) = moves
        return (debit, -amount), (credit, amount)
    sums: dict[Account, int] = {}
    for debit, credit, amount in moves:
        sums[debit] = sums.get(debit, 0) - amount
        sums[credit] = sums.get(credit, 0) + amount
    return sums.items()
