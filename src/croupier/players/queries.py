"""Queries about one player."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from croupier.accounts.payment_rules import JURISDICTIONS
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader
from croupier.play.contract.bets import Wager
from croupier.protocol.wire import Balance
from croupier.rounds import round_entries


class PreviousRound(NamedTuple):
    """The id of a player's last round at an own table, and its bets for Rebet; none in another currency."""

    id: str = ""
    wagers: tuple[Wager, ...] = ()


NO_ROUND = PreviousRound()
ACCEPTANCES, REMINDERS = "accepted:", "reminder:"
"""Prefixes of the keys of notes, before the player's id."""
ACCEPTANCES_MAX = 10_000
"""Maximum number of acceptances read for one player: every version of every document."""


class PlayerQueries:
    """Read from the ledger, each with a query or two; `currencies` are those of the server."""

    def __init__(self, ledger: LedgerReader, currencies: Collection[str]) -> None:
        self._ledger = ledger
        self._currencies = currencies

    def last_round(self, player: str, table: str, currency: str) -> "PreviousRound":
        """Return the player's last round at an own table."""
        for line in self._ledger.rounds(player, tables=(table,), limit=1):
            record = self._ledger.round(line.id) if line.currency == currency else None
            return PreviousRound(line.id, round_entries.wagers_of(record) if record else ())
        return NO_ROUND

    def cash(self, player: str, currency: str) -> int:
        return self._ledger.balances(player).get(currency, {}).get("cash", 0)

    def balances(self, player: str, visit_ms: int) -> tuple[Balance, ...]:
        """Return a balance for each currency, with the totals of the visit that began at `visit_ms`."""
        held = self._ledger.balances(player)
        visit = self._ledger.totals(player, since_ms=visit_ms)
        return tuple(
            Balance(
                currency,
                held.get(currency, {}).get("cash", 0),
                held.get(currency, {}).get("in_play", 0),
                *visit.get(currency, (0, 0)),
            )
            for currency in self._currencies
        )

    def last_started_ms(self, player: str) -> int:
        """Return when the player's last round at any table started; 0 if there was none."""
        return next((line.started_ms for line in self._ledger.rounds(player, limit=1)), 0)

    def first_started_ms(self, player: str, since_ms: int) -> int:
        """Return when the player's first round since then started; 0 if there was none."""
        return self._ledger.first_started_ms(player, since_ms=since_ms)

    def last_reminded_ms(self, player: str) -> int:
        """Return when the player answered the last reality check; 0 if never."""
        return next((note.at_ms for note in self._ledger.notes(_reminders(player), limit=1)), 0)

    def accepted_versions(self, player: str) -> Mapping[str, str]:
        """Return the version of each document that the player accepted last, by the document's id."""
        notes = self._ledger.notes(_acceptances(player), limit=ACCEPTANCES_MAX)
        return {str(note.body["document"]): str(note.body["version"]) for note in reversed(notes)}

    def jurisdiction(self, player: str) -> str:
        """Return the jurisdiction that an operator named for a player; empty if it named none."""
        notes = self._ledger.notes(_jurisdictions(player), limit=1)
        return next((str(note.body["jurisdiction"]) for note in notes), "")

    def last_wagers(self, player: str, table: str, currency: str) -> tuple[Wager, ...]:
        """Return the bets of the player's last round at this table, for Rebet; none in another currency.

        One quick query if the player never staked the currency, as thousands may arrive for the first time.
        """
        if "in_play" not in self._ledger.balances(player).get(currency, {}):
            return ()
        for line in self._ledger.rounds(player, tables=(table,), limit=1):
            if line.currency == currency and (record := self._ledger.round(line.id)):
                return round_entries.wagers_of(record)
        return ()


def reminder_note(player: str, now_ms: int, minutes: int) -> Entry:
    """Return the note that the player has answered a reality check, which came after so many minutes."""
    return entries.note(f"{_reminders(player)}{now_ms:014d}", now_ms, {"minutes": minutes}, player=player)


def acceptance_note(player: str, now_ms: int, document: str, version: str, digest: str) -> Entry:
    """Return the note that the player accepts a version of a document, with the SHA-256 of its text."""
    body = {"document": document, "version": version, "sha256": digest}
    return entries.note(f"{_acceptances(player)}{now_ms:014d}:{document}", now_ms, body, player=player)


def jurisdiction_note(player: str, now_ms: int, jurisdiction: str) -> Entry:
    """Return the note that an operator names another jurisdiction for a player."""
    body = {"jurisdiction": jurisdiction}
    return entries.note(f"{_jurisdictions(player)}{now_ms:014d}", now_ms, body, player=player)


def _jurisdictions(player: str) -> str:
    """Return the prefix of the keys of these notes."""
    return f"{JURISDICTIONS}{player}:"


def _acceptances(player: str) -> str:
    """Return the prefix of the keys of these notes."""
    return f"{ACCEPTANCES}{player}:"


def _reminders(player: str) -> str:
    """Return the prefix of the keys of these notes."""
    return f"{REMINDERS}{player}:"
