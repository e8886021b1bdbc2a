"""Balances of connected players, cached in memory and moved by each ledger entry.

Reading a balance costs a query, and the result of a visit a sum over its rounds, which is too much for each
bet of thousands of players. A player's balances are read once, in the order of commits, and follow every
commit from then on: so the cache is never ahead of the ledger, nor behind what was sent to players.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from croupier.accounts.balances import CurrencyBalance, PlayerBalances
from croupier.ledger.entries import Entry, Share
from croupier.ledger.protocol import StakeTotals
from croupier.protocol.wire import Balance
from croupier.refusal import Refused

NOTHING = CurrencyBalance()


def balance(currency: str, held: CurrencyBalance) -> Balance:
    return Balance(currency, held.cash_minor, held.in_play_minor, held.staked_minor, held.returned_minor)


class BalanceCache:
    """By currency, then by player, since a coup settles thousands of players in one currency."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, CurrencyBalance]] = defaultdict(dict)
        self._before: dict[str, frozenset[str]] = {}
        """Open rounds that began before the visit, of the players who have such."""
        self._kept: Counter[str] = Counter()

    def keep(self, player: str, balances: PlayerBalances) -> None:
        """Cache a player's balances. Reference-counted: call `forget` once per `keep`."""
        if player not in self._kept:
            for currency, held in balances.held.items():
                self._held[currency][player] = held
            if balances.before:
                self._before[player] = balances.before
        self._kept[player] += 1

    def forget(self, player: str) -> None:
        self._kept[player] -= 1
        if not self._kept[player]:
            del self._kept[player]
            self._before.pop(player, None)
            for held in self._held.values():
                held.pop(player, None)

    def cash(self, player: str, currency: str) -> int:
        return self.held(player, currency).cash_minor

    def held(self, player: str, currency: str) -> CurrencyBalance:
        """Return a balance; an empty one where the player's balances aren't cached."""
        return self._held[currency].get(player, NOTHING)

    def balance(self, player: str, currency: str) -> Balance:
        return balance(currency, self.held(player, currency))

    def visit(self, player: str) -> dict[str, StakeTotals]:
        """Return the totals of the ended rounds of this visit, by currency."""
        return {
            currency: StakeTotals(held[player].staked_minor, held[player].returned_minor)
            for currency, held in self._held.items()
            if player in held
        }

    def has_staked(self, player: str) -> bool:
        """Return whether anything is staked, or was in an ended round of this visit."""
        every = (held[player] for held in self._held.values() if player in held)
        return any(held.in_play_minor or held.staked_minor for held in every)

    def counts_all(self, player: str) -> bool:
        """Return whether `visit` is complete: the player is cached, and no round began before the visit."""
        return player in self._kept and player not in self._before

    def entered(self, entry: Entry, refused: Sequence[Refused | None] = ()) -> None:
        """Move balances by an entry that was posted, except for its shares that were `refused`."""
        if entry.shares is not None and entry.kind == "stakes":
            stand = [share for share, no in zip(entry.shares.each, refused, strict=True) if no is None]
            self._staked(entry.shares.currency, stand)
        elif entry.shares is not None:
            self._ended(entry.shares.currency, entry.shares.each)
        elif entry.moves:
            self._moved(entry, entry.moves[0].debit.currency)

    def _staked(self, currency: str, shares: Iterable[Share]) -> None:
        for share in shares:
            held = self.held(share.player, currency)
            self._follows(share.player, currency, held.staked(share.staked_minor - share.returned_minor))

    def _ended(self, currency: str, shares: Iterable[Share]) -> None:
        known, before, kept = self._held[currency], self._before, self._kept
        for round_id, player, staked, returned in shares:
            if player in kept:
                held, counts = known.get(player, NOTHING), round_id not in before.get(player, ())
                known[player] = held.ended(staked, returned, counts=counts)

    def _follows(self, player: str, currency: str, held: CurrencyBalance) -> None:
        if player in self._kept:
            self._held[currency][player] = held

    def _moved(self, entry: Entry, currency: str) -> None:
        match entry.kind:
            case "settle":
                staked, returned = entry.moved("in_play", "table"), entry.moved("table", "cash")
                self._ended(currency, [Share(entry.round, entry.player, staked, returned)])
            case "void":
                staked = entry.moved("in_play", "cash")
                self._ended(currency, [Share(entry.round, entry.player, staked, staked)])
            case _:
                held = _between(self.held(entry.player, currency), entry)
                self._follows(entry.player, currency, held)


def _between(held: CurrencyBalance, entry: Entry) -> CurrencyBalance:
    """Return the balance after a movement of cash or of an open round's stake."""
    by_kind = {"cash": held.cash_minor, "in_play": held.in_play_minor}
    for move in entry.moves:
        for account, minor in ((move.debit, -move.amount_minor), (move.credit, move.amount_minor)):
            if account.kind in by_kind:
                by_kind[account.kind] += minor
    return CurrencyBalance(by_kind["cash"], by_kind["in_play"], held.staked_minor, held.returned_minor)
