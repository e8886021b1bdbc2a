"""A decision names the turn that it answers, so it never counts for the next one."""

import pytest

from croupier.equipment.cards import cards
from croupier.equipment.shoe import Shoe
from croupier.play.contract.wants import At
from croupier.tables.live import inputs as i
from tests.tables.live.harness import FIRST_HAND, TableHarness

LOW = "2S 7H 3S TC 2D 2C 2H 3D 3C 3H 4S 4D"
"""Low hands that can be hit several times; the dealer has 17."""
TWO_SEATS = "2S 3S 7H 2D 5D TC 2C 2H 3C 3H 4S 4D"


def harness_of(table: str, text: str, **setup: object) -> TableHarness:
    harness = TableHarness(table, shoes=lambda _: Shoe(cards(text), 0, len(text.split())), **setup)  # type: ignore[arg-type]
    for seat, player in enumerate(("ann", "bob")):
        harness.sit(player, seat) if table == "seven_seat" else harness.join(player)
    harness.open()
    return harness


def decide(harness: TableHarness, player: str, action: str, turn: int, at: At = FIRST_HAND) -> str:
    """Decide for a hand; return the code of the refusal, or an empty string."""
    before = len(harness.refusals)
    harness.feed(i.Decided(player, at, action, turn=turn))
    return harness.refusals[-1].code if len(harness.refusals) > before else ""


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_a_decision_for_an_earlier_turn_is_refused(table: str) -> None:
    """So a double-clicked `hit`, sent under two ids, takes one card."""
    harness = harness_of(table, LOW)
    harness.bet_main("ann")
    harness.wait(15_000)
    turn = harness.state.turn
    assert decide(harness, "ann", "hit", turn) == ""
    assert harness.state.phase == "decisions"
    assert decide(harness, "ann", "hit", turn) == "not_your_turn"
    assert decide(harness, "ann", "hit", harness.state.turn + 1) == "not_your_turn"
    assert decide(harness, "ann", "hit", harness.state.turn) == ""


def test_a_decision_ahead_must_be_for_the_current_cards_of_the_hand() -> None:
    """It may answer a turn of another hand, but not one before the hand's last card."""
    harness = harness_of("seven_seat", TWO_SEATS)
    harness.bet_main("ann")
    harness.bet_main("bob", box=1)
    harness.wait(15_000)
    first = harness.state.turn
    assert decide(harness, "ann", "hit", first) == ""
    assert decide(harness, "bob", "hit", first, At(1)) == "", "another hand's turn doesn't invalidate it"
    assert harness.state.players["bob"].ahead
    assert decide(harness, "ann", "stand", harness.state.turn) == ""
    assert [made.action for made in harness.state.players["bob"].earlier_decisions] == ["hit"]
    assert harness.state.phase == "decisions"
    assert decide(harness, "bob", "hit", first, At(1)) == "not_your_turn"
    assert decide(harness, "bob", "hit", harness.state.turn, At(1)) == ""


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
def test_an_invalid_decision_ahead_keeps_the_earlier_one(at: At, action: str, code: str) -> None:
    harness = harness_of("seven_seat", TWO_SEATS)
    harness.bet_main("ann")
    harness.bet_main("bob", box=1)
    harness.wait(15_000)
    assert decide(harness, "bob", "stand", harness.state.turn, At(1)) == ""
    before = harness.state
    assert decide(harness, "bob", action, harness.state.turn, at) == code
    assert harness.state is before
    assert decide(harness, "ann", "stand", harness.state.turn) == ""
    assert [(made.action, made.by) for made in harness.state.players["bob"].earlier_decisions] == [
        ("stand", "ahead")
    ]


def test_a_hand_that_stands_accepts_no_more_decisions() -> None:
    harness = harness_of("seven_seat", TWO_SEATS)
    harness.bet_main("ann")
    harness.bet_main("bob", box=1)
    harness.wait(15_000)
    assert decide(harness, "ann", "stand", harness.state.turn) == ""
    for action in ("hit", "double"):
        assert decide(harness, "ann", action, harness.state.turn) == "not_your_turn"


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_a_correction_starts_a_new_turn(table: str) -> None:
    """Decisions made for the wrong card or ahead are dropped, and those still in transit are refused."""
    harness = harness_of(table, "", automatic=False)
    for shoe in range(harness.state.setup.cards.shoes):
        harness.feed(i.Shuffled(shoe))
    harness.bet_main("ann")
    if table == "seven_seat":
        harness.bet_main("bob", box=1)
    harness.wait(15_000)
    for card in TWO_SEATS.split() if table == "seven_seat" else LOW.split():
        if harness.state.phase == "decisions":
            break
        harness.feed(i.Dealt("down" if harness.state.wanted.endswith("face down") else card))
    turn = harness.state.turn
    if table == "seven_seat":
        assert decide(harness, "bob", "hit", turn, At(1)) == ""
    harness.correct(1, "9D")
    assert harness.state.phase == "decisions"
    assert decide(harness, "ann", "hit", turn) == "not_your_turn"
    if table == "seven_seat":
        assert harness.state.players["bob"].ahead == ()
        assert decide(harness, "bob", "hit", turn, At(1)) == "not_your_turn"
        assert decide(harness, "bob", "hit", harness.state.turn, At(1)) == ""
    assert decide(harness, "ann", "hit", harness.state.turn) == ""
