"""Support for live tables: seats, situations, and prompts for the dealer."""

from collections.abc import Hashable
from dataclasses import replace

from croupier.equipment.cards import DECK
from croupier.games.blackjack.default_choice import default_choice, default_choice_notes, uncovered_notes
from croupier.games.blackjack.hands import blackjack_ranks, is_bust, is_natural, total
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.shared import share
from croupier.games.blackjack.show import hide_other_amounts, only_boxes
from croupier.play.contract.live import LiveGame, ShoePolicy
from croupier.play.contract.wants import DEALER, Answer, At, Choice, DealCard, Peek, TurnCard, Want
from croupier.refusal import Refused

OFFERS = frozenset({"insure", "decline_insurance", "take_even_money", "decline_even_money"})
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_PEEK_PROMPTS = {
    1: "look at the face-down card: is it a ten or a face card?",
    10: "look at the face-down card: is it an ace?",
}


def situation(round_: Round, at: At) -> Hashable:
    """Return the player's hands, the deciding hand and the dealer's cards, but not the insurance."""
    hands = tuple(hand.cards for hand in round_.box(at.box).hands)
    return hands, at, round_.dealer, round_.peeked


def dealer_prompt(round_: Round, want: Want) -> str:
    match want:
        case Peek():
            return _PEEK_PROMPTS[10 if want.ranks == "A" else 1]
        case TurnCard():
            return "the dealer's face-down card, turned"
        case DealCard(to) if to == DEALER:
            return f"the dealer's {_ordinal(len(round_.dealer))} card"
        case DealCard(to):
            return f"{_whose(round_, to)} {_ordinal(len(round_.box(to.box).hands[to.hand].cards))} card"
    return "the dealer's second card, face down"


def _whose(round_: Round, to: At) -> str:
    alone = len(round_.box(to.box).hands) == 1
    hand = "" if alone else f" {_ordinal(to.hand)} split hand's"
    seat = "the player's" if round_.rules.boxes == 1 else f"seat {to.box + 1}'s"
    return seat + hand


def _ordinal(place: int) -> str:
    return _ORDINALS[place] if place < len(_ORDINALS) else f"{place + 1}th"


def seats(rules: Rules) -> int:
    """Return 0 for one shared box (003), else a seat for each box (004 1.2)."""
    return rules.boxes if rules.boxes > 1 else 0


def shoe_policy(rules: Rules) -> ShoePolicy:
    cut = len(DECK) * rules.decks * rules.cut_card_percent // 100
    return ShoePolicy(rules.decks, rules.shoes, rules.shuffle == "every_round", cut)


def result(round_: Round) -> str:
    """Return the dealer's total; empty if the face-down card was never turned."""
    if len(round_.dealer) < 2:
        return ""
    if is_bust(round_.dealer):
        return "bust"
    return "blackjack" if is_natural(round_.dealer) else str(total(round_.dealer))


def apply_dealer_step(round_: Round, what: str) -> tuple[Want, Answer, Round]:
    """Show the dealer's next step in a round that has ended and isn't affected by it."""
    want = _next_dealer_want(round_, what)
    answer = want.parse(what)
    if isinstance(answer, bool):
        return want, answer, replace(round_, peeked=answer)
    return want, answer, replace(round_, dealer=(*round_.dealer, answer), face_down=False)


def _next_dealer_want(round_: Round, what: str) -> Peek | TurnCard | DealCard:
    if not round_.face_down:
        return DealCard(DEALER)
    return Peek(DEALER, blackjack_ranks(round_.dealer[0])) if what in ("yes", "no") else TurnCard(DEALER)


def check_ahead(round_: Round, at: At, choice: Choice) -> None:
    want = round_.decision_ahead(at)
    if want is None:
        raise Refused("not_your_turn", box=at.box, hand=at.hand)
    round_.check_offered(want, choice)


LIVE = LiveGame(
    seats=seats,
    share=share,
    shoe_policy=shoe_policy,
    dealer_prompt=dealer_prompt,
    offers=OFFERS,
    default_choice=default_choice,
    default_choice_notes=default_choice_notes,
    uncovered_notes=uncovered_notes,
    situation=situation,
    result=result,
    apply_dealer_step=apply_dealer_step,
    check_ahead=check_ahead,
    hide_other_amounts=hide_other_amounts,
    only_boxes=only_boxes,
)
