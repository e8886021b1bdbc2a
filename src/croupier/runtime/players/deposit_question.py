"""The question for a deposit limit: where a jurisdiction asks it, no deposit begins before it is answered."""

from datetime import tzinfo
from typing import Literal

from croupier import clock
from croupier.accounts.days import months_later_ms
from croupier.config import ServerConfig
from croupier.ledger import entries
from croupier.ledger.protocol import LedgerReader
from croupier.refusal import Refused
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.players.player_limits import PlayerLimits
from croupier.runtime.players.queries import PlayerQueries

LimitAnswer = Literal["limit", "none"]
"""`limit`: the player has set a deposit limit, or keeps it; `none`: they want none."""


class DepositQuestions:
    """Answers are notes in the journal, so that every node and every restart knows them."""

    def __init__(
        self,
        ledger: LedgerReader,
        gateway: LedgerGateway,
        queries: PlayerQueries,
        limits: PlayerLimits,
        config: ServerConfig,
    ) -> None:
        self._ledger = ledger
        self._gateway = gateway
        self._queries = queries
        self._limits = limits
        self._config = config
        self._zone: tzinfo = config.reports.zone

    async def is_due(self, player: str) -> bool:
        """Return whether the player has to answer before their next deposit."""
        question = self._config.deposit_question_in(
            await self._gateway.read(self._queries.jurisdiction, player)
        )
        if not question.asked:
            return False
        answered_ms = await self._gateway.read(self._answered_ms, player)
        if answered_ms is None:
            return True
        months = question.again_months
        return months > 0 and clock.now_ms() >= months_later_ms(answered_ms, months, self._zone)

    def _answered_ms(self, player: str) -> int | None:
        return next((note.at_ms for note in self._ledger.notes(_answers(player), limit=1)), None)

    async def check(self, player: str) -> None:
        """Refuse `deposit_limit_unanswered` while the question is due."""
        if await self.is_due(player):
            raise Refused("deposit_limit_unanswered")

    async def answer(self, player: str, answer: LimitAnswer) -> None:
        """Record the player's answer; refuse `no_deposit_limit` if they agree to a limit and have none."""
        now = clock.now_ms()
        if answer == "limit" and not self._limits.of(player).limits_of("deposit", now):
            raise Refused("no_deposit_limit")
        key = f"{_answers(player)}{now:014d}"
        await self._gateway.post([entries.note(key, now, {"answer": answer}, player=player)])


def _answers(player: str) -> str:
    """Return the prefix of the keys of these notes."""
    return f"deposit_limit:{player}:"
