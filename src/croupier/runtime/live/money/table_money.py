"""The money of one live table: what a step asks for is entered in the books, in one commit."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from croupier.ledger.entries import Entry, Posted, Ticket
from croupier.refusal import Refused
from croupier.runtime.ledger_gateway import Bank
from croupier.runtime.live.money import coup_entries
from croupier.runtime.live.money.coup_entries import Bets, Stakes
from croupier.runtime.live.money.recording import ALONE, BESIDE, Recording
from croupier.runtime.live.money.results import result_note
from croupier.runtime.live.steps import Stepped
from croupier.tables.live.effects import Hold, Raise, Release, Settle, Void
from croupier.tables.live.inputs import HoldPlaced, HoldRefused, Voided

MOVES = {Hold, Raise, Release}
Answer = tuple[HoldPlaced | HoldRefused, Refused | None]
Answers = dict[HoldPlaced | HoldRefused, Refused | None]
"""The answers to holds, with why one was refused."""


class Coup(NamedTuple):
    """The `entries` that end the rounds of a table: these `ends`, and whatever else was `open`."""

    ends: tuple[Settle | Void, ...]
    open: int
    entries: list[Entry]


class Till:
    """`open`: the rounds of this table's players that stand open in the books.

    `waits`: how often it has waited for a commit.
    """

    def __init__(self, bank: Bank, table: str) -> None:
        self._bank = bank
        self._table = table
        self.open: dict[str, Ticket] = {}
        self.waits = 0
        self._bets: Bets | None = None
        self._foreseen: Coup | None = None

    async def carry_out(self, steps: Sequence[Stepped], at_ms: int, record: Recording) -> Answers:
        """Enters the holds and releases of `steps`, each player's in their order, durably, each by itself.

        With them goes what has come to the round's record; by itself where it is much and nothing is staked.
        """
        for step in steps:
            if step.cards_begin:  # nobody's bet changes any more: they are ready for the end of the round
                self._bets = Bets(step.after)
        effects = [effect for step in steps for effect in step.effects]
        moves: list[Any] = [effect for effect in effects if type(effect) in MOVES]  # quicker than isinstance
        beside = record.part(steps[-1].after.round, at_ms, least=BESIDE if moves else ALONE)
        if not moves and not beside:
            return {}
        self.waits += 1
        with self._bank.keeper.holding(moves) as refused:
            let = [move for move in moves if move not in refused] if refused else moves
            together = coup_entries.stakes(let, self._table, steps[-1].after.number, at_ms)
            done = await self._bank.enter_each([*[each.entry for each in together], *beside])
        answers = {
            answer: why
            for stakes, posted in zip(together, done[: len(together)], strict=True)
            for answer, why in self._answers(stakes, posted)
        }
        return answers | {self._answered(hold, why): why for hold, why in refused.items()}

    def _answers(self, stakes: Stakes, posted: Posted | Refused) -> Iterator[Answer]:
        assert isinstance(posted, Posted), f"{stakes}: {posted}"
        for move, refused in zip(stakes.moves, posted.refused, strict=True):
            if isinstance(move, Release):
                assert refused is None, f"{move}: {refused}"
            else:
                yield self._answered(move, refused), refused

    def _answered(self, hold: Hold | Raise, refused: Refused | None) -> HoldPlaced | HoldRefused:
        if refused is not None:
            return HoldRefused(hold.player, hold.round, hold.hold)
        if hold.player not in self.open:
            self.open[hold.player] = coup_entries.ticket(hold, self._table)
        return HoldPlaced(hold.player, hold.round, hold.hold)

    async def end(self, step: Stepped, record: Recording) -> None:
        """Enters the end of a round, whole and durably, with what is left of its record.

        Who took back all that he had staked is ended with the others.
        """
        at_ms = step.after.now_ms
        if coup := self._coup(step):
            made = [*coup, *record.part(step.before.round, at_ms, least=1)]
            await self._bank.enter([*made, *([result_note(step.after, at_ms)] if step.settles else [])])
        self._forget()

    def foresee(self, step: Stepped) -> None:
        """Puts together what is to be entered if this step comes, and the round ends; has it pencilled."""
        self._foreseen = Coup(step.ended, len(self.open), self._made(step))
        self._bank.ledger.prepare(self._foreseen.entries)

    def _coup(self, step: Stepped) -> list[Entry]:
        """As it was foreseen, if it comes like that: until all are ended rounds are only opened."""
        if self._foreseen and self._foreseen[:2] == (step.ended, len(self.open)):
            return [_at(step.after.now_ms, entry) for entry in self._foreseen.entries]
        return self._made(step)

    def _made(self, step: Stepped) -> list[Entry]:
        """Nothing, where nothing was staked."""
        ends, emptied = step.ended, self._emptied(step.ended)
        if not ends and not emptied:
            return []
        settles = [end for end in ends if isinstance(end, Settle)]
        voids = [end for end in ends if isinstance(end, Void)]
        cancels = step.refused is None  # else the round had ended by then: its time had come just before
        reason = step.given.reason if cancels and isinstance(step.given, Voided) else ""
        return coup_entries.coup_entries(
            step.before, settles, voids, step.after.now_ms, emptied=emptied, bets=self._bets, reason=reason
        )

    def _emptied(self, ends: Sequence[Settle | Void]) -> list[Ticket]:
        """Who took back all that he had staked, in the order of their names."""
        emptied = self.open.keys() - {end.player for end in ends}
        return [self.open[player] for player in sorted(emptied)]

    async def call_off(self, at_ms: int, reason: str) -> None:
        """Gives back all that the books say is staked here, whatever the table thinks."""
        left_open = [line for line in self._bank.ledger.open_rounds() if line.table == self._table]
        if left_open:
            await self._bank.enter(coup_entries.call_offs(left_open, at_ms, reason))
        self._forget()

    def _forget(self) -> None:
        self.open.clear()
        self._bets = self._foreseen = None


def _at(at_ms: int, entry: Entry) -> Entry:
    """The entry, as of then."""
    return entry if entry.at_ms == at_ms else replace(entry, at_ms=at_ms)
