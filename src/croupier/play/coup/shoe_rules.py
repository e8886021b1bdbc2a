"""Rules of the shoe that coups of cards are dealt from: the same fields for every game."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.play.contract.game import Dealing
from croupier.play.contract.live import ShoePolicy

CARDS_OF_A_DECK = 52


class ShoeRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of a game's rules record."""

    decks: Annotated[int, Meta(ge=1, le=20)] = 8
    """Decks of 52 cards, no jokers (004 3)."""

    shuffle: Literal["every_round", "at_cut_card"] = "every_round"
    """When the cards are shuffled."""

    shoes: Annotated[int, Meta(ge=1, le=2)] = 1
    """Shoes that take turns, one dealt while the other is shuffled."""

    cut_card_from_back: Annotated[int, Meta(ge=0, le=1000)] = 0
    """Cards behind the cut card (004 3: 7). The coup in which it comes out is finished."""

    rounds_after_cut: Annotated[int, Meta(ge=0, le=5)] = 0
    """Coups dealt after that one, while the shoe has enough cards for a whole coup."""

    burn: Literal["none", "by_first_card"] = "none"
    """Cards burned from a shoe: none, or as many as the value of its first card, which is shown."""


def shoe_policy(rules: ShoeRules, cards_max: int) -> ShoePolicy:
    """Return the shoe policy of a live table; a coup takes at most `cards_max` cards."""
    return ShoePolicy(
        decks=rules.decks,
        shoes=rules.shoes,
        every_round=rules.shuffle == "every_round",
        cut=CARDS_OF_A_DECK * rules.decks - rules.cut_card_from_back,
        rounds_after_cut=rules.rounds_after_cut,
        round_cards_max=cards_max,
        burn=rules.burn,
    )


def shoe_errors(rules: ShoeRules, dealing: Dealing, cards_max: int) -> Iterator[tuple[str, str]]:
    """Yield fields that don't go together, with what is allowed; a coup takes at most `cards_max` cards."""
    if rules.shuffle == "every_round":
        yield from _unused_fields(rules)
        return
    if dealing == "own":
        yield "shuffle", "allowed is: 'every_round', since an own table has a fresh shoe each round"
    minimum, cards = cards_max - 1, CARDS_OF_A_DECK * rules.decks
    if not minimum <= rules.cut_card_from_back < cards:
        yield "cut_card_from_back", f"allowed is: a whole number from {minimum} to {cards - 1}"


def _unused_fields(rules: ShoeRules) -> Iterator[tuple[str, str]]:
    """Yield fields that have no effect if the cards are shuffled before every round."""
    idle = {"shoes": 1, "cut_card_from_back": 0, "rounds_after_cut": 0, "burn": "none"}
    for field, allowed in idle.items():
        if getattr(rules, field) != allowed:
            yield field, f"allowed is: {allowed!r}, since the cards are shuffled every round"
