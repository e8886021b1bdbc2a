"""Baccarat dealt by a person: what he is told to do, and what becomes of a card that was misread."""

from croupier.tables.live import Timings
from croupier.tables.live import inputs as i
from tests.tables.live.house import House


def by_hand(*cards: str) -> House:
    """A coup of baccarat that a person deals, as far as these cards."""
    house = House("live_baccarat", automatic=False, timings=Timings(check_ms=3_000))
    house.join("anna")
    house.open()
    house.feed(i.Dealt("7D"))
    house.bet("anna", (0, "banker", 1_000))
    house.wait_for("dealing")
    for card in cards:
        house.feed(i.Dealt(card))
    return house


def test_the_dealer_is_told_what_to_do() -> None:
    house = House("live_baccarat", automatic=False)
    house.open()
    assert house.state.wanted.startswith(
        "the shoe's first card, turned; then burn as many cards as it counts"
    )
    house = by_hand()
    told_him = []
    for card in ("TH", "3S", "5C", "KD", "4H", "2S"):
        told_him.append(house.state.wanted)
        house.feed(i.Dealt(card))
    assert told_him == [
        "the player's first card",
        "the banker's first card",
        "the player's second card",
        "the banker's second card",
        "the player's third card",
        "the banker's third card",
    ]
    assert house.state.phase == "settlement"


def test_a_corrected_card_may_want_a_third_that_nobody_had_dealt() -> None:
    house = by_hand("TH", "6S", "7C", "KD")
    assert house.state.phase == "settlement"
    house.correct(1, "5C")
    assert (house.state.phase, house.state.wanted) == ("dealing", "the player's third card")
    house.feed(i.Dealt("6D"))
    assert house.state.wanted == "the banker's third card"
    house.feed(i.Dealt("2C"))
    house.wait(3_000)
    assert house.settled("anna").steps == ("0.0 TH", "1.0 6S", "0.0 5C", "1.0 KD", "0.0 6D", "1.0 2C")
    assert house.settled("anna").returned_minor == 1_950


def test_a_third_card_is_the_bankers_if_the_player_had_to_stand() -> None:
    house = by_hand("TH", "2S", "5C", "KD", "6D")
    assert house.state.wanted == "the banker's third card"
    house.correct(2, "7C")
    assert house.state.phase == "settlement"
    house.wait(3_000)
    assert house.settled("anna").steps[-1] == "1.0 6D"
    assert house.settled("anna").returned_minor == 1_950


def test_a_card_too_many_leaves_only_the_void() -> None:
    house = by_hand("TH", "6S", "5C", "KD", "6D")
    before = house.state
    house.correct(2, "9C")
    assert house.refused() == "no_card_wanted"
    assert house.state is before
