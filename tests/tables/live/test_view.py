"""What each may see: nothing of a view changes with what its viewer may not know."""

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
from tests.tables.live.house import House, seeded_shoe
from tests.tables.live.people import waits_of

Look = Callable[[House], bytes]
TABLES = ("infinite", "seven_seat")
BOX = {"infinite": {"ann": 0, "bob": 0}, "seven_seat": {"ann": 2, "bob": 5}}


def seeded(seed: int) -> Callable[[int], Shoe]:
    return lambda number: seeded_shoe(seed + number)


def always(shoe: Shoe) -> Callable[[int], Shoe]:
    return lambda _number: shoe


def opened(table: str, shoes: Callable[[int], Shoe], **setup: Any) -> House:
    house = House(table, shoes=shoes, **setup)
    for player, box in BOX[table].items():
        house.join(player)
        if table == "seven_seat":
            house.sit(player, box)
    house.open()
    return house


def as_ann(house: House) -> bytes:
    """All that ann is ever sent: what her group sees, her own record, and everything she has been told."""
    state, mine = house.state, [told.what for told in house.private if told.player == "ann"]
    seen = shared_view(state, group(state, "ann")), group_shares(state, group(state, "ann"))
    return msgspec.json.encode((seen, state.players.get("ann"), len(state.players), house.events, mine))


def as_dealer(house: House) -> bytes:
    return msgspec.json.encode((dealer_view(house.state), house.events))


def evening(table: str, seed: int, stake_minor: int, look: Look, *, only_open: bool = False) -> list[bytes]:
    """What `look` saw after every input of a round in which bob bets so much, and everybody decides alike."""
    house, draw, seen = opened(table, seeded(seed)), Random(seed), list[bytes]()

    def saw() -> None:
        if not only_open or (house.state.phase in BETTING_PHASES and house.rounds == 1):
            seen.append(look(house))

    house.main("ann", 1_000, BOX[table]["ann"])
    saw()
    house.main("bob", stake_minor, BOX[table]["bob"])
    saw()
    house.wait(15_000)
    while house.state.phase in ("offer", "decisions"):
        saw()
        for player in ("ann", "bob"):
            for want in waits_of(house, player):
                actions = [option.action for option in want.options]
                house.decide(player, draw.choice(actions), want.to)
                saw()
    house.wait_for("betting")
    saw()
    return seen


@given(seed=st.integers(0, 2**32), stake=st.integers(100, 100_000))
def test_where_all_share_a_deal_nobody_sees_anothers_stake(seed: int, stake: int) -> None:
    assert evening("infinite", seed, 5_000, as_ann) == evening("infinite", seed, stake, as_ann)


@pytest.mark.parametrize("table", TABLES)
@given(seed=st.integers(0, 2**32), stake=st.integers(500, 50_000))
def test_nobody_sees_anothers_bet_before_the_close(table: str, seed: int, stake: int) -> None:
    for look in (as_ann, as_dealer):
        one = evening(table, seed, 5_000, look, only_open=True)
        assert one == evening(table, seed, stake, look, only_open=True)


def test_the_differences_are_seen_where_they_may_be() -> None:
    """The test above can fail: after the close, seats lie open."""
    one, other = (evening("seven_seat", 1, stake, as_ann) for stake in (5_000, 6_000))
    assert one != other


@given(seed=st.integers(0, 2**32))
def test_who_deals_doesnt_see_whether_there_is_a_bet(seed: int) -> None:
    with_bet, without = opened("infinite", seeded(seed)), opened("infinite", seeded(seed))
    with_bet.main("ann")
    assert as_dealer(with_bet) == as_dealer(without)


def swapped(shoe: Shoe, place: int, other: str) -> Shoe:
    """The shoe with another card in that place, both of equal worth to the peek."""
    cards = list(shoe.cards)
    cards[place] = card(other)
    return Shoe(tuple(cards), shoe.dealt, shoe.cut)


@pytest.mark.parametrize("table", TABLES)
def test_nobody_sees_the_face_down_card_before_it_is_turned(table: str) -> None:
    """Two evenings that differ in the card that lies face down, until the first decision is made."""
    seen = []
    for hidden in ("2C", "9S"):
        shoe = swapped(seeded_shoe(7), {"infinite": 3, "seven_seat": 5}[table], hidden)
        house = opened(table, always(shoe))
        for player, box in BOX[table].items():
            house.main(player, 1_000, box)
        house.wait(15_000)
        assert house.state.phase == "decisions"
        seen.append((as_ann(house), as_dealer(house), repr(house.state), house.lines))
    assert seen[0] == seen[1]


def test_statistics_only_where_the_jurisdiction_allows_them() -> None:
    for allowed in (True, False):
        house = opened("infinite", seeded(3), profile=TableProfile(statistics=allowed))
        house.main("ann")
        house.main("bob")
        house.wait(15_000)
        house.decide("bob", "stand", At(0))
        shares = group_shares(house.state, group(house.state, "ann"))
        assert bool(shares) is allowed
        if allowed:
            assert {(share.action, share.chose, share.decided) for share in shares} >= {
                ("stand", 1, 1),
                ("hit", 0, 1),
            }


def test_a_watcher_sees_the_table_and_no_bet() -> None:
    house = opened("infinite", seeded(3))
    house.main("ann", 77_700)
    house.wait(15_000)
    watched = shared_view(house.state, group(house.state, "zoe"))
    assert watched is not None
    assert b"777" not in msgspec.json.encode(watched)


def test_what_is_decided_is_offered_no_more_at_a_table_of_seats() -> None:
    """Insurance is asked of all seats at once, and everybody hears each answer (it says `decided`)."""
    text = "TH 5S AD 6S 4S 9C TC 9H 8C"
    house = House("seven_seat", shoes=lambda _: Shoe(cards(text), 0, len(text.split())))
    for seat, player in enumerate(("ann", "bob")):
        house.sit(player, seat)
    house.open()
    house.main("ann")
    house.main("bob", box=1)
    house.wait(15_000)
    assert house.state.phase == "offer"
    house.decide("bob", "insure", At(1))
    view: Any = shared_view(house.state, ())
    assert [turn.box for turn in view.turns] == [0]
    assert [box.insurance and box.insurance.stake_minor for box in view.boxes] == [None, 500]
    assert view.staked_minor == house.held["ann"] + house.held["bob"] == 2_500
