"""Dealing by a person: requests, repeated answers, corrections."""

import pytest

from croupier.tables.live import Timings, dealer_view
from croupier.tables.live import inputs as i
from tests.tables.live.harness import TableHarness


@pytest.mark.parametrize("ask", [0, 1, 2])
def test_a_card_entered_as_bets_close_is_refused(ask: int) -> None:
    """No card has been requested yet: the stakes are committed before the first request is sent."""
    harness = TableHarness(automatic=False)
    harness.join("ann")
    harness.open()
    harness.bet_main("ann")
    harness.wait_for("warning")
    ask_before = harness.state.ask
    assert harness.state.deadline_ms
    harness.now_ms = harness.state.deadline_ms
    harness.feed(i.Dealt("TH", ask and ask_before + ask))
    assert harness.refusals.pop().code == "no_card_wanted"
    assert dealer_view(harness.state).wanted == "the player's first card"
    harness.feed(i.Dealt("TH", harness.state.ask))
    assert dealer_view(harness.state).wanted == "the dealer's first card"


def test_a_card_sent_twice_does_not_answer_the_next_request() -> None:
    harness = TableHarness(automatic=False)
    harness.join("ann")
    harness.open()
    harness.bet_main("ann")
    harness.wait(15_000)
    ask = dealer_view(harness.state).ask
    harness.feed(i.Dealt("TH", ask))
    harness.feed(i.Dealt("TH", ask))
    assert harness.refusals.pop().code == "no_card_wanted"
    assert dealer_view(harness.state).wanted == "the dealer's first card"
    ask_before = dealer_view(harness.state).ask
    harness.feed(i.Paused("x"))
    harness.feed(i.Resumed())
    harness.feed(i.Dealt("6D", ask_before))
    assert harness.refusals.pop().code == "no_card_wanted"
    harness.feed(i.Dealt("6D", dealer_view(harness.state).ask))
    assert dealer_view(harness.state).wanted == "the player's second card"


def test_the_last_card_can_be_corrected_before_the_settlement() -> None:
    harness = TableHarness(automatic=False, timings=Timings(check_ms=3_000))
    harness.join("ann")
    harness.open()
    harness.bet_main("ann")
    harness.wait(15_000)
    for card in ("TH", "6D", "9S", "down"):
        harness.feed(i.Dealt(card))
    harness.decide("ann", "stand")
    for card in ("TC", "KD"):
        harness.feed(i.Dealt(card))
    assert harness.state.phase == "settlement"
    assert not harness.settlements
    harness.correct(0, "5D", "it was a five")
    harness.wait(2_999)
    assert not harness.settlements
    harness.wait(1)
    assert harness.settlement("ann").returned_minor == 0


# --- baccarat


def baccarat_dealt(*cards: str) -> TableHarness:
    """Return a table of baccarat where a person has dealt these cards of a coup."""
    harness = TableHarness("live_baccarat", automatic=False, timings=Timings(check_ms=3_000))
    harness.join("anna")
    harness.open()
    harness.feed(i.Dealt("7D"))
    harness.bet("anna", (0, "banker", 1_000))
    harness.wait_for("dealing")
    for card in cards:
        harness.feed(i.Dealt(card))
    return harness


def test_the_dealer_is_asked_for_each_card_in_words() -> None:
    harness = TableHarness("live_baccarat", automatic=False)
    harness.open()
    assert harness.state.wanted.startswith(
        "the shoe's first card, turned; then burn as many cards as it counts"
    )
    harness = baccarat_dealt()
    requests = []
    for card in ("TH", "3S", "5C", "KD", "4H", "2S"):
        requests.append(harness.state.wanted)
        harness.feed(i.Dealt(card))
    assert requests == [
        "the player's first card",
        "the banker's first card",
        "the player's second card",
        "the banker's second card",
        "the player's third card",
        "the banker's third card",
    ]
    assert harness.state.phase == "settlement"


def test_a_corrected_card_can_require_a_third_card() -> None:
    harness = baccarat_dealt("TH", "6S", "7C", "KD")
    assert harness.state.phase == "settlement"
    harness.correct(1, "5C")
    assert (harness.state.phase, harness.state.wanted) == ("dealing", "the player's third card")
    harness.feed(i.Dealt("6D"))
    assert harness.state.wanted == "the banker's third card"
    harness.feed(i.Dealt("2C"))
    harness.wait(3_000)
    assert harness.settlement("anna").steps == ("0.0 TH", "1.0 6S", "0.0 5C", "1.0 KD", "0.0 6D", "1.0 2C")
    assert harness.settlement("anna").returned_minor == 1_950


def test_after_a_correction_the_players_third_card_can_become_the_bankers() -> None:
    harness = baccarat_dealt("TH", "2S", "5C", "KD", "6D")
    assert harness.state.wanted == "the banker's third card"
    harness.correct(2, "7C")
    assert harness.state.phase == "settlement"
    harness.wait(3_000)
    assert harness.settlement("anna").steps[-1] == "1.0 6D"
    assert harness.settlement("anna").returned_minor == 1_950


def test_a_correction_that_leaves_a_card_too_many_is_refused() -> None:
    """The manager can only void the round."""
    harness = baccarat_dealt("TH", "6S", "5C", "KD", "6D")
    before = harness.state
    harness.correct(2, "9C")
    assert harness.refusal_code() == "no_card_wanted"
    assert harness.state is before
