"""A model of the ledger in plain Python that predicts each of its results.

It shares only the entries with the ledger.
"""

from copy import deepcopy
from dataclasses import dataclass, field

from msgspec.structs import replace

from croupier.ledger.entries import Entry, Move, Share
from croupier.play.contract.amounts import BALANCE_MINOR_MAX

Effect = tuple[tuple[int, ...], tuple[str | None, ...]]
PostResult = tuple[int, bool, tuple[int, ...], tuple[str | None, ...]]
"""The seq, whether it was a duplicate, the players' cash after it, and why shares were left out."""


class Refusal(Exception):
    """Has the code that the ledger must refuse with."""


@dataclass
class Round:
    owner: tuple[str, str, str]
    staked: int
    steps: list[str]
    returned: int = 0
    status: str = "open"


@dataclass
class Model:
    """A model of the ledger in plain dictionaries.

    `entries` are in order, which gives their seqs; amounts are by player and currency.
    """

    entries: dict[str, tuple[object, ...]] = field(default_factory=dict)
    cash: dict[tuple[str, str], int] = field(default_factory=dict)
    held: dict[tuple[str, str], int] = field(default_factory=dict)
    withdrawing: dict[tuple[str, str], int] = field(default_factory=dict)
    rounds: dict[str, Round] = field(default_factory=dict)

    def post(self, sequence: list[Entry]) -> list[PostResult] | str:
        """Return each entry's result, or the code of the refusal."""
        before = deepcopy(self.__dict__)
        try:
            cash = self._post(sequence)
        except Refusal as refusal:
            self.__dict__ = before
            return str(refusal)
        seqs = {key: seq for seq, key in enumerate(self.entries, 1)}
        if not cash:
            return [(seqs[entry.key], True, (), ()) for entry in sequence]
        return [(seqs.get(entry.key, 0), False, *after) for entry, after in zip(sequence, cash, strict=True)]

    def post_each(self, entries: list[Entry]) -> list[PostResult | str]:
        """Return each entry's result, or the code of its refusal."""
        alone = [self.post([entry]) for entry in entries]
        return [answer if isinstance(answer, str) else answer[0] for answer in alone]

    def _post(self, sequence: list[Entry]) -> list[Effect]:
        """Return the cash and refused stakes after each entry; nothing when all are duplicates."""
        keys = [entry.key for entry in sequence]
        if len(set(keys)) < len(keys):
            raise Refusal("key_reused")
        if any(key in self.entries for key in keys):
            if any(self.entries.get(entry.key) != content(entry) for entry in sequence):
                raise Refusal("key_reused")
            return []
        cash: list[Effect] = []
        for entry in sequence:
            accepted, refused = self._stakes(entry) if entry.kind == "stakes" else (entry, ())
            if accepted is None:
                cash.append(((), refused))
                continue
            if entry.kind != "stakes":
                self._enter(entry)
            self.entries[entry.key] = content(accepted)
            cash.append((self._cash_after(accepted), refused))
        left_out = [code for _, refused in cash for code in refused if code]
        if len(sequence) > 1 and left_out:
            raise Refusal(left_out[0])
        return cash

    def _stakes(self, entry: Entry) -> tuple[Entry | None, tuple[str | None, ...]]:
        """Apply each share like an entry of its own; return the entry with the accepted ones."""
        assert entry.shares
        refused: list[str | None] = []
        for share in entry.shares.each:
            before = deepcopy(self.__dict__)
            try:
                self._staked(entry, share)
                refused.append(None)
            except Refusal as refusal:
                self.__dict__ = before
                refused.append(str(refusal))
        accepted = tuple(share for share, no in zip(entry.shares.each, refused, strict=True) if no is None)
        shares = entry.shares._replace(each=accepted)
        return (replace(entry, shares=shares) if accepted else None), tuple(refused)

    def _staked(self, entry: Entry, share: Share) -> None:
        assert entry.shares
        alone = replace(entry, round=share.round, player=share.player, body={})
        account = share.player, entry.shares.currency
        if share.round not in self.rounds:
            self._deal(alone, account, share.staked_minor)
            if share.returned_minor:
                raise Refusal("wrong_stake")
        elif share.staked_minor:
            self._answer(alone, account, share.staked_minor)
        else:
            self._release(alone, account, share.returned_minor)

    def _cash_after(self, entry: Entry) -> tuple[int, ...]:
        if entry.shares:
            currency, shares = entry.shares
            return tuple(self.cash[share.player, currency] for share in shares)
        if entry.kind == "withdrawal_paid":
            return ()
        accounts = {(entry.player, move.debit.currency) for move in entry.moves}
        return tuple(self.cash.get(account, 0) for account in accounts)

    def _enter(self, entry: Entry) -> None:
        if entry.shares:
            self._share_out(entry, *entry.shares)
            return
        amounts = [move.amount_minor for move in entry.moves]
        account = (entry.player, entry.moves[0].debit.currency) if entry.moves else ("", "")
        if entry.round and entry.kind != "note":
            self._of_round(entry, account, amounts)
        match entry.kind:
            case "grant" | "deposit" | "adjustment" | "withdrawal" | "expiry":
                self._move_cash(account, entry.moves[0])
            case "withdrawal_requested":
                self._pay(account, -amounts[0])
                self.withdrawing[account] = self.withdrawing.get(account, 0) + amounts[0]
            case "withdrawal_paid" | "withdrawal_returned":
                self._end_withdrawal(entry, account, amounts[0])

    def _of_round(self, entry: Entry, account: tuple[str, str], amounts: list[int]) -> None:
        match entry.kind:
            case "deal":
                self._deal(entry, account, amounts[0])
            case "answer":
                self._answer(entry, account, sum(amounts))
            case "release":
                self._release(entry, account, amounts[0])
            case "settle":
                self._end(entry, account, amounts[0], sum(amounts[1:]), "settled")
            case "void":
                self._end(entry, account, amounts[0], amounts[0], "void")

    def _share_out(self, entry: Entry, currency: str, shares: tuple[Share, ...]) -> None:
        """End each round like an entry of its own."""
        status = "settled" if entry.kind == "coup" else "void"
        for round_, player, staked, returned in shares:
            alone = replace(entry, round=round_, player=player, body={})
            self._end(alone, (player, currency), staked, returned, status)

    def _move_cash(self, account: tuple[str, str], move: Move) -> None:
        minor = move.amount_minor if move.credit.kind == "cash" else -move.amount_minor
        if minor > 0 and self.cash.get(account, 0) + minor > BALANCE_MINOR_MAX:
            raise Refusal("over_maximum")
        self._pay(account, minor)

    def _end_withdrawal(self, entry: Entry, account: tuple[str, str], amount: int) -> None:
        if self.withdrawing.get(account, 0) < amount:
            raise Refusal("not_covered")
        self.withdrawing[account] -= amount
        if entry.kind == "withdrawal_returned":
            self._pay(account, amount)

    def _pay(self, account: tuple[str, str], amount: int) -> None:
        if self.cash.get(account, 0) + amount < 0:
            raise Refusal("not_covered")
        self.cash[account] = self.cash.get(account, 0) + amount

    def _hold(self, account: tuple[str, str], amount: int) -> None:
        self._pay(account, -amount)
        self.held[account] = self.held.get(account, 0) + amount

    def _deal(self, entry: Entry, account: tuple[str, str], stake: int) -> None:
        for each in self.rounds.values():
            if each.status == "open" and each.owner[:2] == (entry.player, entry.table):
                raise Refusal("round_open")
        if self.cash.get(account, 0) > BALANCE_MINOR_MAX:
            raise Refusal("balance_too_high")
        if entry.round in self.rounds:
            raise Refusal("round_exists")
        self._hold(account, stake)
        owner = (entry.player, entry.table, account[1])
        self.rounds[entry.round] = Round(owner, stake, steps(entry))

    def _of(self, entry: Entry, currency: str) -> Round:
        round_ = self.rounds.get(entry.round)
        if round_ is None or round_.owner != (entry.player, entry.table, currency or round_.owner[2]):
            raise Refusal("round_unknown")
        if round_.status != "open":
            raise Refusal("round_ended")
        return round_

    def _answer(self, entry: Entry, account: tuple[str, str], extra: int) -> None:
        round_ = self._of(entry, account[1])
        if extra:
            self._hold(account, extra)
        round_.staked += extra
        round_.steps += steps(entry)

    def _release(self, entry: Entry, account: tuple[str, str], amount: int) -> None:
        round_ = self._of(entry, account[1])
        if round_.staked < amount:
            raise Refusal("wrong_stake")
        round_.staked -= amount
        self.held[account] -= amount
        self.cash[account] += amount

    def _end(self, entry: Entry, account: tuple[str, str], staked: int, returned: int, status: str) -> None:
        round_ = self._of(entry, account[1])
        if round_.staked != staked:
            raise Refusal("wrong_stake")
        self.held[account] -= staked
        self.cash[account] += returned
        round_.returned, round_.status = returned, status
        round_.steps += steps(entry)


def content(entry: Entry) -> tuple[object, ...]:
    """Return everything of an entry but its time."""
    return (
        entry.key,
        entry.kind,
        entry.player,
        entry.table,
        entry.round,
        entry.moves,
        entry.shares,
        dict(entry.body),
    )


def steps(entry: Entry) -> list[str]:
    found = entry.body.get("steps", [])
    assert isinstance(found, list)
    return list(found)
