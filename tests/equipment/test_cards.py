"""Cards and the deck."""

import pytest

from croupier.equipment.cards import DECK, Card, card, cards


def test_a_deck_is_52_different_cards() -> None:
    assert len(DECK) == len(set(DECK)) == 52


@pytest.mark.parametrize("one", DECK, ids=str)
def test_a_card_is_parsed_from_its_text(one: Card) -> None:
    assert card(str(one)) == one


def test_half_of_the_deck_is_red() -> None:
    assert {one.suit for one in DECK if one.red} == {"D", "H"}
    assert sum(one.red for one in DECK) == 26


def test_a_line_of_cards_is_parsed() -> None:
    assert cards("AS TD  7H") == (Card("A", "S"), Card("T", "D"), Card("7", "H"))
    assert cards("") == ()


@pytest.mark.parametrize("text", ["", "A", "10D", "as", "1S", "SA", "AS ", "\N{BLACK SPADE SUIT}A"])
def test_other_text_is_not_a_card(text: str) -> None:
    with pytest.raises(ValueError, match="isn't a card: write a rank of A23456789TJQK and a suit of CDHS"):
        card(text)
