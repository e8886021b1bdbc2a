"""What a group sees of a table: one view for all who went the same path, whoever they are."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment.cards import cards
from croupier.equipment.shoe import Shoe
from croupier.games.blackjack import GAME
from croupier.tables.live import inputs as i
from croupier.tables.live.shared_play import SharedPlay
from croupier.tables.live.statistics import group_shares
from croupier.tables.live.view import UNIT_MINOR, UNLIMITED_MINOR, group, groups, result, shared_view
from tests.tables.live.house import House, seeded_shoe

SIDES = ("any_pair", "twenty_one_plus_three", "hot_3")


def house_of(table: str, seed: int) -> House:
    house = House(table, shoes=lambda number: seeded_shoe(seed + number))
    for seat, player in enumerate(("ann", "bob", "cat")):
        house.sit(player, seat) if table == "seven_seat" else house.join(player)
    house.join("zoe")
    house.open()
    return house


def shown(house: House, player: str) -> Any:
    return shared_view(house.state, group(house.state, player))


def test_players_of_one_path_are_one_group_until_they_decide_otherwise() -> None:
    house = house_of("infinite", 3)
    for player in ("ann", "bob", "cat"):
        house.main(player)
    assert set(groups(house.state)) == {()}
    assert shared_view(house.state, ()) is None
    house.wait(15_000)
    assert {group(house.state, player) for player in ("ann", "bob", "cat", "zoe")} == {()}
    house.decide("ann", "stand")
    house.decide("bob", "hit")
    house.decide("cat", "hit")
    seen = {player: group(house.state, player) for player in ("ann", "bob", "cat")}
    assert seen["bob"] == seen["cat"] != seen["ann"]
    assert set(groups(house.state)) == set(seen.values())
    assert group(house.state, "zoe") == next(groups(house.state))
    assert len(shown(house, "bob").boxes[0].hands[0].cards) == 3


@given(seed=st.integers(0, 2**32), stake=st.integers(100, 50_000))
def test_a_group_sees_its_players_round_at_another_stake(seed: int, stake: int) -> None:
    """All but the amounts is as in the view of a player of that group; the amounts are for UNIT_MINOR."""
    house = house_of("infinite", seed)
    every = [("main", stake), *((side, stake) for side in SIDES), ("bust_it", stake)]
    house.bet("ann", *((0, bet, minor) for bet, minor in every))
    house.bet("bob", *((0, bet, UNIT_MINOR) for bet, _ in every))
    house.wait(15_000)
    while house.state.deadline_ms is not None and not shown(house, "ann").ended:
        assert isinstance(house.state.play, SharedPlay)
        assert shown(house, "bob") == GAME.show(house.state.play.own_round("bob"), UNLIMITED_MINOR)
        assert shown(house, "ann") == shown(house, "bob")
        house.wait(house.state.deadline_ms - house.now_ms)
    assert shown(house, "ann").ended


def test_a_bet_that_the_deal_doesnt_settle_is_left_out() -> None:
    for bust_it in (False, True):
        house = house_of("infinite", 3)
        house.bet("ann", (0, "main", 500), *([(0, "bust_it", 700)] if bust_it else []))
        house.wait(15_000)
        house.wait_for("pause")
        (box,) = shown(house, "ann").boxes
        assert [bet.bet for bet in box.side_bets] == [*SIDES, *(["bust_it"] if bust_it else [])]
        assert all(bet.outcome for bet in box.side_bets)


def test_at_a_table_of_seats_all_see_the_same_with_the_real_stakes() -> None:
    house = house_of("seven_seat", 3)
    house.main("ann", 1_500, 0)
    house.main("bob", 2_500, 1)
    house.wait(15_000)
    assert list(groups(house.state)) == [group(house.state, "zoe")] == [group(house.state, "bob")]
    assert [box.stake_minor for box in shown(house, "zoe").boxes] == [1_500, 2_500]
    assert all(option.covered for turn in shown(house, "zoe").turns for option in turn.options)


@pytest.mark.parametrize("player", ["ann", "zoe"])
def test_a_group_is_told_what_its_players_decided(player: str) -> None:
    house = house_of("infinite", 3)
    house.main("ann")
    house.main("bob")
    house.wait(15_000)
    house.decide("bob", "stand")
    shares = group_shares(house.state, group(house.state, player))
    assert {share.action: (share.chose, share.decided) for share in shares}["stand"] == (1, 1)


def test_a_group_sees_nothing_of_what_its_players_staked() -> None:
    seen = []
    for stake in (777, 8_800):
        house = house_of("infinite", 5)
        house.main("ann", stake)
        house.main("bob", 1_000)
        house.wait(15_000)
        seen.append(msgspec.json.encode([shown(house, "ann"), shown(house, "zoe")]))
        house.wait_for("pause")
        seen.append(msgspec.json.encode([shown(house, "ann"), shown(house, "zoe")]))
    assert seen[:2] == seen[2:]


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_a_side_bet_is_shown_as_soon_as_its_cards_lie(table: str) -> None:
    sides = (*SIDES, "bust_it") if table == "infinite" else ("perfect_pairs", "twenty_one_plus_three")
    house = house_of(table, 3)
    house.bet("ann", (0, "main", 500), *((0, side, 500) for side in sides))
    house.wait(15_000)
    assert house.state.phase == "decisions"
    early = {bet.bet: bet for bet in shown(house, "ann").boxes[0].side_bets}
    assert {bet for bet in early if early[bet].outcome is None} == {"bust_it"} & early.keys()
    assert all((bet.outcome is None) is (bet.returned_minor is None) for bet in early.values())
    assert shown(house, "ann").returned_minor == 0
    house.wait_for("pause")
    late = {bet.bet: bet for bet in shown(house, "ann").boxes[0].side_bets}
    assert all(bet.outcome for bet in late.values())
    assert all(late[bet] == early[bet] for bet in late if bet != "bust_it")


def test_bust_it_is_shown_pushed_with_the_blackjack_and_lost_only_at_the_end() -> None:
    house = House(automatic=False)
    house.join("ann")
    house.open()
    house.bet("ann", (0, "main", 500), (0, "bust_it", 500))
    house.wait(15_000)
    for what in ("AH", "6D", "KS"):
        assert shown(house, "ann").boxes[0].side_bets[-1].outcome is None
        house.feed(i.Dealt(what))
    assert [bet.outcome for bet in shown(house, "ann").boxes[0].side_bets if bet.bet == "bust_it"] == [
        "pushed"
    ]


@pytest.mark.parametrize(
    ("table", "shoe", "word"),
    [
        ("infinite", "TH 6D 9S TC 5C", "21"),
        ("infinite", "TH 6D 9S TC 9C", "bust"),
        ("infinite", "TH TD 9S AC", "blackjack"),
        ("seven_seat", "TH 9D 9S 8C", "17"),
    ],
)
def test_what_came_up_is_told_in_a_word(table: str, shoe: str, word: str) -> None:
    order = cards(shoe)
    house = House(table, shoes=lambda _: Shoe(order, 0, len(order)))
    house.sit("ann", 0) if table == "seven_seat" else house.join("ann")
    house.open()
    house.main("ann")
    house.wait(15_000)
    assert result(house.state) == ""
    house.decide("ann", "stand")
    assert house.state.phase == "pause"
    assert result(house.state) == word


def test_nothing_came_up_in_a_round_that_is_void() -> None:
    house = house_of("infinite", 3)
    house.main("ann")
    house.wait(15_000)
    house.feed(i.Voided("x"))
    assert (house.state.phase, result(house.state)) == ("pause", "")
