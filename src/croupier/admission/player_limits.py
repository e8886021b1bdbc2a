"""Enforcement of players' own limits and breaks: no stake and no deposit passes a limit.

Every stake is admitted here, where it is held: see `accounts.admission`. Players without limits, bonuses and
other conditions cost nothing. The totals that a limit counts are read from the ledger once for each
period and visit; the cached balances add what has happened since.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, tzinfo
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol

import msgspec

from croupier import clock
from croupier.accounts.days import period_start_ms
from croupier.accounts.responsible_gaming import (
    NOTES,
    PERIODS,
    LimitKind,
    Measure,
    PlayerRestrictions,
    RestrictionChange,
)
from croupier.admission.balances import BalanceCache
from croupier.admission.conditions import (
    NO_CONDITIONS,
    OwnLimit,
    PlayConditions,
    PlayerStanding,
    StakeRequest,
    admit,
)
from croupier.admission.read_facts import ReadFacts
from croupier.ledger import entries
from croupier.ledger.bonus_entries import OPT_INS
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader, StakeTotals
from croupier.protocol.wire import ActiveBreak
from croupier.refusal import Refused
from croupier.tables.live.effects import Hold, Raise

EARLIER_TOTALS_CACHED = 50_000
ALL = 2**31 - 1
NOTHING_SET = PlayerRestrictions()
NOTHING = StakeTotals(0, 0)
COUNTED_BY: Mapping[str, tuple[LimitKind, ...]] = {"stake": ("loss", "wager"), "deposit": ("deposit",)}
"""The limits that count each kind of spending."""
LIMITED_MOVES: Mapping[tuple[str, str], Literal["stake", "deposit"]] = {
    ("cash", "in_play"): "stake",
    ("cashier", "cash"): "deposit",
}
"""The movements that limits count, by kinds of accounts."""


class SpendRequest(NamedTuple):
    """A stake or deposit that a player is about to make, with the key of its entry if it has one."""

    player: str
    kind: Literal["stake", "deposit"]
    currency: str
    amount_minor: int
    entry: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        return self[:3]


class Conditions(Protocol):
    """The conditions of players' bets, besides the restrictions known here."""

    def restrict(self, player: str, /) -> bool:
        """Return whether a player's bets may have conditions."""
        ...

    def of(self, player: str, currency: str, /) -> PlayConditions:
        """Return the conditions of a player's bets in a currency."""
        ...


class Unconditioned:
    """No conditions, as in a process without players."""

    def restrict(self, _player: str) -> bool:
        return False

    def of(self, _player: str, _currency: str) -> PlayConditions:
        return NO_CONDITIONS


class PlayerLimits:
    """The restrictions of all players who have set any. Call `load` first.

    `visit_began_ms` returns the start of the visit that the cached balances count; None without one.
    """

    def __init__(
        self,
        ledger: LedgerReader,
        balances: BalanceCache,
        visit_began_ms: Callable[[str], int | None],
        zone: tzinfo = UTC,
    ) -> None:
        self.zone = zone
        """The time zone of the days, weeks and months."""
        self.facts = self._ledger = ReadFacts(ledger)
        """The facts that checks count; await `ReadFacts.when_read` with each check."""
        self._balances = balances
        self._visit_began_ms = visit_began_ms
        self._conditions: Conditions = Unconditioned()
        self._of: dict[str, PlayerRestrictions] = {}
        self._announced: dict[str, PlayerRestrictions] = {}
        """Restrictions that are being posted, one change at a time."""
        self._reserved: defaultdict[tuple[str, str, str], list[SpendRequest]] = defaultdict(list)
        """Requests that are being posted, by player, kind of spending and currency."""
        self._open_deposits: dict[str, SpendRequest] = {}
        """Reserved deposits that the payment provider hasn't confirmed, by the keys of their entries."""
        self._earlier = lru_cache(EARLIER_TOTALS_CACHED)(self.facts.totals)
        self._idle_ms: dict[str, int] = {}
        """The last time when nothing of a player was known to be at stake; later rounds began after it."""

    def add_conditions(self, conditions: Conditions) -> None:
        """Admit stakes by these conditions too."""
        self._conditions = conditions

    # --- restrictions

    def load(self) -> None:
        """Read all restrictions from the journal."""
        for note in reversed(self.facts.ledger.notes(NOTES, limit=ALL)):
            self.apply(note)

    def of(self, player: str) -> PlayerRestrictions:
        """Return a player's restrictions, with those that are being posted."""
        return self._announced.get(player) or self._of.get(player, NOTHING_SET)

    @contextmanager
    def announce(self, notes: Sequence[Entry]) -> Iterator[None]:
        """Apply restrictions while they are posted, so that nothing that they forbid is posted after them.

        A note that reopens an account takes effect only when it is durable.
        """
        announced = [note for note in notes if note.body["type"] != "reopened"]
        for note in announced:
            self._announced[note.player] = self.of(note.player).after_note(note)
        try:
            yield
        finally:
            for note in announced:
                self._announced.pop(note.player, None)

    def note(self, player: str, change: RestrictionChange, now_ms: int) -> Entry:
        """Return the note of a change, to be posted and then passed to `apply`, one at a time."""
        body = msgspec.to_builtins(change)
        return entries.note(f"{NOTES}{player}:{self.of(player).notes:06}", now_ms, body, player=player)

    def apply(self, note: Entry) -> None:
        """Apply a posted note."""
        self._of[note.player] = self._of.get(note.player, NOTHING_SET).after_note(note)

    def is_applied(self, note: Entry) -> bool:
        """Return whether a note of the journal has taken effect here."""
        return int(note.key.rpartition(":")[2]) < self._of.get(note.player, NOTHING_SET).notes

    def read_ahead(self, player: str) -> None:
        """Read the totals before a player's visit, so that no bet waits for it; a check like others.

        They aren't final, and so not cached, while a round from before the visit is open.
        """
        visit_ms = self._visit_began_ms(player)
        if visit_ms is not None and self._balances.is_visit_complete(player):
            for period in PERIODS:
                self._before_visit(player, period_start_ms(period, clock.now_ms(), self.zone), visit_ms)

    def changed(self, entry: Entry) -> None:
        """Note that an entry was posted: what was read about its players is out of date."""
        for player in (
            [entry.player] if entry.shares is None else [share.player for share in entry.shares.each]
        ):
            if self._has_restrictions(player):
                self.facts.changed(player)

    # --- checks

    def check_open(self, player: str) -> None:
        """Refuse `account_closed` for a closed account."""
        self.of(player).check_open()

    def check_not_barred(self, player: str) -> None:
        """Refuse `barred` during a break, and `account_closed`."""
        self.of(player).check_not_barred(clock.now_ms())

    def active_break(self, player: str) -> ActiveBreak | None:
        """Return the player's current break or exclusion."""
        restrictions = self.of(player)
        if not restrictions.is_barred(clock.now_ms()):
            return None
        return ActiveBreak(restrictions.barred.why, restrictions.barred.until_ms)

    @contextmanager
    def reserve(self, posted: Sequence[Entry]) -> Iterator[None]:
        """Refuse entries that exceed a player's limit; inside the context they count as posted."""
        reserved = list[SpendRequest]()
        try:
            for entry in posted:
                if entry.kind == "bonus_grant" or entry.key.startswith(OPT_INS):
                    self.check_not_barred(entry.player)
                self._reserve_entry(entry, reserved)
            yield
        finally:
            self._release(reserved)

    def reserve_deposit(self, deposit: SpendRequest) -> None:
        """Refuse a deposit that exceeds a limit; it counts as posted until `release_deposit`."""
        if deposit.entry not in self._open_deposits:
            self._check_deposit(deposit)
            self.restore_deposit(deposit)

    def restore_deposit(self, deposit: SpendRequest) -> None:
        """Count a deposit that was checked before the server started."""
        self._open_deposits[deposit.entry] = deposit
        self._reserved[deposit.key].append(deposit)

    def check_no_open_deposit(self, player: str) -> None:
        """Refuse `deposit_open` while the payment provider may still confirm a deposit."""
        for deposit in self._open_deposits.values():
            if deposit.player == player:
                raise Refused("deposit_open", currency=deposit.currency, amount_minor=deposit.amount_minor)

    def release_deposit(self, entry: str) -> None:
        """Stop counting a deposit that has ended, or that the ledger counts now."""
        if deposit := self._open_deposits.pop(entry, None):
            self._release([deposit])

    @contextmanager
    def reserve_holds(self, moves: Iterable[object], table: str) -> Iterator[Mapping[Hold | Raise, Refused]]:
        """Yield the refusals of holds that aren't admitted; inside the context the others count as placed."""
        reserved, refused = list[SpendRequest](), dict[Hold | Raise, Refused]()
        try:
            for move in moves:
                if isinstance(move, Hold | Raise) and self._may_be_limited(move.player):
                    bets_minor = move.bets_minor if isinstance(move, Hold) else None
                    stake = StakeRequest(move.player, move.currency, table, move.amount_minor, bets_minor)
                    if why := self._reserve_stake(stake, reserved):
                        refused[move] = why
            yield refused
        finally:
            self._release(reserved)

    def _may_be_limited(self, player: str) -> bool:
        return self._has_restrictions(player) or self._conditions.restrict(player)

    def _has_restrictions(self, player: str) -> bool:
        """Return whether a player has set restrictions, or their first ones are being posted."""
        return player in self._of or player in self._announced

    def _reserve_entry(self, entry: Entry, reserved: list[SpendRequest]) -> None:
        """Refuse an entry that isn't in the journal yet, and whose stake or deposit isn't allowed."""
        for accounts, kind in LIMITED_MOVES.items():
            minor = entry.moved(*accounts)
            if not minor:
                continue
            player, currency = entry.player, entry.moves[0].debit.currency
            if not self._may_be_limited(player) or self._ledger.entry(entry.key):
                continue
            if kind == "deposit":
                deposit = SpendRequest(player, kind, currency, minor, entry.key)
                self._check_deposit(deposit)
                self._reserve_one(deposit, reserved)
                continue
            bets_minor = minor if entry.kind == "deal" else None
            stake = StakeRequest(player, currency, entry.table, minor, bets_minor, entry.key)
            if why := self._reserve_stake(stake, reserved):
                raise why

    def _reserve_stake(self, stake: StakeRequest, reserved: list[SpendRequest]) -> Refused | None:
        """Count a stake as placed if it is admitted; otherwise return why it isn't."""
        spending = SpendRequest(stake.player, "stake", stake.currency, stake.amount_minor, stake.entry)
        now_ms = clock.now_ms()
        conditions = self._conditions.of(stake.player, stake.currency)
        limits = tuple(self._own_limits(spending, now_ms))
        state = PlayerStanding(self.of(stake.player), limits, conditions)
        why = admit(stake, state, now_ms)
        if why is None:
            self._reserve_one(spending, reserved)
        return why

    def _reserve_one(self, spending: SpendRequest, reserved: list[SpendRequest]) -> None:
        self._reserved[spending.key].append(spending)
        reserved.append(spending)

    def _release(self, reserved: Iterable[SpendRequest]) -> None:
        """Stop counting requests that the ledger counts now, or has refused."""
        for spending in reserved:
            self._reserved[spending.key].remove(spending)
            self.facts.changed(spending.player)
            if not self._reserved[spending.key]:
                del self._reserved[spending.key]

    def _check_deposit(self, deposit: SpendRequest) -> None:
        now_ms = clock.now_ms()
        self.of(deposit.player).check_not_barred(now_ms)
        for limit in self._own_limits(deposit, now_ms):
            limit.check(deposit.amount_minor)

    def _own_limits(self, spending: SpendRequest, now_ms: int) -> Iterator[OwnLimit]:
        """Yield the player's limits that count such spending."""
        restrictions = self.of(spending.player)
        for measure in restrictions.limits:
            if measure.what not in COUNTED_BY[spending.kind] or measure.currency != spending.currency:
                continue
            maximum = restrictions.limit_at(measure, now_ms)
            if maximum is not None:
                reserved = sum(each.amount_minor for each in self._reserved.get(spending.key, ()))
                left = maximum - self.used(spending.player, measure, now_ms) - reserved
                yield OwnLimit(measure, maximum, left)

    # --- totals

    def used(self, player: str, measure: Measure, now_ms: int) -> int:
        """Return how much of a money limit is used up; negative for the loss limit of a winner."""
        since_ms = period_start_ms(measure.period, now_ms, self.zone)
        if measure.what == "deposit":
            reserved = self._reserved.get((player, "deposit", measure.currency), ())
            found = self._ledger.deposited(
                player, since_ms=since_ms, without=tuple(each.entry for each in reserved)
            )
            return found.get(measure.currency, 0)
        # In this order: a round that ends between the two reads counts twice for a moment, never not at all.
        at_risk = self._at_risk(player, measure.currency)
        played = self.played(player, since_ms).get(measure.currency, NOTHING)
        return played.staked_minor + at_risk - (played.returned_minor if measure.what == "loss" else 0)

    def played(self, player: str, since_ms: int) -> Mapping[str, StakeTotals]:
        """Return the totals of ended rounds since then, by currency.

        The cached balances have those of the present visit; the earlier ones no longer change.
        """
        visit_ms = self._visit_began_ms(player)
        if visit_ms is None or not self._balances.is_visit_complete(player):
            return self._ledger.totals(player, since_ms=since_ms)
        return _sum(self._balances.visit_totals(player), *self._before_visit(player, since_ms, visit_ms))

    def _before_visit(
        self, player: str, since_ms: int, visit_ms: int
    ) -> tuple[int, Mapping[str, StakeTotals]]:
        """Return the sign and the totals to add to the visit: -1 if it began before `since_ms`."""
        sign = 1 if since_ms <= visit_ms else -1
        is_final = sign > 0 or self._all_ended_from_before(player, since_ms)
        totals = self._earlier if is_final else self._ledger.totals
        return sign, totals(player, since_ms=min(since_ms, visit_ms), until_ms=max(since_ms, visit_ms))

    def _all_ended_from_before(self, player: str, at_ms: int) -> bool:
        """Return whether no round that began before that time is open, so that each counts on its own day."""
        if self._idle_ms.get(player, 0) < at_ms and not self._has_stake(player):
            self._idle_ms[player] = clock.now_ms()
        return self._idle_ms.get(player, 0) >= at_ms

    def _has_stake(self, player: str) -> bool:
        """Return whether anything is at stake, or is being staked."""
        return self._balances.has_in_play(player) or any(key[0] == player for key in self._reserved)

    def _at_risk(self, player: str, currency: str) -> int:
        if self._visit_began_ms(player) is None:
            return self._ledger.balances(player).get(currency, {}).get("in_play", 0)
        return self._balances.held(player, currency).in_play_minor


def _sum(
    now: Mapping[str, StakeTotals], sign: int, earlier: Mapping[str, StakeTotals]
) -> Mapping[str, StakeTotals]:
    return {
        currency: StakeTotals(*(here + sign * there for here, there in zip(one, other, strict=True)))
        for currency in now.keys() | earlier.keys()
        for one, other in [(now.get(currency, NOTHING), earlier.get(currency, NOTHING))]
    }
