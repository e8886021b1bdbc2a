"""Labels of bets and outcomes, lines of the cloth, and checks of a blackjack table's rules."""

from collections.abc import Iterator

from croupier.games.blackjack.bets import SIDE_BETS, paytable
from croupier.games.blackjack.rules import Rules
from croupier.play.contract.game import Dealing
from croupier.play.coup.paytable import paytable_errors

COUNTS = {5: "Five", 6: "Six", 7: "Seven", 8: "Eight"}
LABELS = {
    "main": "Main bet",
    "insurance": "Insurance",
    "any_pair": "Any Pair",
    "perfect_pairs": "Perfect Pairs",
    "twenty_one_plus_three": "21+3",
    "hot_3": "Hot 3",
    "bust_it": "Bust It",
    "blackjack": "Blackjack",
    "win": "Win",
    "even_money": "Even money",
    "suited_pair": "Suited pair",
    "pair": "Any other pair",
    "perfect_pair": "Perfect pair (same suit)",
    "coloured_pair": "Coloured pair (same colour)",
    "mixed_pair": "Mixed pair",
    "suited_trips": "Suited trips",
    "straight_flush": "Straight flush",
    "three_of_a_kind": "Three of a kind",
    "straight": "Straight",
    "flush": "Flush",
    "three_sevens": "7-7-7",
    "total_21_suited": "Total 21, suited",
    "total_21": "Total 21",
    "total_20": "Total 20",
    "total_19": "Total 19",
    "bust_3_cards": "Dealer busts with 3 cards",
    "bust_4_cards": "Dealer busts with 4 cards",
    "bust_5_cards": "Dealer busts with 5 cards",
    "bust_6_cards": "Dealer busts with 6 cards",
    "bust_7_cards": "Dealer busts with 7 cards",
    "bust_8_cards": "Dealer busts with 8 cards or more",
}

OUTCOMES = {
    "any_pair": ("suited_pair", "pair"),
    "perfect_pairs": ("perfect_pair", "coloured_pair", "mixed_pair"),
    "twenty_one_plus_three": ("suited_trips", "straight_flush", "three_of_a_kind", "straight", "flush"),
    "hot_3": ("three_sevens", "total_21_suited", "total_21", "total_20", "total_19"),
    "bust_it": tuple(f"bust_{cards}_cards" for cards in range(3, 9)),
}
"""The possible paytable lines of each side bet."""


def cloth(rules: Rules) -> tuple[str, ...]:
    """Return the lines printed on the cloth, the most prominent first."""
    wins, staked = rules.blackjack_pays.split(":")
    draws = "hits soft 17" if rules.dealer_hits_soft_17 else "stands on all 17s"
    lines = [f"Blackjack pays {wins} to {staked}", f"Dealer {draws}"]
    if rules.insurance != "none":
        lines.append(f"Insurance pays {rules.insurance_pays.replace(':', ' to ')}")
    if rules.ties == "dealer_wins":
        lines.append("Dealer wins ties")
    if rules.charlie_cards:
        lines.append(f"{COUNTS.get(rules.charlie_cards, rules.charlie_cards)}-Card Charlie wins")
    return tuple(lines)


def rule_errors(rules: Rules, dealing: Dealing) -> Iterator[tuple[str, str]]:
    """Yield fields that don't go together or with the way of dealing."""
    yield from _paytable_errors(rules)
    yield from _exposed_errors(rules)
    yield from _shuffle_errors(rules, dealing)
    yield from _shared_errors(rules, dealing)


def _paytable_errors(rules: Rules) -> Iterator[tuple[str, str]]:
    for bet in SIDE_BETS:
        yield from paytable_errors(bet, paytable(rules, bet), OUTCOMES[bet])


def _exposed_errors(rules: Rules) -> Iterator[tuple[str, str]]:
    """With both of the dealer's cards face up, peeking and insurance make no sense."""
    if rules.hole_card == "face_down":
        return
    if rules.peek != "never":
        yield "peek", "allowed is: 'never', since both of the dealer's cards are seen"
    if rules.insurance != "none":
        yield "insurance", "allowed is: 'none', since both of the dealer's cards are seen"
    if rules.even_money:
        yield "even_money", "allowed is: false, since both of the dealer's cards are seen"


def _shuffle_errors(rules: Rules, dealing: Dealing) -> Iterator[tuple[str, str]]:
    if rules.shuffle == "at_cut_card":
        if dealing == "own":
            yield "shuffle", "allowed is: 'every_round', since an own table has a fresh shoe each round"
        return
    if rules.shoes != 1:
        yield "shoes", "allowed is: 1, since the cards are shuffled every round"
    if rules.cut_card_percent != 100:
        yield "cut_card_percent", "allowed is: 100, since the cards are shuffled every round"


def _shared_errors(rules: Rules, dealing: Dealing) -> Iterator[tuple[str, str]]:
    """Check a live table with one shared box: all players with equal decisions get the same card."""
    if dealing == "own" or rules.boxes > 1:
        return
    if rules.split_hands_decide != "together":
        yield "split_hands_decide", "allowed is: 'together', since all players share one box"
    if rules.double_for_less:
        yield "double_for_less", "allowed is: false, since all players share one box"
