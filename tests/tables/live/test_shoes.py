"""Shoes of live tables: changes at the cut card; in baccarat, the burn and the last coup (004 3)."""

import pytest

from croupier.equipment.cards import Card, card, cards
from croupier.equipment.shoe import Shoe, UnseenCards, burn_count
from croupier.tables.live import dealer_view, outstanding, step
from croupier.tables.live import inputs as i
from croupier.tables.live.effects import RequestCard, RequestRound, RequestShuffle
from croupier.tables.live.notices import Notice, StepShown
from croupier.tables.live.record import replay
from croupier.tables.live.shoes import BURN_WORDS, dealt_out
from croupier.tables.live.state import FIRST_CARD
from tests.tables.live.harness import TableHarness, shallow_shoe

TABLE = "live_baccarat"
NATURAL = "9S TC TH TD"
"""A coup of four cards, with 9 in the player's hand."""


def test_two_shoes_alternate_at_the_cut_card() -> None:
    harness = TableHarness(shoes=shallow_shoe)
    harness.join("ann")
    harness.open()
    shoes = []
    for _ in range(4):
        harness.bet_main("ann")
        harness.wait(15_000)
        shoes.append(harness.state.shoe)
        assert harness.state.cut_card
        harness.wait_for("betting")
        assert harness.state.unseen == UnseenCards.of(8)
    assert shoes == [0, 1, 0, 1]


def test_a_shoe_is_dealt_to_its_cut_card() -> None:
    harness = TableHarness()
    harness.join("ann")
    harness.open()
    for _ in range(3):
        harness.bet_main("ann")
        harness.wait(15_000)
        harness.wait_for("betting")
    assert harness.state.shoe == 0
    assert harness.state.unseen != UnseenCards.of(8)


def test_a_table_with_one_shoe_waits_for_the_shuffle() -> None:
    harness = TableHarness("seven_seat", shoes=shallow_shoe)
    harness.sit("ann", 0)
    harness.open()
    harness.bet_main("ann", 1_000)
    harness.wait(15_000)
    harness.wait_for("pause")
    ends_ms = harness.state.deadline_ms
    assert ends_ms is not None
    state, effects = step(harness.state, i.Ticked(), ends_ms)
    assert state.phase == "shuffling"
    assert RequestShuffle(0) in effects
    assert state.deadline_ms is None
    assert outstanding(state) == (RequestShuffle(0),)
    state, effects = step(state, i.Shuffled(0), ends_ms + 90_000)
    assert state.phase == "opening"
    assert effects[-1] == RequestRound()
    assert outstanding(state) == (RequestRound(),)


def test_a_shoe_in_use_or_unknown_cannot_be_shuffled() -> None:
    harness = TableHarness()
    harness.open()
    for shoe in (0, 1, 2, -1):
        harness.feed(i.Shuffled(shoe))
        assert harness.refusals.pop().code == "not_wanted"


# --- baccarat: the burn


def opened() -> TableHarness:
    """Return an open table where a person deals; all shoes have been shuffled."""
    harness = TableHarness(TABLE, automatic=False)
    harness.join("ann")
    harness.open()
    return harness


def shown(harness: TableHarness) -> list[str]:
    """Return the steps that were broadcast."""
    return [event.what.step for event in harness.events if isinstance(event.what, StepShown)]


def test_the_first_card_of_a_fresh_shoe_is_requested_before_bets_open() -> None:
    harness = opened()
    state = harness.state
    assert (state.phase, state.wanted, state.want) == ("shuffling", BURN_WORDS, FIRST_CARD)
    assert dealer_view(state).wanted == BURN_WORDS
    assert RequestCard(FIRST_CARD, BURN_WORDS, state.ask) in outstanding(state)
    effects = harness.feed(i.Dealt("7H", state.ask))
    assert RequestRound() in effects
    assert harness.state.phase == "betting"
    assert shown(harness) == ["shoe 7H"]
    assert harness.state.burned == 7
    assert harness.state.unseen == UnseenCards.of(8).without(Card("7", "H"))


@pytest.mark.parametrize(("answer", "ask"), [("down", 0), ("yes", 0), ("1H", 0), ("", 0), ("7H", 99)])
def test_an_invalid_first_card_burns_nothing(answer: str, ask: int) -> None:
    harness = opened()
    harness.feed(i.Dealt(answer, ask))
    assert harness.refusal_code() in ("not_wanted", "no_card_wanted")
    assert harness.state.phase == "shuffling"
    assert not shown(harness)


def test_a_first_card_scanned_twice_is_not_dealt_to_the_coup() -> None:
    harness = opened()
    ask = harness.state.ask
    harness.feed(i.Dealt("7H", ask))
    harness.feed(i.Dealt("7H", ask))
    assert harness.refusal_code() == "no_card_wanted"


def test_a_pause_repeats_the_request_for_the_first_card() -> None:
    harness = opened()
    ask = harness.state.ask
    harness.feed(i.Paused("a card fell"))
    harness.feed(i.Dealt("7H"))
    assert harness.refusal_code() == "paused"
    assert not [effect for effect in outstanding(harness.state) if isinstance(effect, RequestCard)]
    effects = harness.feed(i.Resumed())
    assert RequestCard(FIRST_CARD, BURN_WORDS, ask + 1) in effects
    harness.feed(i.Dealt("7H", ask + 1))
    assert harness.state.phase == "betting"


def test_a_closing_table_burns_nothing() -> None:
    harness = opened()
    harness.feed(i.TableClosed())
    assert harness.state.phase == "closed"
    assert harness.state.want is None
    assert outstanding(harness.state) == ()


def test_the_first_card_can_be_corrected_while_bets_are_open() -> None:
    harness = opened()
    harness.feed(i.Dealt("7H"))
    harness.bet("ann", (0, "player", 1_000))
    assert dealer_view(harness.state).dealt == ("7H",)
    before = harness.state
    harness.correct(0, "8D")
    state = harness.state
    assert (state.burned, state.unseen) == (8, UnseenCards.of(8).without(Card("8", "D")))
    assert dealer_view(state).dealt == ("8D",)
    assert harness.events[-1].what == Notice("corrected", "7H 8D misread")
    assert (state.phase, state.deadline_ms, state.players) == ("betting", before.deadline_ms, before.players)
    harness.feed(i.Paused("the reds look alike"))
    harness.correct(0, "8H", "misread again")
    assert dealer_view(harness.state).dealt == ("8H",)
    assert replay(harness.initial_state, harness.record) == harness.state


@pytest.mark.parametrize(("back", "answer", "code"), [(1, "8D", "no_round"), (0, "down", "not_wanted")])
def test_an_invalid_correction_of_the_first_card_is_refused(back: int, answer: str, code: str) -> None:
    harness = opened()
    harness.feed(i.Dealt("7H"))
    before = harness.state
    harness.correct(back, answer)
    assert harness.refusal_code() == code
    assert harness.state is before


def test_the_first_card_can_be_corrected_until_the_first_coup() -> None:
    harness = opened()
    harness.feed(i.Dealt("7H"))
    for phase in ("warning", "betting"):
        harness.wait_for(phase)
        assert dealer_view(harness.state).dealt == ("7H",)
    harness.bet("ann", (0, "player", 1_000))
    harness.wait_for("dealing")
    assert dealer_view(harness.state).dealt == ()
    harness.correct(0, "8D")
    assert harness.refusal_code() == "decided_since"
    assert harness.state.burned == 7


def test_nothing_can_be_corrected_once_the_table_has_closed() -> None:
    harness = opened()
    harness.feed(i.Dealt("7H"))
    harness.feed(i.TableClosed())
    harness.wait_for("closed")
    assert dealer_view(harness.state).dealt == ()
    harness.correct(0, "8D")
    assert harness.refusal_code() == "no_round"


# --- baccarat: the cut card and the last coup


def play_coup(harness: TableHarness, cut_before: int | None = None, card_line: str = NATURAL) -> None:
    """Play a coup; the cut card comes out before the card `cut_before`."""
    harness.wait_for("betting")
    harness.bet("ann", (0, "player", 1_000))
    harness.wait_for("dealing")
    for number, text in enumerate(card_line.split()):
        if number == cut_before:
            harness.feed(i.CutCard())
        harness.feed(i.Dealt(text))
    harness.wait_for("pause")


def phase_after_pause(harness: TableHarness) -> str:
    harness.wait(harness.state.setup.timings.pause_ms)
    return harness.state.phase


def test_one_coup_follows_the_one_with_the_cut_card() -> None:
    harness = opened()
    harness.feed(i.Dealt("AS"))
    play_coup(harness)
    assert phase_after_pause(harness) == "betting"
    play_coup(harness, cut_before=2)
    assert not dealt_out(harness.state)
    assert phase_after_pause(harness) == "betting"
    assert (harness.state.cut_card, harness.state.after_cut, dealt_out(harness.state)) == (True, 1, True)
    play_coup(harness)
    assert phase_after_pause(harness) == "shuffling"
    assert (harness.state.cut_card, harness.state.after_cut) == (False, 0)
    assert replay(harness.initial_state, harness.record) == harness.state


def void_coup(harness: TableHarness, dealt: int, card_line: str = NATURAL, *, cut_card: bool = False) -> None:
    """Play a coup that the manager voids once `dealt` cards are dealt."""
    harness.wait_for("betting")
    harness.bet("ann", (0, "player", 1_000))
    harness.wait_for("dealing")
    if cut_card:
        harness.feed(i.CutCard())
    for text in card_line.split()[:dealt]:
        harness.feed(i.Dealt(text))
    harness.feed(i.Voided("a card fell"))
    assert harness.state.phase == "pause"


def opened_before_last_coup() -> TableHarness:
    """Return a table where the coup with the cut card has been played and one more is due."""
    harness = opened()
    harness.feed(i.Dealt("AS"))
    play_coup(harness, cut_before=2)
    assert phase_after_pause(harness) == "betting"
    return harness


@pytest.mark.parametrize("voids", [1, 3])
def test_a_void_coup_does_not_count_as_the_last_one(voids: int) -> None:
    harness = opened_before_last_coup()
    for _ in range(voids):
        void_coup(harness, dealt=3)
        assert phase_after_pause(harness) == "betting"
    play_coup(harness)
    assert phase_after_pause(harness) == "shuffling"


def test_one_coup_follows_a_void_one_with_the_cut_card() -> None:
    harness = opened()
    harness.feed(i.Dealt("AS"))
    void_coup(harness, dealt=3, cut_card=True)
    assert phase_after_pause(harness) == "betting"
    play_coup(harness)
    assert phase_after_pause(harness) == "shuffling"


def deck(first: str) -> Shoe:
    """Return one deck: a first card, the cards it burns, and coups of four cards without third cards."""
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
        # The cut card comes out in the 11th coup. The 6 cards left after it are enough for another coup.
        ("AS", 12),
        # Here 5 cards are left.
        ("2S", 11),
    ],
)
def test_no_coup_begins_with_fewer_cards_than_it_can_take(first: str, coups: int) -> None:
    harness = TableHarness(TABLE, shoes=lambda _: deck(first), rules={"decks": 1})
    harness.join("ann", 10**9)
    harness.open()
    while harness.shuffles < 2:
        harness.wait_for("betting")
        harness.bet("ann", (0, "player", 1_000))
        harness.wait_for("pause")
        harness.wait(harness.state.setup.timings.pause_ms)
    assert len(harness.settlements) == coups
    assert {len(settle.steps) for settle in harness.settlements} == {4}
    assert shown(harness)[0] == f"shoe {first}"
    assert shown(harness)[-1] == f"shoe {first}", "the next shoe's first card"


@pytest.mark.parametrize(("dealt", "phase"), [(0, "betting"), (1, "shuffling")])
def test_a_void_coup_can_leave_too_few_cards_for_the_last_one(dealt: int, phase: str) -> None:
    """Six cards are left after the coup with the cut card, the most that a coup takes."""
    harness = TableHarness(TABLE, automatic=False, rules={"decks": 1})
    harness.join("ann")
    harness.open()
    first, _, *rest = map(str, deck("AS").cards)
    harness.feed(i.Dealt(first))
    for start in range(0, 44, 4):
        play_coup(harness, card_line=" ".join(rest[start : start + 4]), cut_before=1 if start == 40 else None)
        assert phase_after_pause(harness) == "betting"
    void_coup(harness, dealt, " ".join(rest[44:]))
    assert phase_after_pause(harness) == phase
