"""Players, the floor and broken lines in any order: no unit of money is lost, and a replay gives the same."""

from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from croupier.play.contract.wants import At
from croupier.tables.live import dealer_view, group, groups, shared_view
from croupier.tables.live import inputs as i
from croupier.tables.live.phases import DEALT_PHASES
from croupier.tables.live.record import replay
from tests.tables.live.house import START_MINOR, House, seeded_shoe
from tests.tables.live.people import bet_at_random, decide_at_random
from tests.tables.live.retold import returns

NAMES = ("ann", "bob", "cat", "dan")
players = st.sampled_from(NAMES)
ACTIONS = ("hit", "stand", "double", "split", "insure")
FLOOR = (i.Paused("x"), i.Resumed(), i.Resumed(), i.Voided("x"), i.TableClosed(), i.TableOpened())
seeds = st.integers(0, 2**32)


class LiveTable(RuleBasedStateMachine):
    """Who does what is drawn; the cards come from a seeded shoe."""

    @initialize(
        table=st.sampled_from(("infinite", "seven_seat")), seed=seeds, slow=st.booleans(), poor=st.booleans()
    )
    def opened(self, table: str, seed: int, *, slow: bool, poor: bool) -> None:
        self.table = table
        self.house = House(
            table, slow=slow, seats_each=2, shoes=lambda number: seeded_shoe(seed + number, cut_percent=4)
        )
        for name in NAMES:
            self.house.join(name, 5_000 if poor else START_MINOR)
        self.all_minor = self.house.money
        self.house.open()

    @rule(player=players, seed=seeds)
    def bets(self, player: str, seed: int) -> None:
        bet_at_random(self.house, self.table, player, Random(seed))

    @rule(seed=seeds)
    def everybody_bets(self, seed: int) -> None:
        for name in NAMES:
            bet_at_random(self.house, self.table, name, Random(seed))

    @rule(player=players, clear=st.booleans())
    def takes_back(self, player: str, *, clear: bool) -> None:
        self.house.feed(i.Placed(player, ()) if clear else i.Undone(player))

    @rule(player=players, seed=seeds)
    def decides(self, player: str, seed: int) -> None:
        decide_at_random(self.house, player, Random(seed))

    @rule(
        player=players,
        action=st.sampled_from(["hit", "stand", "double", "split", "insure"]),
        seat=st.integers(0, 6),
    )
    def says(self, player: str, action: str, seat: int) -> None:
        """In turn or not, on offer or not."""
        self.house.decide(player, action, At(seat))

    @rule(covered=st.booleans())
    def holds_are_answered(self, *, covered: bool) -> None:
        self.house.answer_holds(covered=covered)

    @rule(ms=st.sampled_from([1, 999, 5_000, 12_000, 15_000, 60_000]))
    def time_passes(self, ms: int) -> None:
        self.house.wait(ms)

    @rule(player=players, device=st.sampled_from(["1", "2"]))
    def joins(self, player: str, device: str) -> None:
        self.house.feed(i.Joined(player, f"{player}-{device}", "EUR"))

    @rule(player=players, device=st.sampled_from(["1", "2"]))
    def is_cut_off(self, player: str, device: str) -> None:
        self.house.feed(i.Disconnected(player, f"{player}-{device}"))

    @rule(player=players)
    def leaves(self, player: str) -> None:
        self.house.feed(i.Left(player))

    @rule(player=players, seat=st.integers(0, 6), up=st.booleans())
    def sits(self, player: str, seat: int, *, up: bool) -> None:
        self.house.feed(i.StoodUp(player, seat) if up else i.SatDown(player, seat))

    @rule(
        given=st.sampled_from(
            [i.Paused("x"), i.Resumed(), i.Resumed(), i.Voided("x"), i.TableClosed(), i.TableOpened()]
        )
    )
    def the_floor(self, given: i.AnyInput) -> None:
        self.house.feed(given)

    @rule(back=st.integers(0, 3), what=st.sampled_from(["AS", "5D", "TH", "down", "no"]))
    def the_manager_corrects(self, back: int, what: str) -> None:
        """The automatic dealer never errs, but what it deals next doesn't depend on what it dealt."""
        self.house.correct(back, what)

    @rule(away_ms=st.integers(0, 100_000))
    def the_house_restarts(self, away_ms: int) -> None:
        self.house.now_ms += away_ms
        self.house.feed(i.Restarted())

    @invariant()
    def money_is_where_the_table_says(self) -> None:
        house = self.house
        assert house.money == self.all_minor
        for name in NAMES:
            record = house.state.players.get(name)
            assert house.held[name] == (record.held_minor if record else 0)

    @invariant()
    def everybody_can_look(self) -> None:
        for name in (*NAMES, "a watcher"):
            seen = group(self.house.state, name)
            assert seen in groups(self.house.state)
            assert (shared_view(self.house.state, seen) is None) is (not self.cards_lie)
        assert dealer_view(self.house.state).v == len(self.house.events)

    @property
    def cards_lie(self) -> bool:
        return self.house.state.play is not None and self.house.state.phase in (*DEALT_PHASES, "pause")

    def teardown(self) -> None:
        """The table is let to its end: every stake is settled or back; histories and the replay are right."""
        house = self.house
        house.feed(i.Resumed())
        house.feed(i.TableClosed())
        for _ in range(40):
            house.answer_holds()
            house.wait(30_000)
        assert house.state.phase == "closed"
        assert not any(house.held.values())
        assert not house.state.pending_holds
        assert not house.state.cancelled_holds
        assert house.money == self.all_minor
        for settle in house.settles:
            wagers = house.bets[settle.player, settle.round]
            counted = returns(self.table, settle.steps, wagers)
            assert counted == (settle.staked_minor, settle.returned_minor), settle
        assert replay(house.first, house.lines) == house.state


TestLiveTable: Any = LiveTable.TestCase
TestLiveTable.settings = settings(max_examples=60, stateful_step_count=60)
