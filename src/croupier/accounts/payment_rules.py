"""The rules of the configuration that the transactions of payments check.

They are plain data, since a transaction may run in the process that writes the database.
"""

from collections.abc import Collection, Mapping
from datetime import UTC, tzinfo
from typing import NamedTuple

from msgspec import Struct, field

from croupier.accounts.days import months_later_ms

JURISDICTIONS = "jurisdiction:"
"""The prefix of the keys of notes that name a player's jurisdiction, before the player's id."""
LIMIT_ANSWERS = "deposit_limit:"
"""The prefix of those that answer the question."""


class DepositQuestion(NamedTuple):
    """A jurisdiction's question for a deposit limit; `again_months` 0: it is asked once."""

    asked: bool = False
    again_months: int = 0

    def is_due(self, answered_ms: int | None, now_ms: int, zone: tzinfo) -> bool:
        """Return whether a player who answered last at that time, or never, has to answer now."""
        if not self.asked:
            return False
        return answered_ms is None or self.is_due_again(answered_ms, now_ms, zone)

    def is_due_again(self, answered_ms: int, now_ms: int, zone: tzinfo) -> bool:
        """Return whether so many months have passed since the last answer that it is asked again."""
        months = self.again_months
        return self.asked and months > 0 and now_ms >= months_later_ms(answered_ms, months, zone)


NOT_ASKED = DepositQuestion()


class PaymentRules(Struct, frozen=True):
    """Rules for payments, and for the bonuses that they bring.

    `zone` is the time zone of the limits' days, weeks and months. `jurisdiction` is that of players for whom
    an operator has named none, and `questions` has the question of each configured jurisdiction.
    """

    zone: tzinfo = UTC
    jurisdiction: str = ""
    questions: Mapping[str, DepositQuestion] = field(default_factory=dict)

    def question_in(self, jurisdiction: str) -> DepositQuestion:
        """Return the question of a jurisdiction; that of the default one if it isn't configured."""
        return self.questions.get(jurisdiction) or self.questions.get(self.jurisdiction) or NOT_ASKED


def is_allowed_in(jurisdiction: str, allowed: Collection[str]) -> bool:
    """Return whether a bonus may go to players of a jurisdiction; none allowed means any."""
    return not allowed or jurisdiction in allowed
