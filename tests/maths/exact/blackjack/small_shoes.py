"""Small shoes, random rules, and exhaustive walks that play a strategy or the best play."""

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
from tests.maths.tables import DECISION_TABLES

RULES = {name: table.rules for name, table in DECISION_TABLES.items()}
GAME = DECISION_TABLES["classic"].game

STAKE_BASE = 10**6
"""The factor of the net result in `net_and_stake`, above any stake."""

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


def net_and_stake(round_: Any) -> int:
    """Return both in one number, so that one walk finds both."""
    return net(round_) * STAKE_BASE + sum(line.stake_minor for line in GAME.settle(round_))


class WalkResult(NamedTuple):
    nets: dict[Fraction, Fraction]
    """The probability of each net result, in initial stakes."""
    stake: Fraction
    """The average total stake, in initial stakes."""

    @property
    def mean(self) -> Fraction:
        return sum((net * chance for net, chance in self.nets.items()), start=Fraction())


def walk_strategy(rules: Rules, text: str, strategy: Strategy) -> WalkResult:
    """Walk every order of the shoe; the strategy decides."""

    def policy(round_: Any, decision: Decision) -> dict[Any, Fraction]:
        return {strategy.decide(round_, decision): Fraction(1)}

    unit = unit_stake(rules)
    start = GAME.start(rules, [Wager(0, "main", unit)])
    nets: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    stake = Fraction()
    for combined, chance in chances(start, Belief.of(cards(text)), policy, net_and_stake).items():
        net_minor, stake_minor = divmod(combined, STAKE_BASE)
        nets[Fraction(net_minor, unit)] += chance
        stake += chance * Fraction(stake_minor, unit)
    return WalkResult({value: chance for value, chance in nets.items() if chance}, stake)


def walk_best_play(rules: Rules, text: str) -> Fraction:
    """Return the net result of the best play that knows every card seen, in either hand of a split."""
    unit = unit_stake(rules)
    return best(GAME.start(rules, [Wager(0, "main", unit)]), Belief.of(cards(text)), net) / unit


def main_only(rules: Rules) -> Rules:
    """Return the rules without side bets, which don't affect the main game."""
    return replace(rules, any_pair=(), perfect_pairs=(), twenty_one_plus_three=(), hot_3=(), bust_it=())


def _without_peek_if_face_up(rules: Rules) -> Rules:
    """Remove the peek and the offers if both of the dealer's cards are face up."""
    if rules.hole_card == "face_down":
        return rules
    return replace(rules, peek="never", insurance="none", even_money=False)


def any_rules() -> st.SearchStrategy[Rules]:
    """Return a strategy for all rules of the main game that an operator can configure."""
    rules = st.builds(
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
    return rules.map(_without_peek_if_face_up)
