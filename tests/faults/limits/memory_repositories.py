"""The repositories of a memory ledger, as far as the services of limits and breaks use them."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import reduce
from types import SimpleNamespace
from typing import Any, cast

from msgspec.structs import replace

from croupier.accounts.balances import CurrencyBalance, PlayerBalances
from croupier.accounts.bonus import Bonus, granted
from croupier.accounts.deposit_conditions import check_new_deposit, withhold_if_forbidden
from croupier.accounts.devices import EndedSession, NewSession
from croupier.accounts.identity import GUEST, VISIT_ENDS_MS, Identity, NewGuest, Player
from croupier.accounts.payment_entries import change_entries, opening_entries
from croupier.accounts.payment_rules import PaymentRules
from croupier.accounts.payment_states import OPEN_DEPOSITS
from croupier.accounts.payments import (
    DueGrants,
    Payment,
    PaymentChange,
    PaymentNews,
    PaymentTimes,
    PostedEntries,
    changed,
    check_same,
)
from croupier.accounts.play_time import Stretch, Stretches
from croupier.accounts.repository import Arrival, ArrivedPlayer, StoredLogin
from croupier.accounts.responsible_gaming import NOTES, PlayerRestrictions
from croupier.ledger.bonus_entries import BONUS, ENDS, EVENTS, GRANTS
from croupier.ledger.entries import Entry, note
from croupier.storage.stores import Stores
from tests.faults.limits.memory_ledger import MemoryLedger


@dataclass
class MemorySession:
    player: str
    created_ms: int
    seen_ms: int


@dataclass
class Rows:
    """The ledger that the repositories share, and rows by key."""

    ledger: MemoryLedger
    names: dict[str, str] = field(default_factory=dict)
    logins: dict[Identity, StoredLogin] = field(default_factory=dict)
    identities: dict[str, Identity] = field(default_factory=dict)
    sessions: dict[str, MemorySession] = field(default_factory=dict)
    payments: dict[str, Payment] = field(default_factory=dict)
    played: dict[str, dict[int, int]] = field(default_factory=dict)

    def stretches(self, player: str) -> Stretches:
        return tuple(Stretch(*each) for each in self.played.get(player, {}).items())

    def sessions_of(self, player: str) -> list[MemorySession]:
        return [session for session in self.sessions.values() if session.player == player]

    def visit_ms(self, player: str, now_ms: int) -> int:
        """Return when the player's visit on any device began; now if a new one begins."""
        seen = [one for one in self.sessions_of(player) if one.seen_ms >= now_ms - VISIT_ENDS_MS]
        return min(max((one.created_ms for one in seen), default=now_ms), now_ms)

    def add_session(self, player: str, token: str, now_ms: int) -> None:
        """Add a session, with a note in the journal as in SQLite."""
        self.sessions[token] = MemorySession(player, self.visit_ms(player, now_ms), now_ms)
        self.post(note(f"session:{token}", now_ms, {}, player=player))

    def add_identity(self, identity: Identity, player: str, password: str) -> None:
        self.logins[identity], self.identities[player] = StoredLogin(player, password), identity

    def post(self, *posted: Entry) -> None:
        if posted:
            self.ledger.posted(posted)


class MemoryAccounts:
    """Follows `Accounts`."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add_guests(self, guests: Sequence[NewGuest], grants: Sequence[Entry], now_ms: int) -> Future[None]:
        for guest in guests:
            self._rows.names[guest.player] = guest.name
            self._rows.add_session(guest.player, guest.token, now_ms)
        return self._rows.ledger.do(lambda: self._rows.post(*grants))

    def signed_in(self, token: str, now_ms: int) -> Future[Player | None]:
        return self._rows.ledger.do(lambda: self._signed_in(token, now_ms))

    def arriving(self, token: str, now_ms: int) -> Future[tuple[Player, PlayerBalances] | None]:
        return self._rows.ledger.do(lambda: self._arriving(token, now_ms))

    def end_visits(self, player: str) -> Future[None]:
        return self._rows.ledger.do(lambda: self._see([player], -1, 0))

    def play_time(self, player: str) -> Future[Stretches]:
        return self._rows.ledger.do(lambda: self._rows.stretches(player))

    def mark_playing(self, played: Mapping[str, Stretch], _now_ms: int) -> Future[dict[str, Stretches]]:
        return self._rows.ledger.do(lambda: self._mark_playing(played))

    def _mark_playing(self, played: Mapping[str, Stretch]) -> dict[str, Stretches]:
        for player, stretch in played.items():
            of = self._rows.played.setdefault(player, {})
            of[stretch.began_ms] = max(of.get(stretch.began_ms, 0), stretch.ended_ms)
        return {player: self._rows.stretches(player) for player in played}

    def mark_seen(self, players: Sequence[str], now_ms: int) -> Future[None]:
        return self._rows.ledger.do(lambda: self._see(players, now_ms - VISIT_ENDS_MS, now_ms))

    def save_settings(self, _player: str, _settings_json: str, _now_ms: int) -> Future[None]:
        return self._rows.ledger.do(lambda: None)

    def _see(self, players: Sequence[str], from_ms: int, seen_ms: int) -> None:
        for session in [one for player in players for one in self._rows.sessions_of(player)]:
            if session.seen_ms >= from_ms:
                session.seen_ms = seen_ms

    def _signed_in(self, token: str, now_ms: int) -> Player | None:
        rows = self._rows
        session = rows.sessions.get(token)
        if session is None:
            return None
        if now_ms - session.seen_ms > VISIT_ENDS_MS or session.created_ms > now_ms:
            session.created_ms = rows.visit_ms(session.player, now_ms)
        session.seen_ms = now_ms
        identity = rows.identities.get(session.player, GUEST)
        return Player(session.player, rows.names[session.player], "{}", session.created_ms, identity)

    def _arriving(self, token: str, now_ms: int) -> tuple[Player, PlayerBalances] | None:
        player = self._signed_in(token, now_ms)
        if player is None:
            return None
        return player._replace(stretches=self._rows.stretches(player.id)), self._balances(player)

    def _balances(self, player: Player) -> PlayerBalances:
        ledger = self._rows.ledger
        totals = ledger.totals(player.id, since_ms=player.visit_ms)
        held = {
            currency: CurrencyBalance(
                kinds.get("cash", 0), kinds.get("in_play", 0), *totals.get(currency, (0, 0))
            )
            for currency, kinds in ledger.balances(player.id).items()
        }
        open_rounds = [one for one in ledger.rounds_of(player.id) if not one.ended_ms]
        return PlayerBalances(
            held, frozenset(one.id for one in open_rounds if one.started_ms < player.visit_ms)
        )


class MemoryIdentities:
    """Follows `Identities`."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(
        self, identity: Identity, password: str, session: NewSession, now_ms: int
    ) -> Future[tuple[EndedSession, ...]]:
        self._rows.add_identity(identity, session.player, password)
        self._rows.add_session(session.player, session.token, now_ms)
        return self._rows.ledger.do(lambda: ())

    def find(self, identity: Identity) -> Future[StoredLogin | None]:
        return self._rows.ledger.do(lambda: self._rows.logins.get(identity))


class MemorySessions:
    """Follows `DeviceSessions`; every session begins on a new device."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def begin(
        self, session: NewSession, _password: str, _ended: str, now_ms: int
    ) -> Future[tuple[EndedSession, ...]]:
        self._rows.add_session(session.player, session.token, now_ms)
        return self._rows.ledger.do(lambda: ())


class MemoryExternalPlayers:
    """Follows `ExternalPlayers`; no guest becomes one of them."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def player(self, identity: Identity) -> Future[str]:
        login = self._rows.logins.get(identity)
        return self._rows.ledger.do(lambda: login.player if login else "")

    def begin(
        self, arrival: Arrival, new: NewGuest, _ended: str, grants: Sequence[Entry], now_ms: int
    ) -> Future[ArrivedPlayer]:
        return self._rows.ledger.do(lambda: self._begin(arrival, new, grants, now_ms))

    def _begin(self, arrival: Arrival, new: NewGuest, grants: Sequence[Entry], now_ms: int) -> ArrivedPlayer:
        rows, known = self._rows, self._rows.logins.get(arrival.identity)
        whose = known.player if known else new.player
        rows.post(replace(arrival.note, player=whose), *(() if known else grants))
        if known is None:
            rows.names[whose] = new.name
            rows.add_identity(arrival.identity, whose, "")
        rows.add_session(whose, new.token, now_ms)
        return ArrivedPlayer(whose, ())


class MemoryFacts:
    """Follows `DepositFacts`."""

    rules = PaymentRules()

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def jurisdiction(self, _player: str) -> str:
        return ""

    def limit_answered_ms(self, _player: str) -> int | None:
        return None

    def restrictions(self, player: str) -> PlayerRestrictions:
        notes = sorted(self._rows.ledger.entries(f"{NOTES}{player}:"), key=lambda note: note.key)
        return reduce(PlayerRestrictions.after_note, notes, PlayerRestrictions())

    def deposited_minor(self, player: str, currency: str, since_ms: int) -> int:
        return self._rows.ledger.deposited(player, since_ms=since_ms).get(currency, 0)

    def open_deposits_minor(self, player: str, currency: str) -> int:
        mine = [
            one for one in self._rows.payments.values() if (one.player, one.currency) == (player, currency)
        ]
        return sum(one.amount_minor for one in mine if one.state in OPEN_DEPOSITS)


class MemoryPayments:
    """Follows `PaymentRepository`."""

    rules = PaymentRules()

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, payment: Payment, further: Sequence[Entry] = ()) -> Future[PaymentChange]:
        return self._rows.ledger.do(lambda: self._add(payment, further))

    def _add(self, payment: Payment, further: Sequence[Entry]) -> PaymentChange:
        if known := self._rows.payments.get(payment.id):
            check_same(known, payment)
            return PaymentChange(known, known)
        if payment.direction == "deposit":
            check_new_deposit(payment, MemoryFacts(self._rows))
        return self._kept(PaymentChange(None, payment, (*opening_entries(payment), *further)))

    def change(self, payment: str, news: PaymentNews, at: PaymentTimes) -> Future[PaymentChange]:
        return self._rows.ledger.do(lambda: self._change(self._rows.payments[payment], news, at))

    def _change(self, known: Payment, news: PaymentNews, at: PaymentTimes) -> PaymentChange:
        facts = MemoryFacts(self._rows)
        after = changed(known, withhold_if_forbidden(known, news, facts, at.now_ms), at)
        cash_minor = self._rows.ledger.balances(known.player).get(known.currency, {}).get("cash", 0)
        return self._kept(PaymentChange(known, after, change_entries(known, after, cash_minor)))

    def _kept(self, step: PaymentChange) -> PaymentChange:
        """Keep a payment's new state, with a note in the journal as in SQLite."""
        after = step.after
        if step.before is None or after.state != step.before.state:
            self._rows.post(note(f"{after.id}:{after.state}", after.changed_ms, {}), *step.entries)
        self._rows.payments[step.after.id] = step.after
        return step

    def withdraw_play_money(self, withdrawal: Entry, ends: Sequence[Entry]) -> Future[PostedEntries]:
        return self._rows.ledger.do(lambda: self._withdraw_play_money(withdrawal, *ends))

    def _withdraw_play_money(self, *posted: Entry) -> PostedEntries:
        self._rows.post(*posted)
        return PostedEntries(posted)

    def add_bonus(self, added: Entry) -> Future[DueGrants]:
        return self._rows.ledger.do(lambda: self._add_bonus(added))

    def _add_bonus(self, added: Entry) -> DueGrants:
        MemoryFacts(self._rows).restrictions(added.player).check_not_barred(added.at_ms)
        self._rows.post(added)
        return DueGrants((added,))

    def end_due_bonuses(self, players: Sequence[str], now_ms: int) -> Future[PostedEntries]:
        return self._rows.ledger.do(lambda: self._end_due_bonuses(players, now_ms))

    def _end_due_bonuses(self, players: Sequence[str], now_ms: int) -> PostedEntries:
        ledger = self._rows.ledger
        ended = {entry.body[BONUS] for entry in ledger.entries(ENDS)}
        grants = [entry for player in players for entry in ledger.entries(f"{GRANTS}{player}:")]
        bonuses = [
            reduce(Bonus.after, ledger.entries(f"{EVENTS}{bonus.id}:"), bonus)
            for bonus in map(granted, grants)
            if bonus.id not in ended
        ]
        ends = [bonus.end_entry(why, now_ms) for bonus in bonuses if (why := bonus.due_end(now_ms))]
        self._rows.post(*ends)
        return PostedEntries(tuple(ends))

    def find(self, payment: str) -> Future[Payment | None]:
        return self._rows.ledger.do(lambda: self._rows.payments.get(payment))

    def debtors(self) -> Future[tuple[str, ...]]:
        return self._rows.ledger.do(lambda: ())

    def due(self, until_ms: int, most: int) -> Future[tuple[Payment, ...]]:
        return self._rows.ledger.do(
            lambda: tuple(one for one in self._rows.payments.values() if 0 < one.due_ms <= until_ms)[:most]
        )


def memory_stores() -> Stores:
    """Return stores in memory; those that limits and breaks don't touch are missing."""
    ledger = MemoryLedger()
    rows, missing = Rows(ledger), cast("Any", None)
    parts: dict[str, Callable[[Rows], Any]] = {
        "accounts": MemoryAccounts,
        "identities": MemoryIdentities,
        "sessions": MemorySessions,
        "external_players": MemoryExternalPlayers,
        "payments": MemoryPayments,
    }
    others = dict.fromkeys(Stores.__dataclass_fields__.keys() - parts.keys() - {"ledger"}, missing)
    others["attempts"] = SimpleNamespace(
        count=lambda *_: ledger.do(lambda: None), clear=lambda *_: ledger.do(lambda: None)
    )
    others["leases"] = SimpleNamespace(is_shared=False)
    return Stores(ledger=cast("Any", ledger), **{name: make(rows) for name, make in parts.items()}, **others)
