from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment.cards import DECK, Card, card, cards
from croupier.equipment.shoe import Shoe, UnseenCards, decode, encode, fresh_shoe
from croupier.refusal import Refused
from tests.equipment.seeded import SeededDraws

DECKS = st.integers(1, 8)
SEEDS = st.integers(0, 2**64 - 1)
shoes = st.builds(lambda decks, seed: fresh_shoe(decks, SeededDraws(seed)), DECKS, SEEDS)


def dealt_out(shoe: Shoe) -> list[Card]:
    dealt = []
    while shoe.remaining:
        card_, shoe = shoe.draw()
        dealt.append(card_)
    return dealt


@given(DECKS, SEEDS)
def test_a_shoe_holds_each_card_once_a_deck(decks: int, seed: int) -> None:
    shoe = fresh_shoe(decks, SeededDraws(seed))
    assert Counter(dealt_out(shoe)) == Counter(DECK * decks)


@given(shoes)
def test_cards_come_in_the_order_of_the_shoe(shoe: Shoe) -> None:
    assert tuple(dealt_out(shoe)) == shoe.cards


@given(shoes)
def test_dealing_leaves_the_shoe_as_it_was(shoe: Shoe) -> None:
    before = (shoe.cards, shoe.dealt, shoe.cut)
    first, after = shoe.draw()
    assert (shoe.cards, shoe.dealt, shoe.cut) == before
    assert (first, after.cards, after.cut) == (shoe.cards[0], shoe.cards, shoe.cut)
    assert (after.dealt, after.remaining) == (1, shoe.remaining - 1)


def test_other_draws_make_another_order_and_the_same_draws_the_same() -> None:
    assert fresh_shoe(6, SeededDraws(1)) == fresh_shoe(6, SeededDraws(1))
    assert fresh_shoe(6, SeededDraws(1)) != fresh_shoe(6, SeededDraws(2))


def test_an_empty_shoe_refuses_to_deal() -> None:
    with pytest.raises(Refused) as refused:
        Shoe(cards("AS TD"), dealt=2, cut=2).draw()
    assert (refused.value.code, refused.value.args_) == ("shoe_empty", {"dealt": 2})


@pytest.mark.parametrize(
    ("decks", "cut", "behind"),
    [(1, None, 52), (8, None, 416), (8, 208, 208), (8, 409, 409), (1, 0, 0)],
)
def test_the_cut_card_comes_out_behind_so_many_cards(decks: int, cut: int | None, behind: int) -> None:
    shoe = fresh_shoe(decks, SeededDraws(1), cut)
    dealt_before_it = 0
    while not shoe.cut_card_out:
        _, shoe = shoe.draw()
        dealt_before_it += 1
    assert dealt_before_it == behind


@pytest.mark.parametrize(("decks", "cut"), [(0, 0), (-1, -52), (8, -1), (8, 417)])
def test_there_is_no_such_shoe(decks: int, cut: int) -> None:
    with pytest.raises(ValueError, match=f"no shoe has {decks} decks with the cut card behind {cut} cards"):
        fresh_shoe(decks, SeededDraws(1), cut)


@pytest.mark.parametrize(
    ("first", "burned"), [("AS", 1), ("2H", 2), ("9C", 9), ("TD", 10), ("JS", 10), ("QH", 10), ("KC", 10)]
)
def test_as_many_cards_are_burned_as_the_first_one_counts(first: str, burned: int) -> None:
    shoe = Shoe(cards(first) + fresh_shoe(1, SeededDraws(1)).cards, dealt=0, cut=52)
    turned, after = shoe.burn()
    assert str(turned) == first
    assert after.dealt == 1 + burned


@given(shoes)
def test_the_order_is_written_in_a_byte_a_card_and_read_back(shoe: Shoe) -> None:
    order = encode(shoe.cards)
    assert len(order) == len(shoe.cards)
    assert decode(order) == shoe.cards


def test_the_bytes_of_the_order_stay_the_same_for_ever() -> None:
    """Sealed records of years ago are read with them."""
    assert encode(cards("AC KC AD KD AH KH AS KS")) == bytes([0, 12, 13, 25, 26, 38, 39, 51])
    assert decode(b"") == ()


@given(st.binary())
def test_bytes_are_cards_or_an_error(order: bytes) -> None:
    if all(byte < 52 for byte in order):
        assert encode(decode(order)) == order
    else:
        with pytest.raises(ValueError, match="is no card"):
            decode(order)


def test_the_first_byte_that_is_no_card_is_52() -> None:
    with pytest.raises(ValueError, match="byte 52 is no card: the last one is 51"):
        decode(bytes([0, 52]))


@given(DECKS, st.sampled_from(DECK))
def test_each_card_can_be_seen_once_a_deck_and_not_once_more(decks: int, seen: Card) -> None:
    unseen = UnseenCards.of(decks)
    for _ in range(decks):
        unseen = unseen.without(seen)
    with pytest.raises(Refused) as refused:
        unseen.without(seen)
    assert refused.value.code == "impossible_card"
    assert refused.value.args_ == {"card": str(seen), "decks": decks}


def test_a_ninth_ace_of_spades_of_eight_decks_is_impossible() -> None:
    unseen = UnseenCards.of(8)
    for _ in range(8):
        unseen = unseen.without(card("AS"))
    with pytest.raises(Refused, match="impossible_card: card AS, decks 8"):
        unseen.without(card("AS"))
    assert unseen.without(card("AH")).counts[DECK.index(card("AH"))] == 7


@given(shoes)
def test_a_whole_shoe_can_be_seen_and_then_nothing(shoe: Shoe) -> None:
    unseen = UnseenCards.of(len(shoe.cards) // 52)
    for seen in shoe.cards:
        unseen = unseen.without(seen)
    assert unseen.counts == (0,) * 52
