"""No messages ever reach a bet that a live table doesn't take; limits change between rounds."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.games import published_tables
from croupier.play.contract.amounts import StakeLimits
from croupier.play.tables.restrictions import bet_list
from croupier.tables.live import inputs as i
from tests.tables.live.house import House

TABLES = {name: table for name, table in published_tables().items() if name.startswith("live_")}
"""Every live table of a coup."""
SMALL = 100


def all_bets(name: str) -> list[str]:
    return [bet.name for bet in TABLES[name].game.bets(TABLES[name].rules)]


def forbidden(name: str, bets: frozenset[str]) -> bool:
    """The clause as it is written (004 6), told a second time."""
    if name == "live_roulette":
        coverage = TABLES[name].coverage
        assert coverage is not None
        return len({pocket for bet in bets for pocket in coverage.of[bet]}) > 34
    pairs = [("player", "banker"), ("dragon", "tiger"), ("home", "away"), ("big", "small"), ("odd", "even")]
    return any(one in bets and other in bets for one, other in pairs)


@st.composite
def messages(draw: st.DrawFn, name: str) -> list[Any]:
    """Whole bets, chip by chip or many at once; undone, placed again, and what a lost line brings."""
    every = all_bets(name)
    some = st.frozensets(st.sampled_from(every), max_size=4)
    many = st.frozensets(st.sampled_from(every), min_size=min(len(every), 20))
    return draw(
        st.lists(st.one_of(some, many, st.sampled_from(["more", "undo", "again", "gone"])), max_size=15)
    )


class Player:
    """Sends the whole of his bet each time, as a browser does."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.bet: frozenset[str] = frozenset()

    def send(self, message: Any) -> None:
        match message:
            case "undo":
                self.house.feed(i.Undone("ann"))
            case "gone":
                self.house.feed(i.Disconnected("ann", "ann-1"))
                self.house.join("ann")
            case "again":
                self._place(self.bet)
            case "more":
                self._place(self.bet | self._stands)
            case bets:
                self.bet = bets
                self._place(bets)

    def _place(self, bets: frozenset[str]) -> None:
        self.house.bet("ann", *((0, bet, SMALL) for bet in sorted(bets)))

    @property
    def _stands(self) -> frozenset[str]:
        return frozenset(wager.bet for wager in self.house.state.players["ann"].bet)


@pytest.mark.parametrize("name", TABLES)
@given(data=st.data())
@settings(max_examples=40)
def test_no_sequence_of_messages_reaches_a_forbidden_bet(name: str, data: st.DataObject) -> None:
    house = House(name)
    house.join("ann")
    house.open()
    player = Player(house)
    for message in data.draw(messages(name)):
        before, earlier = house.state.players["ann"].bet, len(house.refusals)
        player.send(message)
        standing = frozenset(wager.bet for wager in house.state.players["ann"].bet)
        assert not forbidden(name, standing)
        if isinstance(message, frozenset) and forbidden(name, message):
            assert house.refusals[-1].code in ("never_together", "covers_too_much")
            assert house.state.players["ann"].bet == before
        elif isinstance(message, frozenset):
            assert len(house.refusals) == earlier, house.refusals[earlier:]
            assert standing == message
    house.wait_for("betting")
    house.wait_for("pause", "opening", "betting")
    assert house.money == 1_000_000


@pytest.mark.parametrize("name", TABLES)
def test_the_reason_names_the_bets_or_the_count(name: str) -> None:
    house = House(name)
    house.join("ann")
    house.open()
    table = TABLES[name]
    lines = table.restrictions.never_together or (("red", "black"),)
    for line in lines:
        house.bet("ann", *((0, bet, SMALL) for bet in line))
        no = house.refusals[-1]
        if table.restrictions.never_together:
            said = {"rule": "never_together", "bets": bet_list(line, table.game.labels)}
            assert (no.code, no.rule, no.args) == ("never_together", "never_together", said)
        else:
            counted = {"percent": 92, "covered": 36, "most": 34, "outcomes": 37}
            assert (no.code, no.args) == ("covers_too_much", {"rule": "covers_at_most_percent", **counted})


def test_one_bet_over_the_tables_maximum_is_refused_though_each_is_within_its_own() -> None:
    house = House("live_roulette")
    house.join("ann", 10_000_000)
    house.open()
    table = TABLES["live_roulette"]
    most = {bet.name: table.limits_of(bet, "EUR").max_minor for bet in table.game.bets(table.rules)}
    house.bet("ann", (0, "red", most["red"]), (0, "odd", most["odd"]))
    assert not house.refusals
    house.bet("ann", (0, "red", most["red"]), (0, "odd", most["odd"]), (0, "straight_0", 100))
    assert house.refused() == "over_table_maximum"
    assert house.state.players["ann"].held_minor == most["red"] + most["odd"]


NEW = {code: StakeLimits(100, 1_000) for code in TABLES["live_roulette"].limits}


def set_limits(house: House, **given: Any) -> str:
    earlier = len(house.refusals)
    house.feed(i.LimitsSet(NEW, {}, **given))
    return house.refused() if len(house.refusals) > earlier else ""


def test_limits_of_kinds_and_of_the_whole_bet_change_between_rounds() -> None:
    house = House("live_roulette")
    house.join("ann")
    house.open()
    whole = {code: StakeLimits(100, 1_200) for code in NEW}
    assert set_limits(house, kind_limits={"split": {"EUR": StakeLimits(200, 300)}}, table_limits=whole) == ""
    house.bet("ann", (0, "split_17_20", 10_000))
    assert not house.refusals, "this round has the limits it opened with"
    house.wait_for("pause")
    house.wait_for("betting")
    for bet, code in [
        ((0, "split_17_20", 199), "under_minimum"),
        ((0, "straight_17", 99), "under_minimum"),
    ]:
        house.bet("ann", bet)
        assert house.refused() == code
    house.bet("ann", (0, "split_17_20", 10_000), (0, "straight_17", 10_000))
    assert house.refused() == "over_table_maximum", "each is stopped at its maximum, and both are too much"
    house.bet("ann", (0, "split_17_20", 10_000), (0, "straight_17", 900))
    assert {wager.bet: wager.stake_minor for wager in house.state.players["ann"].bet} == {
        "split_17_20": 300,
        "straight_17": 900,
    }


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"kind_limits": {"split": {"GC": StakeLimits(1, 2)}}}, "no_such_currency"),
        ({"table_limits": {"GC": StakeLimits(1, 2)}}, "no_such_currency"),
        ({"kind_limits": {"split": {"EUR": StakeLimits(0, 2)}}}, "wrong_limits"),
        ({"table_limits": {"EUR": StakeLimits(500, 100)}}, "wrong_limits"),
        ({"kind_limits": {"splits": {"EUR": StakeLimits(1, 2)}}}, "wrong_limits"),
        ({"table_limits": {"EUR": StakeLimits(200, 5_000)}}, "wrong_limits"),
    ],
)
def test_limits_that_cannot_be_are_refused(given: dict[str, Any], code: str) -> None:
    house = House("live_roulette")
    assert set_limits(house, **given) == code
    assert house.state.next_setup is None
