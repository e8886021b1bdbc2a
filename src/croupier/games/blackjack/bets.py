"""The bets of a table, and the outcomes of its side bets.

The outcomes of a side bet depend on the box's first two cards and the dealer's cards. A hand may meet
several: three sevens of one suit are suited trips, three of a kind and a flush. The best line of the paytable
that it meets is paid, so a paytable may leave out any line.
"""

from collections.abc import Callable, Sequence
from functools import cache

from croupier.equipment.cards import RANKS, Card
from croupier.games.blackjack.hands import is_bust, is_natural, total
from croupier.games.blackjack.rules import OddsText, Rules, odds
from croupier.play.contract.bets import Bet, Pay
from croupier.play.contract.largest_return import rate_of
from croupier.play.contract.odds import PUSH
from croupier.play.coup.paytable import parse_paytable

PUSHED = "pushed"
STAKE_RETURNED = Pay(PUSHED, PUSH)
Two = tuple[Card, Card]
Outcomes = tuple[str, ...]
"""The lines that a hand meets, the most particular first; empty: the bet is lost."""


def any_pair(first: Two, _dealer: Sequence[Card]) -> Outcomes:
    """Classify two cards of the same rank, suited or not (003 Any Pair)."""
    one, other = first
    if one.rank != other.rank:
        return ()
    return ("suited_pair", "pair") if one.suit == other.suit else ("pair",)


def perfect_pairs(first: Two, _dealer: Sequence[Card]) -> Outcomes:
    """Classify a pair of one suit, of one colour, or of two colours (004 1.4)."""
    one, other = first
    if one.rank != other.rank:
        return ()
    if one.suit == other.suit:
        return ("perfect_pair", "coloured_pair")
    return ("coloured_pair",) if one.red == other.red else ("mixed_pair",)


def twenty_one_plus_three(first: Two, dealer: Sequence[Card]) -> Outcomes:
    """Classify the first two cards and the upcard as a three-card poker hand (003 21+3; 004 1.4)."""
    three = (*first, dealer[0])
    flush = ("flush",) if len({card.suit for card in three}) == 1 else ()
    if len({card.rank for card in three}) == 1:
        return ("suited_trips", "three_of_a_kind", *flush) if flush else ("three_of_a_kind",)
    if _straight(three):
        return ("straight_flush", "straight", *flush) if flush else ("straight",)
    return flush


def _straight(three: Sequence[Card]) -> bool:
    """Return whether three ranks are in sequence; an ace is low or high."""
    places = sorted(RANKS.index(card.rank) for card in three)
    return places == [0, 11, 12] or places == list(range(places[0], places[0] + 3))


def hot_3(first: Two, dealer: Sequence[Card]) -> Outcomes:
    """Classify the total of the first two cards and the upcard, aces 1 or 11 (003 Hot 3)."""
    three = (*first, dealer[0])
    points = total(three)
    if points != 21:
        return (f"total_{points}",) if points in (19, 20) else ()
    sevens = ("three_sevens",) if all(card.rank == "7" for card in three) else ()
    suited = ("total_21_suited",) if len({card.suit for card in three}) == 1 else ()
    return (*sevens, *suited, "total_21")


def bust_it(first: Two, dealer: Sequence[Card]) -> Outcomes:
    """Classify a dealer's bust by number of cards; push with a blackjack (003 Bust It)."""
    if is_natural(first):
        return (PUSHED,)
    return (f"bust_{min(len(dealer), 8)}_cards",) if is_bust(dealer) else ()


SIDE_BETS: dict[str, Callable[[Two, Sequence[Card]], Outcomes]] = {
    "any_pair": any_pair,
    "perfect_pairs": perfect_pairs,
    "twenty_one_plus_three": twenty_one_plus_three,
    "hot_3": hot_3,
    "bust_it": bust_it,
}
"""By the rules field of their paytable."""


def side_bet_pay(rules: Rules, bet: str, first: Two, dealer: Sequence[Card]) -> Pay | None:
    """Return the line that a side bet is paid by; None if it is lost."""
    return best_pay(paytable(rules, bet), SIDE_BETS[bet](first, dealer))


@cache
def best_pay(table: tuple[Pay, ...], met: Outcomes) -> Pay | None:
    """Return the best line of the paytable that a hand meets, of equal ones the most particular."""
    if met == (PUSHED,):
        return STAKE_RETURNED
    listed = {pay.outcome: pay for pay in table}
    found = [listed[outcome] for outcome in met if outcome in listed]
    return max(found, key=lambda pay: rate_of(pay.odds), default=None)


def paytable(rules: Rules, bet: str) -> tuple[Pay, ...]:
    """Return the paytable of a side bet, best line first; empty: not offered."""
    return parse_paytable(getattr(rules, bet))


def _main_pays(rules: Rules) -> tuple[Pay, ...]:
    lines: dict[str, OddsText] = {"blackjack": rules.blackjack_pays, "win": "1:1"}
    if rules.insurance != "none":
        lines["insurance"] = rules.insurance_pays
    if rules.even_money:
        lines["even_money"] = "1:1"
    return tuple(Pay(outcome, odds(text)) for outcome, text in lines.items())


@cache
def bets(rules: Rules) -> tuple[Bet, ...]:
    """Return the main bet, then the side bets that the table offers."""
    sides = (Bet(name, main=False, pays=paytable(rules, name)) for name in SIDE_BETS)
    return (Bet("main", main=True, pays=_main_pays(rules)), *(side for side in sides if side.pays))
