"""The question for a deposit limit: where a jurisdiction asks it, no deposit begins before it is answered."""

from typing import Literal

from croupier import clock
from croupier.accounts.payment_rules import LIMIT_ANSWERS, NOT_ASKED, DepositQuestion
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.config import ServerConfig
from croupier.ledger import entries
from croupier.ledger.protocol import LedgerReader
from croupier.players.queries import PlayerQueries
from croupier.refusal import Refused

LimitAnswer = Literal["limit", "none"]
"""`limit`: the player has set a deposit limit, or keeps it; `none`: they want none."""


class DepositQuestions:
    """Questions and their answers, which are notes in the journal, so that every node and restart knows them.

    The transaction that begins a deposit refuses it while the question is due, see `deposit_conditions`.
    """

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
        self._rules = config.payment_rules
        self._is_asked_anywhere = any(question.asked for question in self._rules.questions.values())

    async def is_due(self, player: str) -> bool:
        """Return whether the player has to answer before their next deposit."""
        question, answered_ms = await self._read(player)
        return question.is_due(answered_ms, clock.now_ms(), self._rules.zone)

    async def is_due_again(self, player: str) -> bool:
        """Return whether the player has answered before, and is asked again."""
        question, answered_ms = await self._read(player)
        if answered_ms is None:
            return False
        return question.is_due_again(answered_ms, clock.now_ms(), self._rules.zone)

    async def _read(self, player: str) -> tuple[DepositQuestion, int | None]:
        """Return the question of the player's jurisdiction, and when they answered last; None: never."""
        if not self._is_asked_anywhere:
            return NOT_ASKED, None
        question = self._rules.question_in(await self._gateway.read(self._queries.jurisdiction, player))
        if not question.asked:
            return question, None
        return question, await self._gateway.read(self._answered_ms, player)

    def _answered_ms(self, player: str) -> int | None:
        return next((note.at_ms for note in self._ledger.notes(_answers(player), limit=1)), None)

    async def answer(self, player: str, answer: LimitAnswer) -> None:
        """Record the player's answer; refuse `no_deposit_limit` if they agree to a limit and have none."""
        now = clock.now_ms()
        if answer == "limit" and not self._limits.of(player).limits_of("deposit", now):
            raise Refused("no_deposit_limit")
        key = f"{_answers(player)}{now:014d}"
        await self._gateway.post([entries.note(key, now, {"answer": answer}, player=player)])


def _answers(player: str) -> str:
    """Return the prefix of the keys of these notes."""
    return f"{LIMIT_ANSWERS}{player}:"
