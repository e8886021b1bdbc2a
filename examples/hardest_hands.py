"""The two-card hands where the wrong option costs most: what every option of every hand is worth.

Needs `croupier[maths]`.
"""

import croupier
from croupier.play.contract.figures import Opening


def cost(opening: Opening) -> float:
    """What the worst option loses against the best, in stakes."""
    return max(opening.options.values()) - min(opening.options.values())


openings = croupier.table("multihand").exact().openings
for opening in sorted(openings, key=cost, reverse=True)[:10]:
    values = ", ".join(f"{action} {value:+.3f}" for action, value in opening.options.items())
    print(f"{opening.hand} against {opening.dealer}: {opening.best} ({values})")
