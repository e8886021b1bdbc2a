"""Gymnasium environments: `import croupier.gym`, then `gymnasium.make("croupier/Blackjack-Infinite-v0")`.

There is one for each table of the house, and each deals the very rounds that its players are dealt.

Without the import, `gymnasium.make("croupier.gym:croupier/Roulette-v0")` does the same.

- An observation is one whole number for each of `env.unwrapped.senses.sizes`, in that order.
- An action is a place in `env.unwrapped.senses.actions`; `info["action_mask"]` has a 1 for each allowed.
- The reward is the net result in initial stakes once a round has ended: -1 is a stake lost; 0 before.

Where something is to be decided (TableEnv), an episode is a round of one box from a fresh shoe, and an action
is a decision. One that isn't allowed changes nothing: `info["refused"]` says why, and it is asked again. A
round may leave nothing to decide, as a blackjack does: then the first action of the list, whatever it means,
collects the result, so that averages over episodes are averages over rounds.

At a table of coups (CoupEnv) an action is the bet that gets a stake, and a step is a coup. An episode is a
shoe, dealt to its cut card as the house deals it; where every coup has a shoe of its own, or no cards at all,
it is a coup. What a player sees is what came up last and, of a shoe that goes on, how many cards of each kind
are out.

Needs the extra `croupier[gym]`.
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
    """The environment's id: `croupier/Blackjack-DoubleExposure-v0` of the table double_exposure.

    A table that has its game's name in its own goes without the game's: `croupier/LiveBaccarat-v0`.
    """
    game, name = table.game.title.replace(" ", ""), table.id.title().replace("_", "")
    return f"croupier/{name}-v0" if name.endswith(game) else f"croupier/{game}-{name}-v0"


def register() -> None:
    """Every table; twice is as good as once."""
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
