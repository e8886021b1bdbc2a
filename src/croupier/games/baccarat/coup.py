"""A coup of baccarat: two cards each, third cards by the tableau, and the hand nearer to 9 wins (004 3.2)."""

from collections import defaultdict
from collections.abc import Hashable, Sequence

from croupier.equipment.cards import RANKS, Card
from croupier.games.baccarat.rules import BANKER, PLAYER, VALUE, Rules, is_pair, next_to_draw, points
from croupier.play.contract.wants import At, DealCard
from croupier.play.coup.coup import CoupDefinition, CoupSteps
from croupier.play.coup.hands import cards_at
from croupier.play.coup.paytable import paytable_bets, paytable_outcome

FIRST = (PLAYER, BANKER, PLAYER, BANKER)
"""The places of the first cards, in dealing order."""
CARDS_MAX = 6
KINDS = {"player": "hand", "banker": "hand", "tie": "tie", "player_pair": "pair", "banker_pair": "pair"}
"""The bets in the order of the cloth, each with its kind."""
PAIRS = {"player_pair": PLAYER, "banker_pair": BANKER}
"""The outcomes that depend on ranks, each with its hand. The result word has their initials."""
bets = paytable_bets(KINDS)


def wanted(rules: Rules, dealt: CoupSteps) -> DealCard | None:
    if len(dealt) < len(FIRST):
        return DealCard(FIRST[len(dealt)])
    to = next_to_draw(rules, cards_at(dealt, PLAYER), cards_at(dealt, BANKER))
    return None if to is None else DealCard(to)


def winner(dealt: CoupSteps) -> At | None:
    """Return the hand nearer to 9; None for a tie."""
    player, banker = points(cards_at(dealt, PLAYER)), points(cards_at(dealt, BANKER))
    if player == banker:
        return None
    return PLAYER if player > banker else BANKER


def outcomes(_rules: Rules, dealt: CoupSteps) -> tuple[str, ...]:
    """Return the end of the coup, also with points and number of cards (the player's in a tie), and pairs."""
    won = winner(dealt)
    cards = cards_at(dealt, PLAYER if won is None else won)
    how = {None: "tie", PLAYER: "player_wins", BANKER: "banker_wins"}[won]
    with_points = f"{how}_{points(cards)}"
    pairs = (pair for pair, hand in PAIRS.items() if is_pair(cards_at(dealt, hand)))
    return how, with_points, f"{with_points}_of_{len(cards)}", *pairs


def result(_rules: Rules, dealt: CoupSteps) -> str:
    """Return the winner, the points and the hands with pairs: `P8`, `B7p`, `T6pb`."""
    won = winner(dealt)
    letter = {None: "T", PLAYER: "P", BANKER: "B"}[won]
    pairs = "".join(pair[0] for pair, hand in PAIRS.items() if is_pair(cards_at(dealt, hand)))
    return f"{letter}{points(cards_at(dealt, PLAYER if won is None else won))}{pairs}"


def pairs_matter(rules: Rules) -> bool:
    """Return whether any bet depends on a pair."""
    return any(pay.outcome in PAIRS for bet in bets(rules) for pay in bet.pays)


def rank_groups(rules: Rules) -> tuple[str, ...]:
    """Group ranks by value (004 3.2), unless a bet depends on a pair."""
    if pairs_matter(rules):
        return tuple(RANKS)
    ranks: defaultdict[int, str] = defaultdict(str)
    for rank, value in VALUE.items():
        ranks[value] += rank
    return tuple(ranks.values())


def state_key(rules: Rules, dealt: CoupSteps) -> Hashable:
    """Return the next want, points and sizes of both hands, and their ranks if a bet depends on pairs."""
    hands = (cards_at(dealt, PLAYER), cards_at(dealt, BANKER))
    ranks = tuple(map(_ranks, hands)) if pairs_matter(rules) else ()
    return wanted(rules, dealt), *((points(hand), len(hand)) for hand in hands), *ranks


def _ranks(hand: Sequence[Card]) -> Hashable:
    """Return the rank of a single card; for more cards, whether the first two are a pair."""
    return hand[0].rank if len(hand) == 1 else is_pair(hand)


DEFINITION = CoupDefinition(
    bets=bets,
    wanted=wanted,
    outcome=paytable_outcome(outcomes),
    result=result,
    rank_groups=rank_groups,
    state_key=state_key,
)
