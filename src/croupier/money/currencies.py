"""Currencies as the journal remembers them.

Each start of a server notes its currencies in the journal, so that amounts can be shown after the
configuration has dropped one, and so that nobody can change what recorded amounts are worth.
"""

from typing import Any

from croupier.config import ServerConfig
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import DatabaseUnusable, LedgerReader
from croupier.play.contract.amounts import CURRENCIES, Currency

KEYS = "currency:"
NOTES_MAX = 10_000


def remembered_currencies(ledger: LedgerReader) -> dict[str, Currency]:
    """Return the currencies of this database by code, as last noted; grants aren't noted.

    Earlier versions noted none, and had only currencies of `CURRENCIES`.
    """
    used = (each for each in CURRENCIES.values() if ledger.uses_currency(each.code))
    return _noted(ledger) or {each.code: _without_grant(each) for each in used}


def check_decimals(config: ServerConfig, ledger: LedgerReader) -> None:
    """Raise DatabaseUnusable for a currency with amounts that were recorded with other decimals."""
    known = remembered_currencies(ledger)
    for code, currency in config.currencies.items():
        before = known.get(code, currency).decimals
        if currency.decimals != before and ledger.uses_currency(code):
            raise DatabaseUnusable(
                f"{config.file or 'the configuration'}: [currencies.{code}] decimals: the database has "
                f"{code} with {before} decimals, and {currency.decimals} would change what they are worth; "
                f"write decimals = {before}, or use another code for the new currency"
            )


def currency_notes(config: ServerConfig, ledger: LedgerReader, now_ms: int) -> list[Entry]:
    """Return notes of the currencies that are new in this database, or that have changed."""
    now = {code: _without_grant(each) for code, each in config.currencies.items()}
    noted, every = _noted(ledger), remembered_currencies(ledger) | now
    return [
        entries.note(f"{KEYS}{code}:{now_ms:014d}", now_ms, _body(each))
        for code, each in every.items()
        if noted.get(code) != each
    ]


def _noted(ledger: LedgerReader) -> dict[str, Currency]:
    found: dict[str, Currency] = {}
    for note in ledger.notes(KEYS, limit=NOTES_MAX):  # each currency's last note comes first
        fields: dict[str, Any] = dict(note.body)
        found.setdefault(fields["code"], Currency(**fields))
    return found


def _body(currency: Currency) -> dict[str, str | int]:
    return {name: value for name, value in currency._asdict().items() if name != "grant_minor"}


def _without_grant(currency: Currency) -> Currency:
    return currency._replace(grant_minor=0)
