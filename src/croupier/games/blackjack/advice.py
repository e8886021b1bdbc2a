"""Advice for blackjack: the value of each option, and the kinds of decisions."""

from croupier.equipment.cards import Card
from croupier.games.blackjack.hands import is_soft
from croupier.games.blackjack.option_values import OFFERS, option_values
from croupier.games.blackjack.round import Round
from croupier.play.contract.advice import GameAdvice
from croupier.play.contract.wants import Decision

KINDS = {
    "hard": "Hard hands",
    "soft": "Soft hands",
    "pair": "Pairs",
    "offer": "Insurance and even money",
}


def kind(round_: Round, decision: Decision) -> str:
    """Return `offer`, `pair` if the hand may be split, else `soft` or `hard`."""
    if any(option.action in OFFERS for option in decision.options):
        return "offer"
    if decision.option("split"):
        return "pair"
    return "soft" if is_soft(round_.box(decision.to.box).hands[decision.to.hand].cards) else "hard"


def hand(round_: Round, decision: Decision) -> str:
    cards = round_.box(decision.to.box).hands[decision.to.hand].cards
    return f"{_ranks(cards)} against {_ranks(round_.dealer)}"


def _ranks(cards: tuple[Card, ...]) -> str:
    return "-".join("10" if card.rank == "T" else card.rank for card in cards)


ADVICE = GameAdvice(option_values, kind, KINDS, hand)
