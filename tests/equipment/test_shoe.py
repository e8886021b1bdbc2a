"""Shoes: order, cut card, burn, encoding, and the cards not seen yet."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment.cards import DECK, Card, card, cards
from croupier.equipment.shoe import Shoe, UnseenCards, decode, encode, fresh_shoe
from croupier.refusal import Refused
from tests.equipment.random_sources import SeededRandomSource

DECKS = st.integers(1, 8)
SEEDS = st.integers(0, 2**64 - 1)
SHOES = st.builds(lambda decks, seed: fresh_shoe(decks, SeededRandomSource(seed)), DECKS, SEEDS)


def dealt_out(shoe: Shoe) -> list[Card]:
    dealt = []
    while shoe.remaining:
        card_, shoe = shoe.draw()
        dealt.append(card_)
    return dealt


@given(DECKS, SEEDS)
def test_a_shoe_has_each_card_once_for_each_deck(decks: int, seed: int) -> None:
    shoe = fresh_shoe(decks, SeededRandomSource(seed))
    assert Counter(dealt_out(shoe)) == Counter(DECK * decks)


@given(SHOES)
def test_cards_are_dealt_in_the_order_of_the_shoe(shoe: Shoe) -> None:
    assert tuple(dealt_out(shoe)) == shoe.cards


@given(SHOES)
def test_a_draw_does_not_change_the_shoe(shoe: Shoe) -> None:
    before = (shoe.cards, shoe.dealt, shoe.cut)
    first, after = shoe.draw()
    assert (shoe.cards, shoe.dealt, shoe.cut) == before
    assert (first, after.cards, after.cut) == (shoe.cards[0], shoe.cards, shoe.cut)
    assert (after.dealt, after.remaining) == (1, shoe.remaining - 1)


def test_equal_seeds_give_equal_orders_and_others_differ() -> None:
    assert fresh_shoe(6, SeededRandomSource(1)) == fresh_shoe(6, SeededRandomSource(1))
    assert fresh_shoe(6, SeededRandomSource(1)) != fresh_shoe(6, SeededRandomSource(2))


def test_a_draw_from_an_empty_shoe_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        Shoe(cards("AS TD"), dealt=2, cut=2).draw()
    assert (refused.value.code, refused.value.args_) == ("shoe_empty", {"dealt": 2})


@pytest.mark.parametrize(
    ("decks", "cut", "dealt"),
    [(1, None, 52), (8, None, 416), (8, 208, 208), (8, 409, 409), (1, 0, 0)],
)
def test_the_cut_card_comes_out_after_its_number_of_cards(decks: int, cut: int | None, dealt: int) -> None:
    shoe = fresh_shoe(decks, SeededRandomSource(1), cut)
    drawn = 0
    while not shoe.cut_card_out:
        _, shoe = shoe.draw()
        drawn += 1
    assert drawn == dealt


@pytest.mark.parametrize(("decks", "cut"), [(0, 0), (-1, -52), (8, -1), (8, 417)])
def test_an_impossible_shoe_is_an_error(decks: int, cut: int) -> None:
    with pytest.raises(ValueError, match=f"no shoe has {decks} decks with the cut card behind {cut} cards"):
        fresh_shoe(decks, SeededRandomSource(1), cut)


@pytest.mark.parametrize(
    ("first", "burned"), [("AS", 1), ("2H", 2), ("9C", 9), ("TD", 10), ("JS", 10), ("QH", 10), ("KC", 10)]
)
def test_the_first_card_sets_the_number_of_burned_cards(first: str, burned: int) -> None:
    shoe = Shoe(cards(first) + fresh_shoe(1, SeededRandomSource(1)).cards, dealt=0, cut=52)
    turned, after = shoe.burn()
    assert str(turned) == first
    assert after.dealt == 1 + burned


@given(SHOES)
def test_the_order_is_encoded_in_one_byte_per_card(shoe: Shoe) -> None:
    order = encode(shoe.cards)
    assert len(order) == len(shoe.cards)
    assert decode(order) == shoe.cards


def test_the_encoding_never_changes() -> None:
    """Sealed records of earlier years are decoded with it."""
    assert encode(cards("AC KC AD KD AH KH AS KS")) == bytes([0, 12, 13, 25, 26, 38, 39, 51])
    assert decode(b"") == ()


@given(st.binary())
def test_any_bytes_decode_to_cards_or_are_an_error(order: bytes) -> None:
    if all(byte < 52 for byte in order):
        assert encode(decode(order)) == order
    else:
        with pytest.raises(ValueError, match="isn't a card"):
            decode(order)


def test_byte_52_is_not_a_card() -> None:
    with pytest.raises(ValueError, match="byte 52 isn't a card: the last one is 51"):
        decode(bytes([0, 52]))


@given(DECKS, st.sampled_from(DECK))
def test_each_card_can_be_seen_once_for_each_deck(decks: int, seen: Card) -> None:
    unseen = UnseenCards.of(decks)
    for _ in range(decks):
        unseen = unseen.without(seen)
    with pytest.raises(Refused) as refused:
        unseen.without(seen)
    assert refused.value.code == "impossible_card"
    assert refused.value.args_ == {"card": str(seen), "decks": decks}


def test_a_ninth_ace_of_spades_in_eight_decks_is_impossible() -> None:
    unseen = UnseenCards.of(8)
    for _ in range(8):
        unseen = unseen.without(card("AS"))
    with pytest.raises(Refused, match="impossible_card: card AS, decks 8"):
        unseen.without(card("AS"))
    assert unseen.without(card("AH")).counts[DECK.index(card("AH"))] == 7


@given(SHOES)
def test_after_a_whole_shoe_no_card_is_unseen(shoe: Shoe) -> None:
    unseen = UnseenCards.of(len(shoe.cards) // 52)
    for seen in shoe.cards:
        unseen = unseen.without(seen)
    assert unseen.counts == (0,) * 52
