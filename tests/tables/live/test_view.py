"""Confidentiality of views: no view depends on anything that its viewer must not know."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment.cards import card, cards
from croupier.equipment.shoe import Shoe
from croupier.play.contract.wants import At
from croupier.tables.live import TableProfile, dealer_view, group, shared_view
from croupier.tables.live.phases import BETTING_PHASES
from croupier.tables.live.statistics import group_shares
from tests.tables.live.harness import TableHarness, seeded_shoe
from tests.tables.live.random_players import open_decisions

Viewer = Callable[[TableHarness], bytes]
TABLES = ("infinite", "seven_seat")
BOX = {"infinite": {"ann": 0, "bob": 0}, "seven_seat": {"ann": 2, "bob": 5}}


def seeded(seed: int) -> Callable[[int], Shoe]:
    return lambda number: seeded_shoe(seed + number)


def always(shoe: Shoe) -> Callable[[int], Shoe]:
    return lambda _number: shoe


def opened(table: str, shoes: Callable[[int], Shoe], **setup: Any) -> TableHarness:
    harness = TableHarness(table, shoes=shoes, **setup)
    for player, box in BOX[table].items():
        harness.join(player)
        if table == "seven_seat":
            harness.sit(player, box)
    harness.open()
    return harness


def as_ann(harness: TableHarness) -> bytes:
    """Encode everything that ann is sent: her group's view, her own record, events and notices."""
    state, notices = harness.state, [notice.what for notice in harness.notices if notice.player == "ann"]
    view = shared_view(state, group(state, "ann")), group_shares(state, group(state, "ann"))
    return msgspec.json.encode((view, state.players.get("ann"), len(state.players), harness.events, notices))


def as_dealer(harness: TableHarness) -> bytes:
    return msgspec.json.encode((dealer_view(harness.state), harness.events))


def views_of_round(
    table: str, seed: int, stake_minor: int, viewer: Viewer, *, only_open: bool = False
) -> list[bytes]:
    """Play a round in which bob bets `stake_minor`; return the view after each input.

    All other bets and decisions depend on the seed only. With `only_open`, views after the close are omitted.
    """
    harness, draw, views = opened(table, seeded(seed)), Random(seed), list[bytes]()

    def look() -> None:
        if not only_open or (harness.state.phase in BETTING_PHASES and harness.rounds == 1):
            views.append(viewer(harness))

    harness.bet_main("ann", 1_000, BOX[table]["ann"])
    look()
    harness.bet_main("bob", stake_minor, BOX[table]["bob"])
    look()
    harness.wait(15_000)
    while harness.state.phase in ("offer", "decisions"):
        look()
        for player in ("ann", "bob"):
            for want in open_decisions(harness, player):
                actions = [option.action for option in want.options]
                harness.decide(player, draw.choice(actions), want.to)
                look()
    harness.wait_for("betting")
    look()
    return views


@given(seed=st.integers(0, 2**32), stake=st.integers(100, 100_000))
def test_at_a_shared_deal_no_player_sees_anothers_stake(seed: int, stake: int) -> None:
    assert views_of_round("infinite", seed, 5_000, as_ann) == views_of_round("infinite", seed, stake, as_ann)


@pytest.mark.parametrize("table", TABLES)
@given(seed=st.integers(0, 2**32), stake=st.integers(500, 50_000))
def test_nobody_sees_anothers_bet_before_the_close(table: str, seed: int, stake: int) -> None:
    for viewer in (as_ann, as_dealer):
        one = views_of_round(table, seed, 5_000, viewer, only_open=True)
        assert one == views_of_round(table, seed, stake, viewer, only_open=True)


def test_stakes_at_seats_are_visible_after_the_close() -> None:
    """This shows that the test above can fail."""
    one, other = (views_of_round("seven_seat", 1, stake, as_ann) for stake in (5_000, 6_000))
    assert one != other


@given(seed=st.integers(0, 2**32))
def test_the_dealer_does_not_see_whether_there_is_a_bet(seed: int) -> None:
    with_bet, without = opened("infinite", seeded(seed)), opened("infinite", seeded(seed))
    with_bet.bet_main("ann")
    assert as_dealer(with_bet) == as_dealer(without)


def with_card(shoe: Shoe, position: int, other: str) -> Shoe:
    """Return the shoe with another card in that position."""
    cards = list(shoe.cards)
    cards[position] = card(other)
    return Shoe(tuple(cards), shoe.dealt, shoe.cut)


@pytest.mark.parametrize("table", TABLES)
def test_nobody_sees_the_hole_card_before_it_is_turned(table: str) -> None:
    """Compare two rounds that differ in the hole card only, up to the first decision.

    Both hole cards give the same answer to a peek.
    """
    seen = []
    for hole_card in ("2C", "9S"):
        shoe = with_card(seeded_shoe(7), {"infinite": 3, "seven_seat": 5}[table], hole_card)
        harness = opened(table, always(shoe))
        for player, box in BOX[table].items():
            harness.bet_main(player, 1_000, box)
        harness.wait(15_000)
        assert harness.state.phase == "decisions"
        seen.append((as_ann(harness), as_dealer(harness), repr(harness.state), harness.record))
    assert seen[0] == seen[1]


def test_statistics_are_shown_only_if_the_jurisdiction_allows_them() -> None:
    for allowed in (True, False):
        harness = opened("infinite", seeded(3), profile=TableProfile(statistics=allowed))
        harness.bet_main("ann")
        harness.bet_main("bob")
        harness.wait(15_000)
        harness.decide("bob", "stand", At(0))
        shares = group_shares(harness.state, group(harness.state, "ann"))
        assert bool(shares) is allowed
        if allowed:
            assert {(share.action, share.chose, share.decided) for share in shares} >= {
                ("stand", 1, 1),
                ("hit", 0, 1),
            }


def test_a_watcher_sees_the_table_but_no_stake() -> None:
    harness = opened("infinite", seeded(3))
    harness.bet_main("ann", 77_700)
    harness.wait(15_000)
    view = shared_view(harness.state, group(harness.state, "zoe"))
    assert view is not None
    assert b"777" not in msgspec.json.encode(view)


def test_at_a_table_of_seats_a_decided_turn_is_no_longer_offered() -> None:
    """Insurance is offered to all seats at once, and each answer is broadcast as `decided`."""
    text = "TH 5S AD 6S 4S 9C TC 9H 8C"
    harness = TableHarness("seven_seat", shoes=lambda _: Shoe(cards(text), 0, len(text.split())))
    for seat, player in enumerate(("ann", "bob")):
        harness.sit(player, seat)
    harness.open()
    harness.bet_main("ann")
    harness.bet_main("bob", box=1)
    harness.wait(15_000)
    assert harness.state.phase == "offer"
    harness.decide("bob", "insure", At(1))
    view: Any = shared_view(harness.state, ())
    assert [turn.box for turn in view.turns] == [0]
    assert [box.insurance and box.insurance.stake_minor for box in view.boxes] == [None, 500]
    assert view.staked_minor == harness.held["ann"] + harness.held["bob"] == 2_500
