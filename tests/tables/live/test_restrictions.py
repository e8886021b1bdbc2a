"""No sequence of messages places a forbidden bet at a live table; limits change between rounds."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.games import published_tables
from croupier.play.contract.amounts import StakeLimits
from croupier.play.tables.restrictions import bet_list
from croupier.tables.live import inputs as i
from tests.tables.live.harness import TableHarness

TABLES = {name: table for name, table in published_tables().items() if name.startswith("live_")}
"""The live tables of coups."""
STAKE_MINOR = 100


def all_bets(name: str) -> list[str]:
    return [bet.name for bet in TABLES[name].game.bets(TABLES[name].rules)]


def forbidden(name: str, bets: frozenset[str]) -> bool:
    """Apply clause 004 6 independently of the package."""
    if name == "live_roulette":
        coverage = TABLES[name].coverage
        assert coverage is not None
        return len({pocket for bet in bets for pocket in coverage.of[bet]}) > 34
    pairs = [("player", "banker"), ("dragon", "tiger"), ("home", "away"), ("big", "small"), ("odd", "even")]
    return any(one in bets and other in bets for one, other in pairs)


@st.composite
def messages(draw: st.DrawFn, name: str) -> list[Any]:
    """Draw complete bets of few or many chips, additions, undos, repeats and reconnections."""
    bets = all_bets(name)
    few = st.frozensets(st.sampled_from(bets), max_size=4)
    many = st.frozensets(st.sampled_from(bets), min_size=min(len(bets), 20))
    return draw(
        st.lists(st.one_of(few, many, st.sampled_from(["add", "undo", "repeat", "reconnect"])), max_size=15)
    )


class Player:
    """A player who sends the complete bet each time, like the browser client."""

    def __init__(self, harness: TableHarness) -> None:
        self.harness = harness
        self.bet: frozenset[str] = frozenset()

    def send(self, message: Any) -> None:
        match message:
            case "undo":
                self.harness.feed(i.Undone("ann"))
            case "reconnect":
                self.harness.feed(i.Disconnected("ann", "ann-1"))
                self.harness.join("ann")
            case "repeat":
                self._place(self.bet)
            case "add":
                self._place(self.bet | self._accepted)
            case bets:
                self.bet = bets
                self._place(bets)

    def _place(self, bets: frozenset[str]) -> None:
        self.harness.bet("ann", *((0, bet, STAKE_MINOR) for bet in sorted(bets)))

    @property
    def _accepted(self) -> frozenset[str]:
        return frozenset(wager.bet for wager in self.harness.state.players["ann"].bet)


@pytest.mark.parametrize("name", TABLES)
@given(data=st.data())
@settings(max_examples=40)
def test_no_sequence_of_messages_places_a_forbidden_bet(name: str, data: st.DataObject) -> None:
    harness = TableHarness(name)
    harness.join("ann")
    harness.open()
    player = Player(harness)
    for message in data.draw(messages(name)):
        before, refusals = harness.state.players["ann"].bet, len(harness.refusals)
        player.send(message)
        placed = frozenset(wager.bet for wager in harness.state.players["ann"].bet)
        assert not forbidden(name, placed)
        if isinstance(message, frozenset) and forbidden(name, message):
            assert harness.refusals[-1].code in ("never_together", "covers_too_much")
            assert harness.state.players["ann"].bet == before
        elif isinstance(message, frozenset):
            assert len(harness.refusals) == refusals, harness.refusals[refusals:]
            assert placed == message
    harness.wait_for("betting")
    harness.wait_for("pause", "opening", "betting")
    assert harness.total_minor == 1_000_000


@pytest.mark.parametrize("name", TABLES)
def test_the_refusal_names_the_bets_or_the_coverage(name: str) -> None:
    harness = TableHarness(name)
    harness.join("ann")
    harness.open()
    table = TABLES[name]
    lines = table.restrictions.never_together or (("red", "black"),)
    for line in lines:
        harness.bet("ann", *((0, bet, STAKE_MINOR) for bet in line))
        refusal = harness.refusals[-1]
        if table.restrictions.never_together:
            args = {"rule": "never_together", "bets": bet_list(line, table.game.labels)}
            assert (refusal.code, refusal.rule, refusal.args) == ("never_together", "never_together", args)
        else:
            coverage = {"percent": 92, "covered": 36, "most": 34, "outcomes": 37}
            assert (refusal.code, refusal.args) == (
                "covers_too_much",
                {"rule": "covers_at_most_percent", **coverage},
            )


def test_a_total_over_the_tables_maximum_is_refused() -> None:
    harness = TableHarness("live_roulette")
    harness.join("ann", 10_000_000)
    harness.open()
    table = TABLES["live_roulette"]
    maximum = {bet.name: table.limits_of(bet, "EUR").max_minor for bet in table.game.bets(table.rules)}
    harness.bet("ann", (0, "red", maximum["red"]), (0, "odd", maximum["odd"]))
    assert not harness.refusals
    harness.bet("ann", (0, "red", maximum["red"]), (0, "odd", maximum["odd"]), (0, "straight_0", 100))
    assert harness.refusal_code() == "over_table_maximum"
    assert harness.state.players["ann"].held_minor == maximum["red"] + maximum["odd"]


NEW_LIMITS = {code: StakeLimits(100, 1_000) for code in TABLES["live_roulette"].limits}


def set_limits(harness: TableHarness, **limits: Any) -> str:
    """Set limits; return the code of the refusal, or an empty string."""
    before = len(harness.refusals)
    harness.feed(i.LimitsSet(NEW_LIMITS, {}, **limits))
    return harness.refusal_code() if len(harness.refusals) > before else ""


def test_limits_of_kinds_and_of_the_total_change_between_rounds() -> None:
    harness = TableHarness("live_roulette")
    harness.join("ann")
    harness.open()
    total = {code: StakeLimits(100, 1_200) for code in NEW_LIMITS}
    assert (
        set_limits(harness, kind_limits={"split": {"EUR": StakeLimits(200, 300)}}, table_limits=total) == ""
    )
    harness.bet("ann", (0, "split_17_20", 10_000))
    assert not harness.refusals, "the limits of a round don't change while it is open"
    harness.wait_for("pause")
    harness.wait_for("betting")
    for bet, code in [
        ((0, "split_17_20", 199), "under_minimum"),
        ((0, "straight_17", 99), "under_minimum"),
    ]:
        harness.bet("ann", bet)
        assert harness.refusal_code() == code
    harness.bet("ann", (0, "split_17_20", 10_000), (0, "straight_17", 10_000))
    assert harness.refusal_code() == "over_table_maximum", (
        "each stake is reduced to its maximum; the total is too high"
    )
    harness.bet("ann", (0, "split_17_20", 10_000), (0, "straight_17", 900))
    assert {wager.bet: wager.stake_minor for wager in harness.state.players["ann"].bet} == {
        "split_17_20": 300,
        "straight_17": 900,
    }


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ({"kind_limits": {"split": {"GC": StakeLimits(1, 2)}}}, "no_such_currency"),
        ({"table_limits": {"GC": StakeLimits(1, 2)}}, "no_such_currency"),
        ({"kind_limits": {"split": {"EUR": StakeLimits(0, 2)}}}, "wrong_limits"),
        ({"table_limits": {"EUR": StakeLimits(500, 100)}}, "wrong_limits"),
        ({"kind_limits": {"splits": {"EUR": StakeLimits(1, 2)}}}, "wrong_limits"),
        ({"table_limits": {"EUR": StakeLimits(200, 5_000)}}, "wrong_limits"),
    ],
)
def test_invalid_limits_are_refused(limits: dict[str, Any], code: str) -> None:
    harness = TableHarness("live_roulette")
    assert set_limits(harness, **limits) == code
    assert harness.state.next_setup is None
