"""Holds at one live table that an operator's wallet pays: requested at once, answered when the wallet has.

The table doesn't wait: the machine keeps such a hold pending, and the table takes the answers between its
batches. So they are posted in the order of the table's other entries, and only while they are still wanted.
A hold without an answer at the close of the bets or decisions is refused then.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from croupier import clock
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.dealing.live.money import coup_entries
from croupier.dealing.live.money.coup_entries import StakeMove
from croupier.ledger.leases import LeaseLost
from croupier.ledger.protocol import LedgerBroken
from croupier.money.wallet.stakes import PaidStake, WalletStakes
from croupier.refusal import Refused
from croupier.tables.live.effects import Hold, Raise
from croupier.tables.live.state import HoldKey, State

log = logging.getLogger(__name__)


class WalletAnswered(NamedTuple):
    """The wallet's answer to a hold: a paid stake, or the refusal; `taken` once it is posted."""

    hold: Hold | Raise
    outcome: PaidStake | Refused
    taken: asyncio.Future[None]


class WalletHolds:
    """The stakes at a live table that an operator's wallet is asked for.

    `pending`: the holds that the table waits for. `wake` is called when an answer is to be taken.
    """

    def __init__(
        self,
        stakes: WalletStakes,
        gateway: LedgerGateway,
        limits: PlayerLimits,
        table: str,
        wake: Callable[[], None],
    ) -> None:
        self.pending: dict[HoldKey, Hold | Raise] = {}
        self.answered: list[WalletAnswered] = []
        self._stakes = stakes
        self._gateway = gateway
        self._limits = limits
        self._table = table
        self._wake = wake
        self._currencies = stakes.rounds.currencies
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, moves: Sequence[StakeMove]) -> Sequence[StakeMove]:
        """Ask the wallet for its holds among the moves; return the other moves."""
        if not self._currencies:
            return moves
        of_wallet = [*self._of_wallet(moves)]
        for hold in of_wallet:
            self.pending[hold_key(hold)] = hold
            task = asyncio.create_task(self._ask(hold))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return [move for move in moves if move not in of_wallet] if of_wallet else moves

    def _of_wallet(self, moves: Iterable[StakeMove]) -> Iterator[Hold | Raise]:
        for move in moves:
            if move.currency in self._currencies and isinstance(move, Hold | Raise):
                yield move

    async def _ask(self, hold: Hold | Raise) -> None:
        """Ask for a hold; it counts towards the player's own limits until its answer is posted."""
        reserve = partial(self._limits.reserve_holds, [hold], self._table)
        async with self._gateway.hold_reservation(reserve) as refused:
            outcome = refused.get(hold) or await self._outcome(hold)
            taken = asyncio.get_running_loop().create_future()
            self.answered.append(WalletAnswered(hold, outcome, taken))
            self._wake()
            await taken

    async def _outcome(self, hold: Hold | Raise) -> PaidStake | Refused:
        try:
            ticket = coup_entries.ticket(hold, self._table)
            return await self._stakes.debit(ticket, hold.amount_minor, self._gateway)
        except Refused as refused:
            return refused
        except LeaseLost:
            return Refused("malfunction")  # the table stops, and its new owner voids the round
        except LedgerBroken:
            raise  # the server stops
        except Exception:  # the table must not wait for ever
            log.exception("table %s: %s is refused", self._table, hold)
            return Refused("malfunction")

    async def take(self, state: State) -> list[tuple[Hold | Raise, Refused | None]]:
        """Post the answers; return the holds that were pending, with the reason if one was refused."""
        answered, self.answered = self.answered, []
        try:
            results = await asyncio.gather(*[self._posted(each, state) for each in answered])
        finally:
            waited = [self.pending.pop(hold_key(each.hold), None) for each in answered]
            for each in answered:
                if not each.taken.done():
                    each.taken.set_result(None)
        return [(hold, why) for hold, why in zip(waited, results, strict=True) if hold]

    def give_up(self) -> list[Hold | Raise]:
        """Return the pending holds, which are pending no longer; debits carried out later are rolled back."""
        given_up, self.pending = [*self.pending.values()], {}
        return given_up

    async def _posted(self, answered: WalletAnswered, state: State) -> Refused | None:
        """Post a paid stake with the hold, or have it rolled back if the hold was ended meanwhile."""
        hold, outcome, _ = answered
        if isinstance(outcome, Refused):
            return outcome
        if not _is_pending(hold, state):
            await self._stakes.roll_back(outcome.call)
            return Refused("round_ended", round=hold.round)
        (stakes,) = coup_entries.stakes_entries([hold], self._table, state.number, clock.now_ms())
        try:
            await self._stakes.accept(outcome, [stakes.entry], self._gateway)
        except Refused as refused:
            return refused
        return None

    def cancel(self) -> None:
        """Stop waiting for answers; the debits without one are rolled back."""
        for task in self._tasks:
            task.cancel()


def hold_key(hold: Hold | Raise) -> HoldKey:
    return hold.player, hold.round, hold.hold


def _is_pending(hold: Hold | Raise, state: State) -> bool:
    player = state.players.get(hold.player)
    pending = player.pending_hold if player and hold.round == state.round else None
    return pending is not None and pending.hold == hold.hold
