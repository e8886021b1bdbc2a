"""Shoes that take turns, restarts, waits and what a jurisdiction wants, and what the driver still owes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment.shoe import Shoe, UnseenCards
from croupier.games import published_tables
from croupier.tables.live import (
    Setup,
    TableProfile,
    Timings,
    dealer_view,
    new_table,
    outstanding,
    step,
)
from croupier.tables.live import inputs as i
from croupier.tables.live.effects import Hold, RequestCard, RequestRound, RequestShuffle
from croupier.tables.live.notices import BetAccepted, BetNotCovered
from croupier.tables.live.player_map import PlayerMap
from tests.tables.live.house import MIDNIGHT_MS, House, seeded_shoe

NAMES = st.text("abc", max_size=2)


def shallow(number: int) -> Shoe:
    """The cut card comes out in the first round."""
    return seeded_shoe(number, cut_percent=1)


def test_two_shoes_take_turns_at_the_cut_card() -> None:
    house = House(shoes=shallow)
    house.join("ann")
    house.open()
    shoes = []
    for _ in range(4):
        house.main("ann")
        house.wait(15_000)
        shoes.append(house.state.shoe)
        assert house.state.cut_card
        house.wait_for("betting")
        assert house.state.unseen == UnseenCards.of(8)
    assert shoes == [0, 1, 0, 1]


def test_a_shoe_is_dealt_until_its_cut_card() -> None:
    house = House()
    house.join("ann")
    house.open()
    for _ in range(3):
        house.main("ann")
        house.wait(15_000)
        house.wait_for("betting")
    assert house.state.shoe == 0
    assert house.state.unseen != UnseenCards.of(8)


def test_with_one_shoe_the_table_waits_for_the_shuffle() -> None:
    house = House("seven_seat", shoes=shallow)
    house.sit("ann", 0)
    house.open()
    house.main("ann", 1_000)
    house.wait(15_000)
    house.wait_for("pause")
    ends_ms = house.state.deadline_ms
    assert ends_ms is not None
    state, effects = step(house.state, i.Ticked(), ends_ms)
    assert state.phase == "shuffling"
    assert RequestShuffle(0) in effects
    assert state.deadline_ms is None
    assert outstanding(state) == (RequestShuffle(0),)
    state, effects = step(state, i.Shuffled(0), ends_ms + 90_000)
    assert state.phase == "opening"
    assert effects[-1] == RequestRound()
    assert outstanding(state) == (RequestRound(),)


def test_a_shoe_in_use_or_not_there_cant_be_shuffled() -> None:
    house = House()
    house.open()
    for shoe in (0, 1, 2, -1):
        house.feed(i.Shuffled(shoe))
        assert house.refusals.pop().code == "not_wanted"


def test_a_restart_gives_the_time_back() -> None:
    house = House()
    house.join("ann")
    house.open()
    house.main("ann")
    house.wait(4_000)
    house.feed(i.Ticked())
    house.now_ms += 3_600_000
    house.feed(i.Restarted())
    assert house.state.deadline_ms == house.now_ms + 6_000
    house.wait(11_000)
    assert house.state.phase == "decisions"


def test_what_is_outstanding_is_asked_again_after_a_restart() -> None:
    house = House(slow=True, automatic=False)
    house.join("ann")
    house.join("bob")
    house.open()
    house.main("ann")
    assert outstanding(house.state) == (Hold("ann", "EUR", "r1", 1, 1_000),)
    house.answer_holds()
    house.main("bob")
    house.feed(i.Disconnected("bob", "bob-1"))
    assert outstanding(house.state) == (Hold("bob", "EUR", "r1", 1, 1_000),)
    house.answer_holds()
    house.wait(15_000)
    (wants,) = outstanding(house.state)
    assert isinstance(wants, RequestCard)
    assert wants.words == "the player's first card"
    house.feed(i.Paused("x"))
    assert outstanding(house.state) == ()


def test_the_pause_is_as_long_as_the_jurisdiction_wants() -> None:
    house = House(profile=TableProfile(round_min_ms=60_000))
    house.join("ann")
    house.open()
    house.main("ann")
    house.wait(15_000)
    house.wait_for("pause")
    assert house.state.deadline_ms == MIDNIGHT_MS + 60_000


def test_the_last_card_may_be_corrected_before_the_settlement() -> None:
    house = House(automatic=False, timings=Timings(check_ms=3_000))
    house.join("ann")
    house.open()
    house.main("ann")
    house.wait(15_000)
    for what in ("TH", "6D", "9S", "down"):
        house.feed(i.Dealt(what))
    house.decide("ann", "stand")
    for what in ("TC", "KD"):
        house.feed(i.Dealt(what))
    assert house.state.phase == "settlement"
    assert not house.settles
    house.correct(0, "5D", "it was a five")
    house.wait(2_999)
    assert not house.settles
    house.wait(1)
    assert house.settled("ann").returned_minor == 0


@pytest.mark.parametrize(
    "waits",
    [
        Timings(decision_ms=0),
        Timings(offer_ms=0),
        Timings(warning_ms=0),
        Timings(warning_ms=15_001),
        Timings(pause_ms=-1),
    ],
)
def test_waits_that_cant_be_are_refused(waits: Timings) -> None:
    with pytest.raises(ValueError, match="can't wait"):
        new_table(Setup(published_tables()["infinite"], waits))


def test_a_clock_set_back_stands_still() -> None:
    house = House()
    house.open()
    house.now_ms -= 60_000
    house.join("ann")
    assert house.state.now_ms == MIDNIGHT_MS
    assert house.state.deadline_ms == MIDNIGHT_MS + 10_000


def test_a_refused_input_leaves_the_very_same_state() -> None:
    house = House()
    house.open()
    before = house.state
    after, effects = step(before, i.Dealt("AS"), house.now_ms + 1)
    assert after is before
    assert len(effects) == 1


@given(
    st.lists(st.tuples(st.text("abc", max_size=2), st.integers()), max_size=30),
    st.sets(st.text("abc", max_size=2)),
)
def test_a_roll_is_a_mapping(entries: list[tuple[str, int]], gone: set[str]) -> None:
    roll, plain = PlayerMap[int](), dict[str, int]()
    for name, entry in entries:
        before, seen = roll, dict(roll.items())
        roll, plain[name] = roll.put(name, entry), entry
        assert dict(before.items()) == seen
    assert roll == PlayerMap.of(plain.items())
    assert (len(roll), dict(roll.items()), sorted(roll.values())) == (
        len(plain),
        plain,
        sorted(plain.values()),
    )
    assert roll.each(lambda entry: -entry) == PlayerMap.of((name, -entry) for name, entry in roll.items())
    left = roll.without(gone)
    assert dict(left.items()) == {name: entry for name, entry in plain.items() if name not in gone}
    assert len(left) == len(dict(left.items()))
    for name in gone:
        assert (name in left, left.get(name)) == (False, None)


def test_a_restricted_player_cant_bet_and_keeps_what_he_bet() -> None:
    house = House()
    house.join("ann")
    house.open()
    house.main("ann", 1_000)
    house.feed(i.Restricted("ann", "self_excluded"))
    house.main("ann", 2_000)
    refusal = house.refusals.pop()
    assert (refusal.player, refusal.code, refusal.rule) == ("ann", "restricted", "self_excluded")
    assert house.held["ann"] == 1_000
    house.wait(15_000)
    house.wait_for("betting")
    house.main("ann", 2_000)
    assert house.refusals.pop().code == "restricted"
    house.feed(i.Restricted("ann", ""))
    house.main("ann", 2_000)
    assert house.held["ann"] == 2_000


def test_currencies_are_the_tables_and_dont_change_while_money_is_at_risk() -> None:
    house = House()
    house.join("ann", currency="GC")
    assert house.refusals.pop().code == "no_such_currency"
    house.join("ann")
    house.open()
    house.main("ann")
    house.feed(i.Joined("ann", "ann-1", "USD"))
    assert house.refusals.pop().code == "in_play"
    house.bet("ann")
    house.feed(i.Joined("ann", "ann-1", "USD"))
    house.main("ann")
    house.wait(15_000)
    house.wait_for("pause")
    assert house.settled("ann").currency == "USD"


@pytest.mark.parametrize("ask", [0, 1, 2])
def test_a_card_that_comes_as_the_bets_close_answers_nothing(ask: int) -> None:
    """Nobody has heard the question yet: what was staked stands in the books before a card is asked for."""
    house = House(automatic=False)
    house.join("ann")
    house.open()
    house.main("ann")
    house.wait_for("warning")
    asked_before = house.state.ask
    assert house.state.deadline_ms
    house.now_ms = house.state.deadline_ms
    house.feed(i.Dealt("TH", ask and asked_before + ask))
    assert house.refusals.pop().code == "no_card_wanted"
    assert dealer_view(house.state).wanted == "the player's first card"
    house.feed(i.Dealt("TH", house.state.ask))
    assert dealer_view(house.state).wanted == "the dealer's first card"


def test_a_card_sent_twice_isnt_taken_for_the_next() -> None:
    house = House(automatic=False)
    house.join("ann")
    house.open()
    house.main("ann")
    house.wait(15_000)
    ask = dealer_view(house.state).ask
    house.feed(i.Dealt("TH", ask))
    house.feed(i.Dealt("TH", ask))
    assert house.refusals.pop().code == "no_card_wanted"
    assert dealer_view(house.state).wanted == "the dealer's first card"
    asked_before = dealer_view(house.state).ask
    house.feed(i.Paused("x"))
    house.feed(i.Resumed())
    house.feed(i.Dealt("6D", asked_before))
    assert house.refusals.pop().code == "no_card_wanted"
    house.feed(i.Dealt("6D", dealer_view(house.state).ask))
    assert dealer_view(house.state).wanted == "the player's second card"


def test_a_bet_is_stopped_at_the_maximum_and_says_so() -> None:
    house = House()
    house.join("ann")
    house.open()
    house.bet("ann", (0, "main", 600_000), (0, "hot_3", 100))
    said = [told.what for told in house.private]
    assert said == [BetAccepted(500_100, ("main",))]
    house.bet("ann", (0, "main", 500_000), (0, "hot_3", 500_000))
    house.balances["ann"] = 0
    house.bet("ann", (0, "main", 500_000), (0, "hot_3", 500_000), (0, "any_pair", 100))
    said = [told.what for told in house.private]
    assert said[1:] == [BetAccepted(1_000_000, ()), BetNotCovered(1_000_000)]
    assert house.held["ann"] == 1_000_000


def test_at_two_seats_only_the_stake_that_is_over_the_maximum_is_stopped() -> None:
    house = House("seven_seat", seats_each=2)
    house.sit("ann", 0)
    house.feed(i.SatDown("ann", 1))
    house.open()
    most = house.state.setup.table.limits_in["EUR"]["main"].max_minor
    house.bet("ann", (0, "main", most + 1), (1, "main", 1_000))
    assert house.state.players["ann"].bet == ((0, "main", most), (1, "main", 1_000))
