"""Labels of bets and outcomes of Sic Bo, and lines of the cloth."""

from croupier.games.sic_bo.bets import PAIRS
from croupier.games.sic_bo.rules import FACES, TOTALS, Rules

LABELS = {
    "small": "Small",
    "big": "Big",
    "odd": "Odd",
    "even": "Even",
    **{f"double_{face}": f"Double {face}" for face in FACES},
    **{f"triple_{face}": f"Triple {face}" for face in FACES},
    "any_triple": "Any triple",
    **{f"total_{total}": f"Total {total}" for total in TOTALS},
    **{f"pair_{one}_{other}": f"Combination {one} and {other}" for one, other in PAIRS},
    **{f"single_{face}": f"Single {face}" for face in FACES},
    "win": "Win",
    "one_die": "One die",
    "two_dice": "Two dice",
    "three_dice": "All three dice",
}


def cloth(rules: Rules) -> tuple[str, ...]:
    """Return the lines printed on the cloth, the most prominent first."""
    return (
        f"Any triple pays {rules.any_triple_pays.replace(':', ' to ')}",
        "Big, small, odd and even lose to a triple",
    )
