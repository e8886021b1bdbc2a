"""A decision names the turn that it answers: what was meant for one question never answers the next."""

import pytest

from croupier.equipment.cards import cards
from croupier.equipment.shoe import Shoe
from croupier.play.contract.wants import At
from croupier.tables.live import inputs as i
from tests.tables.live.house import FIRST, House

LOW = "2S 7H 3S TC 2D 2C 2H 3D 3C 3H 4S 4D"
"""Two low hands that may be hit again and again; the dealer has 17."""
TWO_SEATS = "2S 3S 7H 2D 5D TC 2C 2H 3C 3H 4S 4D"


def house_of(table: str, text: str, **setup: object) -> House:
    house = House(table, shoes=lambda _: Shoe(cards(text), 0, len(text.split())), **setup)  # type: ignore[arg-type]
    for seat, player in enumerate(("ann", "bob")):
        house.sit(player, seat) if table == "seven_seat" else house.join(player)
    house.open()
    return house


def decided(house: House, player: str, action: str, turn: int, at: At = FIRST) -> str:
    """The code of the refusal; empty: it counts."""
    before = len(house.refusals)
    house.feed(i.Decided(player, at, action, turn=turn))
    return house.refusals[-1].code if len(house.refusals) > before else ""


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_a_decision_meant_for_the_last_cards_is_not_your_turn(table: str) -> None:
    """So a double-clicked `hit` under two ids takes one card."""
    house = house_of(table, LOW)
    house.main("ann")
    house.wait(15_000)
    turn = house.state.turn
    assert decided(house, "ann", "hit", turn) == ""
    assert house.state.phase == "decisions"
    assert decided(house, "ann", "hit", turn) == "not_your_turn"
    assert decided(house, "ann", "hit", house.state.turn + 1) == "not_your_turn"
    assert decided(house, "ann", "hit", house.state.turn) == ""


def test_a_decision_ahead_must_be_of_the_hand_as_it_is() -> None:
    """It may have been sent while somebody else's window was open, but not before the hand's last card."""
    house = house_of("seven_seat", TWO_SEATS)
    house.main("ann")
    house.main("bob", box=1)
    house.wait(15_000)
    first = house.state.turn
    assert decided(house, "ann", "hit", first) == ""
    assert decided(house, "bob", "hit", first, At(1)) == "", "a window of another hand changes nothing"
    assert house.state.players["bob"].ahead
    assert decided(house, "ann", "stand", house.state.turn) == ""
    assert [made.action for made in house.state.players["bob"].earlier_decisions] == ["hit"]
    assert house.state.phase == "decisions"
    assert decided(house, "bob", "hit", first, At(1)) == "not_your_turn"
    assert decided(house, "bob", "hit", house.state.turn, At(1)) == ""


@pytest.mark.parametrize(
    ("at", "action", "code"),
    [
        (At(5), "hit", "not_your_turn"),
        (At(1, 5), "hit", "not_your_turn"),
        (At(0), "hit", "not_your_turn"),
        (At(1), "insure", "not_offered"),
        (At(1), "split", "not_offered"),
        (At(1), "surrender", "not_offered"),
    ],
)
def test_an_impossible_decision_ahead_replaces_no_good_one(at: At, action: str, code: str) -> None:
    house = house_of("seven_seat", TWO_SEATS)
    house.main("ann")
    house.main("bob", box=1)
    house.wait(15_000)
    assert decided(house, "bob", "stand", house.state.turn, At(1)) == ""
    before = house.state
    assert decided(house, "bob", action, house.state.turn, at) == code
    assert house.state is before
    assert decided(house, "ann", "stand", house.state.turn) == ""
    assert [(made.action, made.by) for made in house.state.players["bob"].earlier_decisions] == [
        ("stand", "ahead")
    ]


def test_a_hand_that_stands_decides_nothing_more() -> None:
    house = house_of("seven_seat", TWO_SEATS)
    house.main("ann")
    house.main("bob", box=1)
    house.wait(15_000)
    assert decided(house, "ann", "stand", house.state.turn) == ""
    for action in ("hit", "double"):
        assert decided(house, "ann", action, house.state.turn) == "not_your_turn"


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_a_corrected_card_asks_anew(table: str) -> None:
    """What was decided on the wrong card, or ahead, is forgotten, and what is still on its way is refused."""
    house = house_of(table, "", automatic=False)
    for shoe in range(house.state.setup.cards.shoes):
        house.feed(i.Shuffled(shoe))
    house.main("ann")
    if table == "seven_seat":
        house.main("bob", box=1)
    house.wait(15_000)
    for what in TWO_SEATS.split() if table == "seven_seat" else LOW.split():
        if house.state.phase == "decisions":
            break
        house.feed(i.Dealt("down" if house.state.wanted.endswith("face down") else what))
    turn = house.state.turn
    if table == "seven_seat":
        assert decided(house, "bob", "hit", turn, At(1)) == ""
    house.correct(1, "9D")
    assert house.state.phase == "decisions"
    assert decided(house, "ann", "hit", turn) == "not_your_turn"
    if table == "seven_seat":
        assert house.state.players["bob"].ahead == ()
        assert decided(house, "bob", "hit", turn, At(1)) == "not_your_turn"
        assert decided(house, "bob", "hit", house.state.turn, At(1)) == ""
    assert decided(house, "ann", "hit", house.state.turn) == ""
