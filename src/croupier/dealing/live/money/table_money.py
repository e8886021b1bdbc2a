"""The money of one live table: what its steps cost is posted to the ledger, in one commit."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from croupier.dealing.live.money import coup_entries
from croupier.dealing.live.money.bonus_money import BonusMoney
from croupier.dealing.live.money.coup_entries import CoupBets, StakeMove, StakesEntry
from croupier.dealing.live.money.results import result_note
from croupier.dealing.live.money.round_recording import OWN_COMMIT_LINES, SHARED_COMMIT_LINES, RoundRecording
from croupier.dealing.live.money.wallet_holds import WalletHolds
from croupier.dealing.live.steps import TableStep
from croupier.dealing.table_services import TableServices
from croupier.ledger.entries import Entry, Posted, Ticket
from croupier.refusal import Refused
from croupier.tables.live.effects import Hold, Raise, Release, Settle, Void
from croupier.tables.live.inputs import HoldPlaced, HoldRefused, Voided
from croupier.tables.live.state import State

MOVES = {Hold, Raise, Release}
HoldAnswer = HoldPlaced | HoldRefused
HoldAnswers = dict[HoldAnswer, Refused | None]
"""The answers to holds, with the reason if one was refused."""


class TableMoney:
    """Posts the entries of a live table and follows the rounds that they open and end.

    `open`: the rounds of players that are open in the ledger. `commits`: how often it waited for one.

    `wake` is called when `take_wallet_answers` has something to do.
    """

    def __init__(self, services: TableServices, table: str, wake: Callable[[], None]) -> None:
        self._gateway = services.gateway
        self._ledger = services.ledger
        self._limits = services.limits
        self._wagers = services.measurements.wagers
        self._bonus_money = BonusMoney(services.gateway, services.bonuses, table)
        self._table = table
        self.wallet = WalletHolds(services.wallet, services.gateway, services.limits, table, wake)
        self.open: dict[str, Ticket] = {}
        self.commits = 0
        self._bets: CoupBets | None = None

    async def post_moves(
        self, steps: Sequence[TableStep], at_ms: int, recording: RoundRecording
    ) -> HoldAnswers:
        """Post the holds and releases of `steps`, in each player's order; return when they are durable.

        The round's recording goes with them; if it is long and nothing is staked, it has its own commit.
        """
        for step in steps:
            if step.starts_dealing:  # bets are final
                self._bets = CoupBets(step.after)
        effects = [effect for step in steps for effect in step.effects]
        moves: Sequence[Any] = [
            effect for effect in effects if type(effect) in MOVES
        ]  # faster than isinstance
        moves = self.wallet.begin(moves)
        least = SHARED_COMMIT_LINES if moves else OWN_COMMIT_LINES
        notes = recording.next_part(steps[-1].after.round, at_ms, least=least)
        if not moves and not notes:
            return {}
        self.commits += 1
        reserve = partial(self._limits.reserve_holds, moves, self._table)
        async with self._gateway.hold_reservation(reserve) as refused:
            allowed = [move for move in moves if move not in refused] if refused else moves
            answers = await self._post_allowed(allowed, steps[-1].after.number, at_ms, notes)
        return answers | {self._answer(hold, why): why for hold, why in refused.items()}

    async def _post_allowed(
        self, moves: Sequence[StakeMove], number: str, at_ms: int, notes: Sequence[Entry]
    ) -> HoldAnswers:
        with_bonus = self._bonus_money.among(move.player for move in moves)
        shared = [move for move in moves if move.player not in with_bonus] if with_bonus else moves
        entries = coup_entries.stakes_entries(shared, self._table, number, at_ms)
        others = [*[each.entry for each in entries], *notes]
        refusals: Mapping[StakeMove, Refused | None] = {}
        posted: Sequence[Posted | Refused]
        if with_bonus:
            funded = [move for move in moves if move.player in with_bonus]
            posted, refusals = await self._bonus_money.post_moves(funded, number, at_ms, others)
        else:
            posted = await self._gateway.post_each(others)
        answers = {
            answer: why
            for entry, result in zip(entries, posted[: len(entries)], strict=True)
            for answer, why in self._answers(entry, result)
        }
        return answers | dict(self._moves_answers(refusals.items()))

    async def take_wallet_answers(self, state: State) -> HoldAnswers:
        """Post what an operator's wallet has answered; return the answers to the holds."""
        self.commits += 1
        return {self._answer(hold, why): why for hold, why in await self.wallet.take(state)}

    def give_up_wallet_holds(self) -> HoldAnswers:
        """Refuse the holds that an operator's wallet hasn't answered; return the answers."""
        refused = Refused("wallet_no_answer")
        return {self._answer(hold, refused): refused for hold in self.wallet.give_up()}

    def _answers(
        self, entry: StakesEntry, posted: Posted | Refused
    ) -> Iterator[tuple[HoldAnswer, Refused | None]]:
        assert isinstance(posted, Posted), f"{entry}: {posted}"
        return self._moves_answers(zip(entry.moves, posted.refused, strict=True))

    def _moves_answers(
        self, moves: Iterable[tuple[StakeMove, Refused | None]]
    ) -> Iterator[tuple[HoldAnswer, Refused | None]]:
        for move, refused in moves:
            if isinstance(move, Release):
                assert refused is None, f"{move}: {refused}"
            else:
                yield self._answer(move, refused), refused

    def _answer(self, hold: Hold | Raise, refused: Refused | None) -> HoldAnswer:
        self._wagers[self._table, "refused" if refused else "placed"] += 1
        if refused is not None:
            return HoldRefused(hold.player, hold.round, hold.hold)
        if hold.player not in self.open:
            self.open[hold.player] = coup_entries.ticket(hold, self._table)
        return HoldPlaced(hold.player, hold.round, hold.hold)

    async def post_end(
        self, step: TableStep, recording: RoundRecording, prepared: Sequence[Entry] | None = None
    ) -> None:
        """Post the end of a round, with the rest of its recording; return when it is durable.

        `prepared`: what `end_entries` would return.
        """
        at_ms = step.after.now_ms
        if entries := self.end_entries(step) if prepared is None else prepared:
            notes = recording.next_part(step.before.round, at_ms, least=1)
            results = [result_note(step.after, at_ms)] if step.settles else []
            posted = [*entries, *notes, *results]
            await self._bonus_money.post_end(posted, step.ended, self.open, at_ms)
        self._clear()

    def end_entries(self, step: TableStep) -> list[Entry]:
        """Return the entries that end the open rounds by this step; none if there are no rounds."""
        ends, emptied = step.ended, self._emptied(step.ended)
        if not ends and not emptied:
            return []
        settles = [end for end in ends if isinstance(end, Settle)]
        voids = [end for end in ends if isinstance(end, Void)]
        cancels = step.refused is None  # otherwise the round was over when the void came
        reason = step.given.reason if cancels and isinstance(step.given, Voided) else ""
        return coup_entries.coup_entries(
            step.before, settles, voids, step.after.now_ms, emptied=emptied, bets=self._bets, reason=reason
        )

    def _emptied(self, ends: Sequence[Settle | Void]) -> list[Ticket]:
        """Return the open rounds in which nothing is staked any more, sorted by player."""
        emptied = self.open.keys() - {end.player for end in ends}
        return [self.open[player] for player in sorted(emptied)]

    async def call_off(self, at_ms: int, reason: str) -> None:
        """Give back all that is staked at this table according to the ledger."""
        every = await self._gateway.read(self._ledger.open_rounds)
        open_rounds = [record for record in every if record.table == self._table]
        if open_rounds:
            await self._bonus_money.post_call_offs(open_rounds, at_ms, reason)
        self._clear()

    def send_bonuses(self, catch_up: Callable[[str], None]) -> None:
        """Send changed bonuses to their players; `catch_up` sends the events that changed them before."""
        self._bonus_money.send_changes(catch_up)

    def _clear(self) -> None:
        self.open.clear()
        self._bets = None
