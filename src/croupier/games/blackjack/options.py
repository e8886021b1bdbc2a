"""The options of a hand, the rules that forbid others, and the effect of each decision on its box."""

from collections.abc import Callable
from dataclasses import replace

from croupier.games.blackjack.boxes import Box, Hand
from croupier.games.blackjack.hands import is_bust, low_total, total
from croupier.games.blackjack.rules import Rules, insurance_stake, is_charlie, splittable
from croupier.play.contract.wants import Option
from croupier.refusal import Refused


def is_complete(rules: Rules, box: Box, place: int) -> bool:
    """Return whether the hand has nothing left to decide."""
    hand = box.hands[place]
    return bool(
        hand.stood
        or box.even_money
        or hand.blackjack
        or (hand.doubled and not hand.owed)
        or is_bust(hand.cards)
        or (rules.stand_on_21 and total(hand.cards) == 21)
        or is_charlie(rules, hand.cards)
        or _split_ace(rules, hand)
    )


def _split_ace(rules: Rules, hand: Hand) -> bool:
    """Return whether the hand is a complete split ace: it gets one card (000 2.8d)."""
    return rules.split_aces_one_card and hand.of_split and hand.cards[0].rank == "A" and len(hand.cards) == 2


def needs_dealer(rules: Rules, box: Box) -> bool:
    """Return whether any bet of the box depends on the dealer's total (003 Outcome, Bust It)."""
    first = box.hands[0]
    bust_it = any(wager.bet == "bust_it" for wager in box.side_bets) and not first.blackjack
    return bust_it or any(
        not (box.even_money or hand.blackjack or is_bust(hand.cards) or is_charlie(rules, hand.cards))
        for hand in box.hands
    )


def forbidden(rules: Rules, box: Box, place: int, split_made: bool) -> dict[str, str]:
    """Return the forbidden actions, each with the rule that forbids it."""
    hand = box.hands[place]
    reasons = {
        "double": _no_double(rules, hand),
        "split": _no_split(rules, hand, split_made),
        "insure": _no_insurance(rules, hand),
        "take_even_money": _no_even_money(rules, hand),
    }
    return {action: rule for action, rule in reasons.items() if rule}


def _no_double(rules: Rules, hand: Hand) -> str:
    if len(hand.cards) != 2 or low_total(hand.cards) not in rules.double_low_totals:
        return "double_low_totals"
    return "double_after_split" if hand.of_split and not rules.double_after_split else ""


def _no_split(rules: Rules, hand: Hand, split_made: bool) -> str:
    spent = rules.splits == "none" or (rules.splits == "one_per_round" and split_made)
    if hand.of_split or spent:
        return "splits"
    return "" if len(hand.cards) == 2 and splittable(rules, hand.cards) else "split"


def _no_even_money(rules: Rules, hand: Hand) -> str:
    return "" if rules.even_money and hand.blackjack else "even_money"


def _no_insurance(rules: Rules, hand: Hand) -> str:
    """Return the rule that forbids insurance; even money replaces it for a blackjack (000 2.10c)."""
    if not _no_even_money(rules, hand):
        return "even_money"
    insured = rules.insurance == "always" or (rules.insurance == "without_blackjack" and not hand.blackjack)
    return "" if insured else "insurance"


def available_options(rules: Rules, box: Box, place: int, split_made: bool) -> tuple[Option, ...]:
    """Return the options of an incomplete hand, in the order of the buttons."""
    stake = box.stake_minor
    lowest = 1 if rules.double_for_less else stake
    barred = forbidden(rules, box, place, split_made)
    every = (
        Option("hit"),
        Option("stand"),
        Option("double", stake, lowest),
        Option("split", stake, stake),
    )
    return tuple(option for option in every if option.action not in barred)


def offered_options(rules: Rules, box: Box) -> tuple[Option, ...]:
    """Return the options of the offer, even money or insurance; empty if there is none (000 2.10c)."""
    hand = box.hands[0]
    if not _no_even_money(rules, hand):
        return Option("take_even_money"), Option("decline_even_money")
    if _no_insurance(rules, hand) or not rules.insurable(box.stake_minor):
        return ()
    cost = insurance_stake(box.stake_minor)
    return Option("insure", cost, cost), Option("decline_insurance")


def check_stake(option: Option, stake_minor: int | None) -> None:
    """Refuse a stake outside the option's range of costs; None stands for the full cost."""
    minimum, maximum = option.cost_min_minor, option.cost_minor
    if stake_minor is None or minimum <= stake_minor <= maximum:
        return
    rule = "double_for_less" if option.action == "double" and stake_minor < minimum else ""
    raise Refused("stake_outside", rule=rule, action=option.action, least=minimum, most=maximum)


def _hit(box: Box, place: int, _stake: int | None) -> Box:
    return box.with_hand(place, replace(box.hands[place], owed=True))


def _stand(box: Box, place: int, _stake: int | None) -> Box:
    return box.with_hand(place, replace(box.hands[place], stood=True))


def _double(box: Box, place: int, stake_minor: int | None) -> Box:
    less = stake_minor if stake_minor is not None and stake_minor < box.stake_minor else 0
    return box.with_hand(place, replace(box.hands[place], doubled=True, less_minor=less, owed=True))


def _split(box: Box, place: int, _stake: int | None) -> Box:
    halves = tuple(Hand((card,), of_split=True, owed=True) for card in box.hands[place].cards)
    return replace(box, hands=halves)


def _insured(*, answer: bool) -> Callable[[Box, int, int | None], Box]:
    return lambda box, _place, _stake: replace(box, insured=answer)


def _even_money(*, answer: bool) -> Callable[[Box, int, int | None], Box]:
    return lambda box, _place, _stake: replace(box, even_money=answer)


APPLY: dict[str, Callable[[Box, int, int | None], Box]] = {
    "hit": _hit,
    "stand": _stand,
    "double": _double,
    "split": _split,
    "insure": _insured(answer=True),
    "decline_insurance": _insured(answer=False),
    "take_even_money": _even_money(answer=True),
    "decline_even_money": _even_money(answer=False),
}
