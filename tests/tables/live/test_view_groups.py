"""Views of a group: all players on the same path of a shared deal have one view."""

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
from tests.tables.live.harness import TableHarness, seeded_shoe

SIDE_BETS = ("any_pair", "twenty_one_plus_three", "hot_3")


def harness_of(table: str, seed: int) -> TableHarness:
    harness = TableHarness(table, shoes=lambda number: seeded_shoe(seed + number))
    for seat, player in enumerate(("ann", "bob", "cat")):
        harness.sit(player, seat) if table == "seven_seat" else harness.join(player)
    harness.join("zoe")
    harness.open()
    return harness


def view_of(harness: TableHarness, player: str) -> Any:
    return shared_view(harness.state, group(harness.state, player))


def test_players_are_one_group_until_their_decisions_differ() -> None:
    harness = harness_of("infinite", 3)
    for player in ("ann", "bob", "cat"):
        harness.bet_main(player)
    assert set(groups(harness.state)) == {()}
    assert shared_view(harness.state, ()) is None
    harness.wait(15_000)
    assert {group(harness.state, player) for player in ("ann", "bob", "cat", "zoe")} == {()}
    harness.decide("ann", "stand")
    harness.decide("bob", "hit")
    harness.decide("cat", "hit")
    paths = {player: group(harness.state, player) for player in ("ann", "bob", "cat")}
    assert paths["bob"] == paths["cat"] != paths["ann"]
    assert set(groups(harness.state)) == set(paths.values())
    assert group(harness.state, "zoe") == next(groups(harness.state))
    assert len(view_of(harness, "bob").boxes[0].hands[0].cards) == 3


@given(seed=st.integers(0, 2**32), stake=st.integers(100, 50_000))
def test_a_groups_view_is_its_players_round_at_the_unit_stake(seed: int, stake: int) -> None:
    """The view equals that of a player in the group whose every stake is UNIT_MINOR."""
    harness = harness_of("infinite", seed)
    bets = [("main", stake), *((side, stake) for side in SIDE_BETS), ("bust_it", stake)]
    harness.bet("ann", *((0, bet, minor) for bet, minor in bets))
    harness.bet("bob", *((0, bet, UNIT_MINOR) for bet, _ in bets))
    harness.wait(15_000)
    while harness.state.deadline_ms is not None and not view_of(harness, "ann").ended:
        assert isinstance(harness.state.play, SharedPlay)
        assert view_of(harness, "bob") == GAME.show(harness.state.play.own_round("bob"), UNLIMITED_MINOR)
        assert view_of(harness, "ann") == view_of(harness, "bob")
        harness.wait(harness.state.deadline_ms - harness.now_ms)
    assert view_of(harness, "ann").ended


def test_a_bet_that_the_deal_does_not_settle_is_omitted() -> None:
    for bust_it in (False, True):
        harness = harness_of("infinite", 3)
        harness.bet("ann", (0, "main", 500), *([(0, "bust_it", 700)] if bust_it else []))
        harness.wait(15_000)
        harness.wait_for("pause")
        (box,) = view_of(harness, "ann").boxes
        assert [bet.bet for bet in box.side_bets] == [*SIDE_BETS, *(["bust_it"] if bust_it else [])]
        assert all(bet.outcome for bet in box.side_bets)


def test_a_table_of_seats_has_one_view_with_the_real_stakes() -> None:
    harness = harness_of("seven_seat", 3)
    harness.bet_main("ann", 1_500, 0)
    harness.bet_main("bob", 2_500, 1)
    harness.wait(15_000)
    assert list(groups(harness.state)) == [group(harness.state, "zoe")] == [group(harness.state, "bob")]
    assert [box.stake_minor for box in view_of(harness, "zoe").boxes] == [1_500, 2_500]
    assert all(option.covered for turn in view_of(harness, "zoe").turns for option in turn.options)


@pytest.mark.parametrize("player", ["ann", "zoe"])
def test_a_groups_statistics_count_its_players_decisions(player: str) -> None:
    harness = harness_of("infinite", 3)
    harness.bet_main("ann")
    harness.bet_main("bob")
    harness.wait(15_000)
    harness.decide("bob", "stand")
    shares = group_shares(harness.state, group(harness.state, player))
    assert {share.action: (share.chose, share.decided) for share in shares}["stand"] == (1, 1)


def test_a_groups_view_does_not_depend_on_stakes() -> None:
    views = []
    for stake in (777, 8_800):
        harness = harness_of("infinite", 5)
        harness.bet_main("ann", stake)
        harness.bet_main("bob", 1_000)
        harness.wait(15_000)
        views.append(msgspec.json.encode([view_of(harness, "ann"), view_of(harness, "zoe")]))
        harness.wait_for("pause")
        views.append(msgspec.json.encode([view_of(harness, "ann"), view_of(harness, "zoe")]))
    assert views[:2] == views[2:]


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_a_side_bet_is_shown_as_soon_as_its_cards_are_dealt(table: str) -> None:
    sides = (*SIDE_BETS, "bust_it") if table == "infinite" else ("perfect_pairs", "twenty_one_plus_three")
    harness = harness_of(table, 3)
    harness.bet("ann", (0, "main", 500), *((0, side, 500) for side in sides))
    harness.wait(15_000)
    assert harness.state.phase == "decisions"
    early = {bet.bet: bet for bet in view_of(harness, "ann").boxes[0].side_bets}
    assert {bet for bet in early if early[bet].outcome is None} == {"bust_it"} & early.keys()
    assert all((bet.outcome is None) is (bet.returned_minor is None) for bet in early.values())
    assert view_of(harness, "ann").returned_minor == 0
    harness.wait_for("pause")
    late = {bet.bet: bet for bet in view_of(harness, "ann").boxes[0].side_bets}
    assert all(bet.outcome for bet in late.values())
    assert all(late[bet] == early[bet] for bet in late if bet != "bust_it")


def test_bust_it_is_shown_as_pushed_with_the_blackjack() -> None:
    harness = TableHarness(automatic=False)
    harness.join("ann")
    harness.open()
    harness.bet("ann", (0, "main", 500), (0, "bust_it", 500))
    harness.wait(15_000)
    for card in ("AH", "6D", "KS"):
        assert view_of(harness, "ann").boxes[0].side_bets[-1].outcome is None
        harness.feed(i.Dealt(card))
    assert [bet.outcome for bet in view_of(harness, "ann").boxes[0].side_bets if bet.bet == "bust_it"] == [
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
def test_the_result_of_a_round_is_one_word(table: str, shoe: str, word: str) -> None:
    order = cards(shoe)
    harness = TableHarness(table, shoes=lambda _: Shoe(order, 0, len(order)))
    harness.sit("ann", 0) if table == "seven_seat" else harness.join("ann")
    harness.open()
    harness.bet_main("ann")
    harness.wait(15_000)
    assert result(harness.state) == ""
    harness.decide("ann", "stand")
    assert harness.state.phase == "pause"
    assert result(harness.state) == word


def test_a_void_round_has_no_result() -> None:
    harness = harness_of("infinite", 3)
    harness.bet_main("ann")
    harness.wait(15_000)
    harness.feed(i.Voided("x"))
    assert (harness.state.phase, result(harness.state)) == ("pause", "")
