"""Balances of connected players, cached in memory and updated by each ledger entry.

Reading a balance costs a query, and the result of a visit a sum over its rounds: too much for each bet of
thousands of players. A player's balances are read once, in the order of commits, and updated by every commit
from then on. So the cache is never ahead of the ledger, nor behind what was sent to players.

In a currency of an operator's wallet, the cached cash is the balance there: the ledger has it only in play.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence

from msgspec import structs

from croupier.accounts.balances import CurrencyBalance, PlayerBalances
from croupier.ledger.entries import WALLET_KINDS, Entry, Share
from croupier.ledger.protocol import StakeTotals
from croupier.protocol.wire import Balance
from croupier.refusal import Refused

NOTHING = CurrencyBalance()


def balance(currency: str, held: CurrencyBalance) -> Balance:
    totals = held.in_play_minor, held.staked_minor, held.returned_minor
    return Balance(currency, held.cash_minor, *totals, held.unknown)


class BalanceCache:
    """By currency, then by player, since a coup settles thousands of players in one currency."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, CurrencyBalance]] = defaultdict(dict)
        self._before: dict[str, frozenset[str]] = {}
        """Open rounds that began before the visit, of the players who have any."""
        self._staked: dict[str, frozenset[str]] = {}
        """The currencies of which the player had ever staked anything when they came, if any."""
        self._references: Counter[str] = Counter()

    def keep(self, player: str, balances: PlayerBalances) -> None:
        """Cache a player's balances. Reference-counted: call `forget` once per `keep`."""
        if player not in self._references:
            for currency, held in balances.held.items():
                self._held[currency][player] = held
            if balances.before:
                self._before[player] = balances.before
            if balances.staked:
                self._staked[player] = balances.staked
        self._references[player] += 1

    def replace(self, player: str, balances: PlayerBalances, of_wallet: Container[str]) -> list[str]:
        """Replace a cached player's balances, and return the changed currencies.

        Cash in a wallet's currency is the wallet's, and stays, known or not.
        """
        if player not in self._references:
            return []
        changed = list[str]()
        for currency, held in balances.held.items():
            before = self.held(player, currency)
            now = held
            if currency in of_wallet:
                now = structs.replace(held, cash_minor=before.cash_minor, unknown=before.unknown)
            self._held[currency][player] = now
            changed += [currency] if now != before else []
        self._before.pop(player, None)
        if balances.before:
            self._before[player] = balances.before
        if balances.staked:
            self._staked[player] = balances.staked
        return changed

    def forget(self, player: str) -> None:
        self._references[player] -= 1
        if not self._references[player]:
            del self._references[player]
            self._before.pop(player, None)
            self._staked.pop(player, None)
            for held in self._held.values():
                held.pop(player, None)

    def knows(self, player: str) -> bool:
        """Return whether the player's balances are cached."""
        return player in self._references

    def cash(self, player: str, currency: str) -> int:
        return self.held(player, currency).cash_minor

    def held(self, player: str, currency: str) -> CurrencyBalance:
        """Return a balance, which is empty if the player's balances aren't cached."""
        return self._held[currency].get(player, NOTHING)

    def expect_cash(self, player: str, currencies: Iterable[str]) -> None:
        """Note that a wallet has yet to say what an arriving player's balances are in its currencies.

        Balances that another browser of the player has brought already stay as they are.
        """
        if self._references[player] == 1:
            for currency in currencies:
                self._set(player, currency, structs.replace(self.held(player, currency), unknown=True))

    def unknown(self, player: str, currencies: Iterable[str]) -> list[str]:
        """Return those of a wallet's currencies in which the player's balance isn't known."""
        return [currency for currency in currencies if self.held(player, currency).unknown]

    def set_cash(self, player: str, currency: str, minor: int) -> None:
        """Replace the cash of a cached player by the balance of their operator's wallet."""
        held = self.held(player, currency)
        totals = held.in_play_minor, held.staked_minor, held.returned_minor
        self._set(player, currency, CurrencyBalance(minor, *totals))

    def balance(self, player: str, currency: str) -> Balance:
        return balance(currency, self.held(player, currency))

    def visit_totals(self, player: str) -> dict[str, StakeTotals]:
        """Return the totals of the ended rounds of this visit, by currency."""
        return {
            currency: StakeTotals(held[player].staked_minor, held[player].returned_minor)
            for currency, held in self._held.items()
            if player in held
        }

    def may_have_staked(self, player: str, currency: str) -> bool:
        """Return whether a player may ever have staked this currency, void rounds of this visit aside."""
        held = self.held(player, currency)
        known = held.in_play_minor or held.staked_minor or currency in self._staked.get(player, ())
        return bool(known) or player not in self._references

    def has_staked(self, player: str) -> bool:
        """Return whether anything is staked, or was in an ended round of this visit."""
        every = (held[player] for held in self._held.values() if player in held)
        return any(held.in_play_minor or held.staked_minor for held in every)

    def has_in_play(self, player: str) -> bool:
        return any(held[player].in_play_minor for held in self._held.values() if player in held)

    def is_visit_complete(self, player: str) -> bool:
        """Return whether the player is cached with complete totals: no round began before the visit."""
        return player in self._references and player not in self._before

    def apply(self, entry: Entry, refused: Sequence[Refused | None] = ()) -> None:
        """Update balances with a posted entry, except for its `refused` shares."""
        if entry.shares is not None and entry.kind == "stakes":
            accepted = [share for share, no in zip(entry.shares.each, refused, strict=True) if no is None]
            self._add_stakes(entry.shares.currency, accepted)
        elif entry.shares is not None:
            self._end_rounds(entry.shares.currency, entry.shares.each)
        elif entry.moves and entry.kind not in WALLET_KINDS:
            self._apply_moves(entry, entry.moves[0].debit.currency)

    def _add_stakes(self, currency: str, shares: Iterable[Share]) -> None:
        for share in shares:
            held = self.held(share.player, currency)
            self._set(share.player, currency, held.staked(share.staked_minor - share.returned_minor))

    def _end_rounds(self, currency: str, shares: Iterable[Share]) -> None:
        held_by, before, cached = self._held[currency], self._before, self._references
        for round_id, player, staked, returned in shares:
            if player in cached:
                held, counts = held_by.get(player, NOTHING), round_id not in before.get(player, ())
                held_by[player] = held.ended(staked, returned, counts=counts)

    def _set(self, player: str, currency: str, held: CurrencyBalance) -> None:
        if player in self._references:
            self._held[currency][player] = held

    def _apply_moves(self, entry: Entry, currency: str) -> None:
        match entry.kind:
            case "settle":
                staked, returned = entry.moved("in_play", "table"), entry.moved("table", "cash")
                self._end_rounds(currency, [Share(entry.round, entry.player, staked, returned)])
            case "void":
                staked = entry.moved("in_play", "cash")
                self._end_rounds(currency, [Share(entry.round, entry.player, staked, staked)])
            case _:
                held = _after_moves(self.held(entry.player, currency), entry)
                self._set(entry.player, currency, held)


def _after_moves(held: CurrencyBalance, entry: Entry) -> CurrencyBalance:
    """Return the balance after a movement of cash or of an open round's stake."""
    by_kind = {"cash": held.cash_minor, "in_play": held.in_play_minor}
    for move in entry.moves:
        for account, minor in ((move.debit, -move.amount_minor), (move.credit, move.amount_minor)):
            if account.kind in by_kind:
                by_kind[account.kind] += minor
    return structs.replace(held, cash_minor=by_kind["cash"], in_play_minor=by_kind["in_play"])
