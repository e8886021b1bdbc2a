"""Predicted entries: what ends a round in the ledger, assembled before the round ends."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from croupier.dealing.live.money.table_money import TableMoney
from croupier.dealing.live.steps import TableStep
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import Ledger
from croupier.tables.live.effects import Settle, Void


class Prediction(NamedTuple):
    """The `entries` that end a table's rounds: those in `ended`, and the other rounds that are `open`."""

    ended: tuple[Settle | Void, ...]
    open: int
    entries: list[Entry]


class PredictedEntries:
    """The entries of a round's end, assembled before it comes.

    `ledger` prepares the entries in a speculative transaction; None: they are only assembled.
    """

    def __init__(self, money: TableMoney, ledger: Ledger | None) -> None:
        self._money = money
        self._ledger = ledger
        self.prediction: Prediction | None = None

    def predict(self, step: TableStep) -> None:
        """Assemble the entries of a step that ends a round."""
        entries = self._money.end_entries(step)
        self.prediction = Prediction(step.ended, len(self._money.open), entries)
        if self._ledger:
            self._ledger.prepare(entries)

    def of(self, step: TableStep) -> Sequence[Entry] | None:
        """Return the entries of `step`, if they are as predicted: rounds are only added until all end."""
        predicted, self.prediction = self.prediction, None
        if predicted and predicted[:2] == (step.ended, len(self._money.open)):
            return [_at(step.after.now_ms, entry) for entry in predicted.entries]
        return None


def _at(at_ms: int, entry: Entry) -> Entry:
    return entry if entry.at_ms == at_ms else replace(entry, at_ms=at_ms)
