"""A house with one live table under a virtual clock: it does what the effects say, and keeps every penny."""

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
from tests.equipment.seeded import SeededDraws

MIDNIGHT_MS = 1_764_028_800_000
START_MINOR = 1_000_000
FIRST = At(0)


def seeded_shoe(seed: int, decks: int = 8, cut_percent: int = 50) -> Shoe:
    cards = shuffled(DECK * decks, SeededDraws(seed))
    return Shoe(cards, 0, len(cards) * cut_percent // 100)


class House:
    """`balances`, `held` and `bank` change as the money effects say.

    Shoes come from `shoes` as they are asked for; unless `automatic`, cards come by `feed`. With `slow`,
    holds wait in `holds` until they are answered.
    """

    def __init__(
        self,
        table: str = "infinite",
        *,
        shoes: Callable[[int], Shoe] = seeded_shoe,
        automatic: bool = True,
        slow: bool = False,
        rules: Mapping[str, Any] = MappingProxyType({}),
        **setup: Any,
    ) -> None:
        self.first = new_table(Setup(with_rules(published_tables()[table], rules), **setup))
        self.state = self.first
        self.now_ms = MIDNIGHT_MS
        self.balances: dict[str, int] = {}
        self.held: dict[str, int] = defaultdict(int)
        self.bank = 0
        self.done: set[tuple[str, ...]] = set()
        self.lines: list[str] = []
        self.settles: list[Settle] = []
        self.bets: dict[tuple[str, str], tuple[Wager, ...]] = {}
        self.voids: list[Void] = []
        self.events: list[Broadcast] = []
        self.private: list[Notify] = []
        self.refusals: list[Refusal] = []
        self.holds: list[Hold | Raise] = []
        self.rounds = 0
        self._replies: deque[i.AnyInput] = deque()
        self.slow, self.automatic = slow, automatic
        self._shoes = shoes
        self._shuffled = 0
        self._draws = SeededDraws(0)
        self._ready: dict[int, Shoe] = {}
        self._dealers: dict[int, AutomaticDealer] = {}

    @property
    def money(self) -> int:
        """All there is; it can't change."""
        return sum(self.balances.values()) + sum(self.held.values()) + self.bank

    # --- inputs

    def feed(self, given: i.AnyInput) -> tuple[Effect, ...]:
        """One step at the time it is, and everything that it asks the house to do; its own effects."""
        effects = self._step(given)
        self._reply()
        return effects

    def correct(self, back: int, what: str, why: str = "misread") -> None:
        """What came up before the last `back` ones was in truth `what`."""
        dealt = self.state.checkpoint.dealt if self.state.checkpoint else ()
        place = max(0, len(dealt) - 1 - back)
        was = dealt[place] if back < len(dealt) else "nothing"
        self.feed(i.Corrected(place, was, what, why))

    def feed_only(self, *every: i.AnyInput) -> None:
        """These steps, and nothing of what they ask the house to do."""
        for given in every:
            self._step(given)
            self._replies.clear()

    def _reply(self) -> None:
        while self._replies or (self.holds and not self.slow):
            if self._replies:
                self._step(self._replies.popleft())
            else:
                self._answer_each(covered=True)

    def _step(self, given: i.AnyInput) -> tuple[Effect, ...]:
        before = self.state
        self.state, effects = step(before, given, self.now_ms)
        if self.state is not before:
            self.lines.append(record_line(given, self.now_ms))
        for effect in effects:
            self._do(effect)
        return effects

    def wait(self, ms: int) -> None:
        """The time passes; the table is ticked when it wants to be."""
        until = self.now_ms + ms
        while self.state.deadline_ms is not None and self.state.deadline_ms <= until:
            self.now_ms = max(self.now_ms, self.state.deadline_ms)
            self.feed(i.Ticked())
        self.now_ms = until

    def wait_for(self, *phases: str) -> None:
        """On to one of these phases."""
        for _ in range(60):
            if self.state.phase in phases:
                return
            assert self.state.deadline_ms is not None, f"{self.state.phase} never ends"
            self.wait(max(0, self.state.deadline_ms - self.now_ms))
        raise AssertionError(f"{self.state.phase} and no {phases}")

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

    def main(self, player: str, stake_minor: int = 1_000, box: int = 0) -> tuple[Effect, ...]:
        return self.bet(player, (box, "main", stake_minor))

    def decide(self, player: str, action: str, at: At = FIRST, stake: int | None = None) -> None:
        self.feed(i.Decided(player, at, action, stake))

    def answer_holds(self, *, covered: bool = True) -> None:
        """Those that are waiting now."""
        self._answer_each(covered=covered)
        self._reply()

    def _answer_each(self, *, covered: bool) -> None:
        waiting, self.holds = self.holds, []
        for hold in waiting:
            self._answer(hold, covered=covered)

    # --- effects

    def _do(self, effect: Effect) -> None:
        match effect:
            case Hold() | Raise():
                self.holds.append(effect)
            case Release():
                self._once("release", effect.player, effect.round, str(effect.hold))
                self._move(effect.player, -effect.amount_minor)
            case Settle() | Void():
                self._end(effect)
            case RequestCard() | RequestRound() | RequestShuffle():
                self._asked(effect)
            case _:
                self._told(effect)

    def _asked(self, effect: RequestCard | RequestRound | RequestShuffle) -> None:
        match effect:
            case RequestCard():
                if self.automatic:
                    self._deal(effect)
            case RequestRound():
                self.rounds += 1
                self._replies.append(i.RoundNamed(f"r{self.rounds}"))
            case RequestShuffle():
                self._shuffled += 1
                self._ready[effect.shoe] = self._shoes(self._shuffled)
                self._replies.append(i.Shuffled(effect.shoe))

    def _told(self, effect: Broadcast | Notify | Refusal) -> None:
        match effect:
            case Broadcast():
                self.events.append(effect)
            case Notify():
                self.private.append(effect)
            case Refusal():
                self.refusals.append(effect)

    def _once(self, *key: str) -> None:
        assert key not in self.done, f"{key} done twice"
        self.done.add(key)

    def _move(self, player: str, amount_minor: int) -> None:
        self.balances[player] -= amount_minor
        self.held[player] += amount_minor
        assert self.balances[player] >= 0, player
        assert self.held[player] >= 0, player

    def _answer(self, hold: Hold | Raise, *, covered: bool) -> None:
        who = (hold.player, hold.round, hold.hold)
        if not covered or hold.amount_minor > self.balances[hold.player]:
            self._step(i.HoldRefused(*who))
            return
        self._once("hold", hold.player, hold.round, str(hold.hold))
        self._move(hold.player, hold.amount_minor)
        self._step(i.HoldPlaced(*who))

    def _end(self, effect: Settle | Void) -> None:
        self._once("end", effect.player, effect.round)
        assert self.held[effect.player] == effect.staked_minor, effect
        self.held[effect.player] = 0
        if isinstance(effect, Void):
            self.voids.append(effect)
            self.balances[effect.player] += effect.staked_minor
            return
        self.settles.append(effect)
        self.bets[effect.player, effect.round] = self.state.players[effect.player].bet
        self.balances[effect.player] += effect.returned_minor
        self.bank += effect.staked_minor - effect.returned_minor

    def _deal(self, effect: RequestCard) -> None:
        if isinstance(effect.want, SpinWheel | RollDice):
            self._replies.append(i.Dealt(str(draw(effect.want, self._draws)), effect.ask))
            return
        shoe = self.state.shoe
        if shoe in self._ready:
            self._dealers[shoe] = AutomaticDealer(ShoeSource(self._ready.pop(shoe)))
        self._dealers[shoe], said = self._dealers[shoe].deal(effect)
        self._replies.extend(said)

    def settled(self, player: str) -> Settle:
        """The player's last settlement."""
        return next(settle for settle in reversed(self.settles) if settle.player == player)

    def refused(self) -> str:
        """The code of the last refusal."""
        return self.refusals[-1].code
