"""A live table in memory under a virtual clock, with a driver that carries out every effect."""

from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from croupier.equipment.cards import DECK
from croupier.equipment.rng import shuffled
from croupier.equipment.shoe import Shoe
from croupier.games import published_tables
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At, RollDice, SpinWheel
from croupier.play.driving.sources import ShoeSource, draw
from croupier.play.tables.files import with_rules
from croupier.tables.game_number import round_id
from croupier.tables.live import AutomaticDealer, Setup, new_table, step
from croupier.tables.live import inputs as i
from croupier.tables.live.effects import (
    Broadcast,
    Effect,
    Hold,
    Notify,
    Raise,
    Refusal,
    Release,
    RequestCard,
    RequestRound,
    RequestShuffle,
    Settle,
    Void,
)
from croupier.tables.live.record import record_line
from tests.equipment.random_sources import SeededRandomSource

MIDNIGHT_MS = 1_764_028_800_000
FIRST_ROUND = round_id(MIDNIGHT_MS, 1)
"""Id of the first round of a table that opens at midnight."""
START_MINOR = 1_000_000
FIRST_HAND = At(0)


def seeded_shoe(seed: int, decks: int = 8, cut_percent: int = 50) -> Shoe:
    cards = shuffled(DECK * decks, SeededRandomSource(seed))
    return Shoe(cards, 0, len(cards) * cut_percent // 100)


def shallow_shoe(seed: int) -> Shoe:
    """Return a shoe whose cut card comes out in the first round."""
    return seeded_shoe(seed, cut_percent=1)


class TableHarness:
    """A live table and its driver. Money effects update `balances`, `held` and `table_balance`.

    `shoes` makes the requested shoes, by the number of the shuffle. Without `automatic`, the test deals with
    `feed`. With `manual_holds`, holds stay in `pending_holds` until `answer_holds`.
    """

    def __init__(
        self,
        table: str = "infinite",
        *,
        shoes: Callable[[int], Shoe] = seeded_shoe,
        automatic: bool = True,
        manual_holds: bool = False,
        rules: Mapping[str, Any] = MappingProxyType({}),
        **setup: Any,
    ) -> None:
        self.initial_state = new_table(Setup(with_rules(published_tables()[table], rules), **setup))
        self.state = self.initial_state
        self.now_ms = MIDNIGHT_MS
        self.balances: dict[str, int] = {}
        self.held: dict[str, int] = defaultdict(int)
        self.table_balance = 0
        self.used_keys: set[tuple[str, ...]] = set()
        self.record: list[str] = []
        self.settlements: list[Settle] = []
        self.bets: dict[tuple[str, str], tuple[Wager, ...]] = {}
        self.voids: list[Void] = []
        self.events: list[Broadcast] = []
        self.notices: list[Notify] = []
        self.refusals: list[Refusal] = []
        self.pending_holds: list[Hold | Raise] = []
        self.rounds = 0
        self._replies: deque[i.AnyInput] = deque()
        self.manual_holds, self.automatic = manual_holds, automatic
        self._shoes = shoes
        self.shuffles = 0
        self._draws = SeededRandomSource(0)
        self._shuffled_shoes: dict[int, Shoe] = {}
        self._dealers: dict[int, AutomaticDealer] = {}

    @property
    def total_minor(self) -> int:
        """All balances and stakes together; constant."""
        return sum(self.balances.values()) + sum(self.held.values()) + self.table_balance

    # --- inputs

    def feed(self, given: i.AnyInput) -> tuple[Effect, ...]:
        """Take an input, then all replies to its effects; return the effects of the input itself."""
        effects = self._step(given)
        self._reply()
        return effects

    def correct(self, back: int, what: str, reason: str = "misread") -> None:
        """Correct to `what` the result that came `back` results before the last."""
        dealt = self.state.checkpoint.dealt if self.state.checkpoint else ()
        place = max(0, len(dealt) - 1 - back)
        was = dealt[place] if back < len(dealt) else "nothing"
        self.feed(i.Corrected(place, was, what, reason))

    def feed_without_replies(self, *every: i.AnyInput) -> None:
        """Take inputs and discard the replies to their effects."""
        for given in every:
            self._step(given)
            self._replies.clear()

    def _reply(self) -> None:
        while self._replies or (self.pending_holds and not self.manual_holds):
            if self._replies:
                self._step(self._replies.popleft())
            else:
                self._answer_pending(covered=True)

    def _step(self, given: i.AnyInput) -> tuple[Effect, ...]:
        before = self.state
        self.state, effects = step(before, given, self.now_ms)
        if self.state is not before:
            self.record.append(record_line(given, self.now_ms))
        for effect in effects:
            self._carry_out(effect)
        return effects

    def wait(self, ms: int) -> None:
        """Advance the clock and tick the table at each deadline."""
        end_ms = self.now_ms + ms
        while self.state.deadline_ms is not None and self.state.deadline_ms <= end_ms:
            self.now_ms = max(self.now_ms, self.state.deadline_ms)
            self.feed(i.Ticked())
        self.now_ms = end_ms

    def wait_for(self, *phases: str) -> None:
        """Advance the clock until the table is in one of these phases."""
        for _ in range(60):
            if self.state.phase in phases:
                return
            assert self.state.deadline_ms is not None, f"{self.state.phase} never ends"
            self.wait(max(0, self.state.deadline_ms - self.now_ms))
        raise AssertionError(f"in {self.state.phase}, never in {phases}")

    def open(self) -> None:
        self.feed(i.TableOpened())

    def join(self, player: str, balance_minor: int = START_MINOR, currency: str = "EUR") -> None:
        self.balances.setdefault(player, balance_minor)
        self.feed(i.Joined(player, f"{player}-1", currency))

    def sit(self, player: str, seat: int) -> None:
        self.join(player)
        self.feed(i.SatDown(player, seat))

    def bet(self, player: str, *wagers: tuple[int, str, int]) -> tuple[Effect, ...]:
        return self.feed(i.Placed(player, tuple(Wager(*wager) for wager in wagers)))

    def bet_main(self, player: str, stake_minor: int = 1_000, box: int = 0) -> tuple[Effect, ...]:
        return self.bet(player, (box, "main", stake_minor))

    def decide(self, player: str, action: str, at: At = FIRST_HAND, stake: int | None = None) -> None:
        self.feed(i.Decided(player, at, action, stake))

    def answer_holds(self, *, covered: bool = True) -> None:
        """Answer the holds that are pending now."""
        self._answer_pending(covered=covered)
        self._reply()

    def _answer_pending(self, *, covered: bool) -> None:
        pending, self.pending_holds = self.pending_holds, []
        for hold in pending:
            self._answer_hold(hold, covered=covered)

    # --- effects

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Hold() | Raise():
                self.pending_holds.append(effect)
            case Release():
                self._use_key("release", effect.player, effect.round, str(effect.hold))
                self._move(effect.player, -effect.amount_minor)
            case Settle() | Void():
                self._end(effect)
            case RequestCard() | RequestRound() | RequestShuffle():
                self._answer_request(effect)
            case _:
                self._record_message(effect)

    def _answer_request(self, effect: RequestCard | RequestRound | RequestShuffle) -> None:
        match effect:
            case RequestCard():
                if self.automatic:
                    self._deal(effect)
            case RequestRound():
                self.rounds += 1
                self._replies.append(i.RoundNamed(round_id(self.now_ms, self.rounds)))
            case RequestShuffle():
                self.shuffles += 1
                self._shuffled_shoes[effect.shoe] = self._shoes(self.shuffles)
                self._replies.append(i.Shuffled(effect.shoe))

    def _record_message(self, effect: Broadcast | Notify | Refusal) -> None:
        match effect:
            case Broadcast():
                self.events.append(effect)
            case Notify():
                self.notices.append(effect)
            case Refusal():
                self.refusals.append(effect)

    def _use_key(self, *key: str) -> None:
        assert key not in self.used_keys, f"{key} carried out twice"
        self.used_keys.add(key)

    def _move(self, player: str, amount_minor: int) -> None:
        self.balances[player] -= amount_minor
        self.held[player] += amount_minor
        assert self.balances[player] >= 0, player
        assert self.held[player] >= 0, player

    def _answer_hold(self, hold: Hold | Raise, *, covered: bool) -> None:
        key = (hold.player, hold.round, hold.hold)
        if not covered or hold.amount_minor > self.balances[hold.player]:
            self._step(i.HoldRefused(*key))
            return
        self._use_key("hold", hold.player, hold.round, str(hold.hold))
        self._move(hold.player, hold.amount_minor)
        self._step(i.HoldPlaced(*key))

    def _end(self, effect: Settle | Void) -> None:
        self._use_key("end", effect.player, effect.round)
        assert self.held[effect.player] == effect.staked_minor, effect
        self.held[effect.player] = 0
        if isinstance(effect, Void):
            self.voids.append(effect)
            self.balances[effect.player] += effect.staked_minor
            return
        self.settlements.append(effect)
        self.bets[effect.player, effect.round] = self.state.players[effect.player].bet
        self.balances[effect.player] += effect.returned_minor
        self.table_balance += effect.staked_minor - effect.returned_minor

    def _deal(self, effect: RequestCard) -> None:
        if isinstance(effect.want, SpinWheel | RollDice):
            self._replies.append(i.Dealt(str(draw(effect.want, self._draws)), effect.ask))
            return
        shoe = self.state.shoe
        if shoe in self._shuffled_shoes:
            self._dealers[shoe] = AutomaticDealer(ShoeSource(self._shuffled_shoes.pop(shoe)))
        self._dealers[shoe], inputs = self._dealers[shoe].deal(effect)
        self._replies.extend(inputs)

    def settlement(self, player: str) -> Settle:
        """Return the player's last settlement."""
        return next(settle for settle in reversed(self.settlements) if settle.player == player)

    def refusal_code(self) -> str:
        """Return the code of the last refusal."""
        return self.refusals[-1].code
