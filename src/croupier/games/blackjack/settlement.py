"""The settlement of a round's stakes."""

from collections.abc import Iterator

from croupier.equipment.cards import Card
from croupier.games.blackjack.bets import side_bet_pay
from croupier.games.blackjack.boxes import Box, Hand
from croupier.games.blackjack.hands import is_bust, is_natural, total
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules, is_charlie, odds
from croupier.play.contract.bets import Settled, Wager


def settle(round_: Round) -> tuple[Settled, ...]:
    """Settle an ended round, box by box: each hand, then insurance and side bets."""
    return tuple(line for box in round_.boxes for line in _of_box(round_, box))


def settle_side_bets(round_: Round) -> tuple[Settled, ...]:
    """Settle the side bets that the dealt cards already decide, before the round has ended."""
    return tuple(
        line
        for box in round_.boxes
        if len(box.hands) == 2 or len(box.hands[0].cards) > 1
        for wager in box.side_bets
        if (line := _side_bet(round_, box, wager)).outcome != "lost" or wager.bet != "bust_it"
    )


def _of_box(round_: Round, box: Box) -> Iterator[Settled]:
    for place, hand in enumerate(box.hands):
        outcome = hand_outcome(round_.rules, box, hand, round_.dealer)
        returned = _returned(round_, box, place, outcome)
        yield Settled(box.number, place, "main", box.hand_stake(hand), returned, outcome)
    if box.insured:
        yield _insurance(round_, box)
    for wager in box.side_bets:
        yield _side_bet(round_, box, wager)


def hand_outcome(rules: Rules, box: Box, hand: Hand, dealer: tuple[Card, ...]) -> str:
    """Return the outcome of a complete hand, by precedence (000 2.4; 002 Ties; 003 Outcome)."""
    if box.even_money:
        return "even_money"
    if is_bust(hand.cards):
        return "bust"
    if is_charlie(rules, hand.cards):
        return "charlie"
    if hand.blackjack:
        return "pushed" if is_natural(dealer) and not rules.blackjack_beats_blackjack else "blackjack"
    if is_natural(dealer):
        return "lost"
    return _by_total(rules, total(hand.cards), 0 if is_bust(dealer) else total(dealer))


def _by_total(rules: Rules, player: int, dealer: int) -> str:
    if player == dealer:
        return "lost" if rules.ties == "dealer_wins" else "pushed"
    return "won" if player > dealer else "lost"


def _returned(round_: Round, box: Box, place: int, outcome: str) -> int:
    """Return the returned stake and winnings of one hand."""
    stake = box.hand_stake(box.hands[place])
    match outcome:
        case "blackjack":
            return stake + odds(round_.rules.blackjack_pays).winnings(stake)
        case "won" | "charlie" | "even_money":
            return 2 * stake
        case "pushed":
            return stake
        case "lost" if is_natural(round_.dealer) and round_.rules.dealer_blackjack_takes == "initial_stake":
            return stake if place else stake - box.stake_minor
    return 0


def _insurance(round_: Round, box: Box) -> Settled:
    stake = box.insurance_minor
    won = round_.dealer_blackjack
    returned = stake + odds(round_.rules.insurance_pays).winnings(stake) if won else 0
    return Settled(box.number, 0, "insurance", stake, returned, "won" if won else "lost")


def _side_bet(round_: Round, box: Box, wager: Wager) -> Settled:
    stake = wager.stake_minor
    pay = side_bet_pay(round_.rules, wager.bet, box.first_two, round_.dealer)
    if pay is None:
        return Settled(box.number, 0, wager.bet, stake, 0, "lost")
    return Settled(box.number, 0, wager.bet, stake, stake + pay.odds.winnings(stake), pay.outcome)
