"""A shoe at a live table of baccarat: its first card, what is burned, its cut card, its last coup (004 3)."""

import pytest

from croupier.equipment.cards import Card, card, cards
from croupier.equipment.shoe import Shoe, UnseenCards, burn_count
from croupier.tables.live import dealer_view, outstanding
from croupier.tables.live import inputs as i
from croupier.tables.live.effects import RequestCard, RequestRound
from croupier.tables.live.notices import Notice, StepShown
from croupier.tables.live.record import replay
from croupier.tables.live.shoes import BURN_WORDS, dealt_out
from croupier.tables.live.state import FIRST_CARD
from tests.tables.live.house import House

TABLE = "live_baccarat"
NATURAL = "9S TC TH TD"
"""A coup of four cards: the player's hand has 9."""


def by_hand() -> House:
    """A person deals; all shoes have been shuffled."""
    house = House(TABLE, automatic=False)
    house.join("ann")
    house.open()
    return house


def shown(house: House) -> list[str]:
    return [event.what.step for event in house.events if isinstance(event.what, StepShown)]


def test_the_first_card_of_a_fresh_shoe_is_asked_for_before_bets_open() -> None:
    house = by_hand()
    state = house.state
    assert (state.phase, state.wanted, state.want) == ("shuffling", BURN_WORDS, FIRST_CARD)
    assert dealer_view(state).wanted == BURN_WORDS
    assert RequestCard(FIRST_CARD, BURN_WORDS, state.ask) in outstanding(state)
    effects = house.feed(i.Dealt("7H", state.ask))
    assert RequestRound() in effects
    assert house.state.phase == "betting"
    assert shown(house) == ["shoe 7H"]
    assert house.state.burned == 7
    assert house.state.unseen == UnseenCards.of(8).without(Card("7", "H"))


@pytest.mark.parametrize(("what", "ask"), [("down", 0), ("yes", 0), ("1H", 0), ("", 0), ("7H", 99)])
def test_what_is_no_card_burns_nothing(what: str, ask: int) -> None:
    house = by_hand()
    house.feed(i.Dealt(what, ask))
    assert house.refused() in ("not_wanted", "no_card_wanted")
    assert house.state.phase == "shuffling"
    assert not shown(house)


def test_a_card_scanned_twice_is_no_card_of_the_coup() -> None:
    house = by_hand()
    ask = house.state.ask
    house.feed(i.Dealt("7H", ask))
    house.feed(i.Dealt("7H", ask))
    assert house.refused() == "no_card_wanted"


def test_while_the_table_is_paused_nothing_is_burned_and_then_it_is_asked_again() -> None:
    house = by_hand()
    before = house.state.ask
    house.feed(i.Paused("a card fell"))
    house.feed(i.Dealt("7H"))
    assert house.refused() == "paused"
    assert not [effect for effect in outstanding(house.state) if isinstance(effect, RequestCard)]
    effects = house.feed(i.Resumed())
    assert RequestCard(FIRST_CARD, BURN_WORDS, before + 1) in effects
    house.feed(i.Dealt("7H", before + 1))
    assert house.state.phase == "betting"


def test_a_table_that_closes_burns_nothing() -> None:
    house = by_hand()
    house.feed(i.TableClosed())
    assert house.state.phase == "closed"
    assert house.state.want is None
    assert outstanding(house.state) == ()


def test_a_first_card_that_was_misread_is_another_as_long_as_bets_are_open() -> None:
    house = by_hand()
    house.feed(i.Dealt("7H"))
    house.bet("ann", (0, "player", 1_000))
    assert dealer_view(house.state).dealt == ("7H",)
    before = house.state
    house.correct(0, "8D")
    state = house.state
    assert (state.burned, state.unseen) == (8, UnseenCards.of(8).without(Card("8", "D")))
    assert dealer_view(state).dealt == ("8D",)
    assert house.events[-1].what == Notice("corrected", "7H 8D misread")
    assert (state.phase, state.deadline_ms, state.players) == ("betting", before.deadline_ms, before.players)
    house.feed(i.Paused("the reds look alike"))
    house.correct(0, "8H", "misread again")
    assert dealer_view(house.state).dealt == ("8H",)
    assert replay(house.first, house.lines) == house.state


@pytest.mark.parametrize(("back", "what", "code"), [(1, "8D", "no_round"), (0, "down", "not_wanted")])
def test_nothing_else_is_the_first_card(back: int, what: str, code: str) -> None:
    house = by_hand()
    house.feed(i.Dealt("7H"))
    before = house.state
    house.correct(back, what)
    assert house.refused() == code
    assert house.state is before


def test_rounds_without_a_bet_leave_the_first_card_to_be_corrected_and_a_coup_does_not() -> None:
    house = by_hand()
    house.feed(i.Dealt("7H"))
    for phase in ("warning", "betting"):
        house.wait_for(phase)
        assert dealer_view(house.state).dealt == ("7H",)
    house.bet("ann", (0, "player", 1_000))
    house.wait_for("dealing")
    assert dealer_view(house.state).dealt == ()
    house.correct(0, "8D")
    assert house.refused() == "decided_since"
    assert house.state.burned == 7


def test_of_a_table_that_has_closed_nothing_is_corrected() -> None:
    house = by_hand()
    house.feed(i.Dealt("7H"))
    house.feed(i.TableClosed())
    house.wait_for("closed")
    assert dealer_view(house.state).dealt == ()
    house.correct(0, "8D")
    assert house.refused() == "no_round"


def coup(house: House, out: int | None = None, texts: str = NATURAL) -> None:
    """Dealt by hand; the cut card comes out before the card `out`."""
    house.wait_for("betting")
    house.bet("ann", (0, "player", 1_000))
    house.wait_for("dealing")
    for number, text in enumerate(texts.split()):
        if number == out:
            house.feed(i.CutCard())
        house.feed(i.Dealt(text))
    house.wait_for("pause")


def after(house: House) -> str:
    house.wait(house.state.setup.timings.pause_ms)
    return house.state.phase


def test_one_more_coup_follows_the_one_of_the_cut_card() -> None:
    house = by_hand()
    house.feed(i.Dealt("AS"))
    coup(house)
    assert after(house) == "betting"
    coup(house, out=2)
    assert not dealt_out(house.state)
    assert after(house) == "betting"
    assert (house.state.cut_card, house.state.after_cut, dealt_out(house.state)) == (True, 1, True)
    coup(house)
    assert after(house) == "shuffling"
    assert (house.state.cut_card, house.state.after_cut) == (False, 0)
    assert replay(house.first, house.lines) == house.state


def void(house: House, dealt: int, texts: str = NATURAL, *, cut_card: bool = False) -> None:
    """A coup that the manager cancels once so many cards lie there."""
    house.wait_for("betting")
    house.bet("ann", (0, "player", 1_000))
    house.wait_for("dealing")
    if cut_card:
        house.feed(i.CutCard())
    for text in texts.split()[:dealt]:
        house.feed(i.Dealt(text))
    house.feed(i.Voided("a card fell"))
    assert house.state.phase == "pause"


def by_hand_with_one_after_the_cut() -> House:
    """The coup of the cut card has been played: one more is to be dealt."""
    house = by_hand()
    house.feed(i.Dealt("AS"))
    coup(house, out=2)
    assert after(house) == "betting"
    return house


@pytest.mark.parametrize("voids", [1, 3])
def test_a_void_coup_isnt_the_one_more(voids: int) -> None:
    house = by_hand_with_one_after_the_cut()
    for _ in range(voids):
        void(house, dealt=3)
        assert after(house) == "betting"
    coup(house)
    assert after(house) == "shuffling"


def test_one_more_follows_the_coup_of_the_cut_card_also_where_that_one_is_void() -> None:
    house = by_hand()
    house.feed(i.Dealt("AS"))
    void(house, dealt=3, cut_card=True)
    assert after(house) == "betting"
    coup(house)
    assert after(house) == "shuffling"


def deck(first: str) -> Shoe:
    """One deck: its first card, what that burns, and coups of four cards each: none draws a third."""
    low, tens = cards(" ".join(rank + suit for rank in "A2345" for suit in "CDHS")), cards(TENS)
    low = tuple(each for each in low if str(each) != first)
    high = cards(" ".join(rank + suit for rank in "89" for suit in "CDHS"))
    stand = cards(" ".join(rank + suit for rank in "67" for suit in "CDHS"))
    naturals = [(high[n], low[-2 * n - 1], tens[n], low[-2 * n - 2]) for n in range(8)]
    stands = [(stand[n], stand[n + 4], tens[8 + 2 * n], tens[9 + 2 * n]) for n in range(4)]
    coups = [each for coup in (*naturals, *stands) for each in coup]
    return Shoe((card(first), *low[: burn_count(card(first))], *coups), 0, 52 - 7)


TENS = " ".join(rank + suit for rank in "TJQK" for suit in "CDHS")


@pytest.mark.parametrize(
    ("first", "coups"),
    [
        (
            "AS",
            12,
        ),  # the cut card comes out in the 11th coup, behind which 6 cards are left: one more is dealt
        ("2S", 11),  # here 5 are left
    ],
)
def test_no_coup_begins_with_fewer_cards_than_it_may_take(first: str, coups: int) -> None:
    house = House(TABLE, shoes=lambda _: deck(first), rules={"decks": 1})
    house.join("ann", 10**9)
    house.open()
    while house._shuffled < 2:
        house.wait_for("betting")
        house.bet("ann", (0, "player", 1_000))
        house.wait_for("pause")
        house.wait(house.state.setup.timings.pause_ms)
    assert len(house.settles) == coups
    assert {len(settle.steps) for settle in house.settles} == {4}
    assert shown(house)[0] == f"shoe {first}"
    assert shown(house)[-1] == f"shoe {first}", "the next shoe's first card"


@pytest.mark.parametrize(("dealt", "phase"), [(0, "betting"), (1, "shuffling")])
def test_a_void_coup_may_leave_too_few_cards_for_the_one_more(dealt: int, phase: str) -> None:
    """Behind the coup of the cut card six are left, as many as one may take."""
    house = House(TABLE, automatic=False, rules={"decks": 1})
    house.join("ann")
    house.open()
    first, _, *rest = map(str, deck("AS").cards)
    house.feed(i.Dealt(first))
    for place in range(0, 44, 4):
        coup(house, texts=" ".join(rest[place : place + 4]), out=1 if place == 40 else None)
        assert after(house) == "betting"
    void(house, dealt, " ".join(rest[44:]))
    assert after(house) == phase
