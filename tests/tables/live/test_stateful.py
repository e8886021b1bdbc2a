"""Players, managers and disconnections in any order: no money is lost, and a replay gives the same state."""

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
from tests.tables.live.harness import START_MINOR, TableHarness, seeded_shoe
from tests.tables.live.random_players import bet_at_random, decide_at_random
from tests.tables.live.reference_blackjack import expected_amounts

NAMES = ("ann", "bob", "cat", "dan")
players = st.sampled_from(NAMES)
ACTIONS = ("hit", "stand", "double", "split", "insure")
MANAGER_INPUTS = (i.Paused("x"), i.Resumed(), i.Resumed(), i.Voided("x"), i.TableClosed(), i.TableOpened())
seeds = st.integers(0, 2**32)


class LiveTable(RuleBasedStateMachine):
    """A live table with drawn inputs and seeded shoes."""

    @initialize(
        table=st.sampled_from(("infinite", "seven_seat")),
        seed=seeds,
        manual_holds=st.booleans(),
        poor=st.booleans(),
    )
    def opened(self, table: str, seed: int, *, manual_holds: bool, poor: bool) -> None:
        self.table = table
        self.harness = TableHarness(
            table,
            manual_holds=manual_holds,
            seats_each=2,
            shoes=lambda number: seeded_shoe(seed + number, cut_percent=4),
        )
        for name in NAMES:
            self.harness.join(name, 5_000 if poor else START_MINOR)
        self.start_total_minor = self.harness.total_minor
        self.harness.open()

    @rule(player=players, seed=seeds)
    def bets(self, player: str, seed: int) -> None:
        bet_at_random(self.harness, self.table, player, Random(seed))

    @rule(seed=seeds)
    def everybody_bets(self, seed: int) -> None:
        for name in NAMES:
            bet_at_random(self.harness, self.table, name, Random(seed))

    @rule(player=players, clear=st.booleans())
    def takes_back_a_bet(self, player: str, *, clear: bool) -> None:
        self.harness.feed(i.Placed(player, ()) if clear else i.Undone(player))

    @rule(player=players, seed=seeds)
    def decides(self, player: str, seed: int) -> None:
        decide_at_random(self.harness, player, Random(seed))

    @rule(player=players, action=st.sampled_from(ACTIONS), seat=st.integers(0, 6))
    def sends_any_decision(self, player: str, action: str, seat: int) -> None:
        """Decide in turn or not, with an option on offer or not."""
        self.harness.decide(player, action, At(seat))

    @rule(covered=st.booleans())
    def holds_are_answered(self, *, covered: bool) -> None:
        self.harness.answer_holds(covered=covered)

    @rule(ms=st.sampled_from([1, 999, 5_000, 12_000, 15_000, 60_000]))
    def time_passes(self, ms: int) -> None:
        self.harness.wait(ms)

    @rule(player=players, device=st.sampled_from(["1", "2"]))
    def joins(self, player: str, device: str) -> None:
        self.harness.feed(i.Joined(player, f"{player}-{device}", "EUR"))

    @rule(player=players, device=st.sampled_from(["1", "2"]))
    def disconnects(self, player: str, device: str) -> None:
        self.harness.feed(i.Disconnected(player, f"{player}-{device}"))

    @rule(player=players)
    def leaves(self, player: str) -> None:
        self.harness.feed(i.Left(player))

    @rule(player=players, seat=st.integers(0, 6), up=st.booleans())
    def sits(self, player: str, seat: int, *, up: bool) -> None:
        self.harness.feed(i.StoodUp(player, seat) if up else i.SatDown(player, seat))

    @rule(given=st.sampled_from(MANAGER_INPUTS))
    def the_manager_acts(self, given: i.AnyInput) -> None:
        self.harness.feed(given)

    @rule(back=st.integers(0, 3), answer=st.sampled_from(["AS", "5D", "TH", "down", "no"]))
    def the_manager_corrects(self, back: int, answer: str) -> None:
        """Correct a result. The automatic dealer's later cards don't depend on it."""
        self.harness.correct(back, answer)

    @rule(away_ms=st.integers(0, 100_000))
    def the_server_restarts(self, away_ms: int) -> None:
        self.harness.now_ms += away_ms
        self.harness.feed(i.Restarted())

    @rule(ms=st.integers(1, 100_000))
    def inputs_wait(self, ms: int) -> None:
        self.harness.now_ms += ms
        self.harness.feed(i.Delayed(ms))

    @invariant()
    def held_money_matches_the_table(self) -> None:
        harness = self.harness
        assert harness.total_minor == self.start_total_minor
        for name in NAMES:
            record = harness.state.players.get(name)
            assert harness.held[name] == (record.held_minor if record else 0)

    @invariant()
    def every_group_has_a_view(self) -> None:
        for name in (*NAMES, "a watcher"):
            path = group(self.harness.state, name)
            assert path in groups(self.harness.state)
            assert (shared_view(self.harness.state, path) is None) is (not self.bets_are_closed)
        assert dealer_view(self.harness.state).v == len(self.harness.events)

    @property
    def bets_are_closed(self) -> bool:
        return self.harness.state.play is not None and self.harness.state.phase in (*DEALT_PHASES, "pause")

    def teardown(self) -> None:
        """Close the table: every stake is settled or returned, and the records and the replay are correct."""
        harness = self.harness
        harness.feed(i.Resumed())
        harness.feed(i.TableClosed())
        for _ in range(40):
            harness.answer_holds()
            harness.wait(30_000)
        assert harness.state.phase == "closed"
        assert not any(harness.held.values())
        assert not harness.state.pending_holds
        assert not harness.state.cancelled_holds
        assert harness.total_minor == self.start_total_minor
        for settle in harness.settlements:
            wagers = harness.bets[settle.player, settle.round]
            expected = expected_amounts(self.table, settle.steps, wagers)
            assert expected == (settle.staked_minor, settle.returned_minor), settle
        assert replay(harness.initial_state, harness.record) == harness.state


TestLiveTable: Any = LiveTable.TestCase
TestLiveTable.settings = settings(max_examples=60, stateful_step_count=60)
