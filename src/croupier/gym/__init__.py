"""Gymnasium environments: `import croupier.gym`, then `gymnasium.make("croupier/Blackjack-Infinite-v0")`.

There is one for each published table; it deals the same rounds as the table.

Without the import, `gymnasium.make("croupier.gym:croupier/Roulette-v0")` does the same.

- An observation has one integer for each of `env.unwrapped.observations.sizes`, in that order.
- An action is an index into `env.unwrapped.observations.actions`; `info["action_mask"]` has 1 for the allowed
  ones.
- The reward is the net result in initial stakes at the end of a round (-1: the stake is lost), otherwise 0.

At a table with decisions (TableEnv), an episode is a round of one box from a fresh shoe, and an action is a
decision. A forbidden action changes nothing: `info["refused"]` has the reason, and the same decision stays
open. After a round without decisions, such as a blackjack, any action collects the result (the mask allows
the first), so that averages over episodes are averages over rounds.

At a table of coups (CoupEnv), an action is the bet that gets the stake, and a step is a coup. An episode is a
shoe, dealt to its cut card as at the table; if every coup has its own shoe or no cards, it is one coup.
The observation is the last result and, of a shoe that is reused, the number of dealt cards of each kind.

Requires the extra `croupier[gym]`.
"""

from croupier.extras import require

require("gym")

import gymnasium  # noqa: E402 - after the check, whose error says how to install it

from croupier.games import published_tables  # noqa: E402
from croupier.gym.coups import CoupEnv  # noqa: E402
from croupier.gym.decisions import STEPS_MAX, TableEnv  # noqa: E402
from croupier.play.contract.game import Table  # noqa: E402

__all__ = ["CoupEnv", "TableEnv", "name_of", "register"]


def name_of(table: Table) -> str:
    """Return the environment's id: `croupier/Blackjack-DoubleExposure-v0` for the table double_exposure.

    The game is omitted if the table's own name ends with it: `croupier/LiveBaccarat-v0`.
    """
    game, name = table.game.title.replace(" ", ""), table.id.title().replace("_", "")
    return f"croupier/{name}-v0" if name.endswith(game) else f"croupier/{game}-{name}-v0"


def register() -> None:
    """Register every table; idempotent."""
    for table in published_tables().values():
        if name_of(table) not in gymnasium.registry:
            decides = table.game.observations is not None
            gymnasium.register(
                name_of(table),
                entry_point="croupier.gym:TableEnv" if decides else "croupier.gym:CoupEnv",
                kwargs={"table": table.id},
                max_episode_steps=STEPS_MAX if decides else None,
            )


register()
