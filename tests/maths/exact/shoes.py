"""Small shoes, rules drawn at random, and the walk with a strategy in the player's seat."""

from collections import defaultdict
from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.equipment.cards import RANKS, cards
from croupier.games.blackjack.outcomes import unit_stake
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.shoe import RankCounts
from croupier.maths.exact.walk import Belief, best, chances
from croupier.play.contract.bets import Wager
from croupier.play.contract.model import Strategy
from croupier.play.contract.wants import Decision
from tests.maths.tables import DECIDED

TABLES = {name: table.rules for name, table in DECIDED.items()}
GAME = DECIDED["classic"].game

APART = 10**6
"""More than is ever staked."""

SHOES = {
    "tens": "AS TS TS TS JS 9S 9S 8S 8S TS",
    "middling": "9S 9S 9S 8S 8S 8S 8S 7S TS TS",
    "aces": "AS AS AS TS TS JS TS 9S 9S TS",
    "stiffs": "6S 6S 6S TS TS TS TS TS 9S 9S",
}


def shoe_of(text: str) -> RankCounts:
    return RankCounts(tuple(sum(card.rank == rank for card in cards(text)) for rank in RANKS))


def net(round_: Any) -> int:
    return sum(line.returned_minor - line.stake_minor for line in GAME.settle(round_))


def net_and_staked(round_: Any) -> int:
    """Both in one number, so that one walk finds both."""
    return net(round_) * APART + sum(line.stake_minor for line in GAME.settle(round_))


class Walked(NamedTuple):
    nets: dict[Fraction, Fraction]
    """How likely each net result is, in initial stakes."""
    stake: Fraction
    """What is staked on average."""

    @property
    def mean(self) -> Fraction:
        return sum((worth * chance for worth, chance in self.nets.items()), start=Fraction())


def walked(rules: Rules, text: str, strategy: Strategy) -> Walked:
    """The walk with the strategy in the player's seat."""

    def policy(round_: Any, decision: Decision) -> dict[Any, Fraction]:
        return {strategy.decide(round_, decision): Fraction(1)}

    unit = unit_stake(rules)
    start = GAME.start(rules, [Wager(0, "main", unit)])
    nets: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    stake = Fraction()
    for both, chance in chances(start, Belief.of(cards(text)), policy, net_and_staked).items():
        worth, staked = divmod(both, APART)
        nets[Fraction(worth, unit)] += chance
        stake += chance * Fraction(staked, unit)
    return Walked({worth: chance for worth, chance in nets.items() if chance}, stake)


def walked_best(rules: Rules, text: str) -> Fraction:
    """What the best play nets that may use every card seen, also those of the other hand of a split."""
    unit = unit_stake(rules)
    return best(GAME.start(rules, [Wager(0, "main", unit)]), Belief.of(cards(text)), net) / unit


def main_only(rules: Rules) -> Rules:
    """Without side bets, which have no part in the main game."""
    return replace(rules, any_pair=(), perfect_pairs=(), twenty_one_plus_three=(), hot_3=(), bust_it=())


def _seen(rules: Rules) -> Rules:
    """With both of the dealer's cards seen there is nothing to look for and nothing to insure."""
    if rules.hole_card == "face_down":
        return rules
    return replace(rules, peek="never", insurance="none", even_money=False)


def any_rules() -> st.SearchStrategy[Rules]:
    """Any rules that an operator may write, as far as the main game reads them."""
    made = st.builds(
        Rules,
        decks=st.just(1),
        dealer_hits_soft_17=st.booleans(),
        hole_card=st.sampled_from(["face_down", "face_up"]),
        peek=st.sampled_from(["never", "ace", "ace_or_ten"]),
        dealer_blackjack_takes=st.sampled_from(["everything", "initial_stake"]),
        blackjack_pays=st.sampled_from(["3:2", "6:5", "1:1", "2:1"]),
        blackjack_beats_blackjack=st.booleans(),
        ties=st.sampled_from(["push", "dealer_wins"]),
        insurance=st.sampled_from(["none", "without_blackjack", "always"]),
        insurance_pays=st.sampled_from(["2:1", "5:2", "4:1"]),
        even_money=st.booleans(),
        double_low_totals=st.lists(st.integers(2, 20), unique=True).map(tuple),
        double_for_less=st.booleans(),
        double_after_split=st.booleans(),
        split=st.sampled_from(["equal_value", "equal_rank"]),
        splits=st.sampled_from(["none", "one_per_round", "one_per_hand"]),
        split_aces_one_card=st.booleans(),
        stand_on_21=st.booleans(),
        charlie_cards=st.sampled_from([0, 5, 6, 7]),
        split_hands_decide=st.sampled_from(["in_turn", "together"]),
    )
    return made.map(_seen)
