"""The base of the environments: a table, its random numbers and its rendering."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete, MultiDiscrete
from numpy.random import Generator
from numpy.typing import NDArray

from croupier.equipment.cards import DECK
from croupier.equipment.rng import RandomSource
from croupier.equipment.shoe import Shoe
from croupier.games import published_tables
from croupier.gym.saved import restore_deal, restore_table, save_deal, save_table
from croupier.maths.exact.compile import unit_stake
from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Table
from croupier.play.contract.observations import Observations
from croupier.play.driving.dealing import DealtRound
from croupier.play.driving.sources import ChanceSource, ShoeSource, fresh_source
from croupier.play.tables.files import with_rules

Observation = NDArray[np.int64]
Info = dict[str, Any]


class GeneratorSource(RandomSource):
    """Draws from the environment's generator, in place of the server's random numbers."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator

    def below(self, n: int) -> int:
        return int(self._generator.integers(n))


class CroupierEnv(gymnasium.Env[Observation, np.int64]):
    """A table as an environment; `rules` replaces some of its rules: `rules={"decks": 2}`."""

    _derived: tuple[str, ...] = ("observations",)
    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 Gymnasium's own declaration
    observations: Observations
    _deal: DealtRound[Any]
    _bet: str
    """The bet of the round in `_deal`."""

    def __init__(
        self, table: str | Table, rules: dict[str, Any] | None = None, render_mode: str | None = None
    ) -> None:
        self.table = with_rules(published_tables()[table] if isinstance(table, str) else table, rules or {})
        self.observations = self._observations()
        self.render_mode = render_mode
        self.action_space = Discrete(len(self.observations.actions))
        self.observation_space = MultiDiscrete(list(self.observations.sizes.values()))
        self._stake = unit_stake(self.table.game, self.table.rules)

    def render(self) -> str | None:
        """Return the round so far, a line for each step of its record."""
        if self.render_mode != "ansi":
            return None
        return "\n".join(str(step) for step in self._deal.steps)

    def __getstate__(self) -> dict[str, Any]:
        """Return plain data, from which a clone continues as this environment does."""
        state = self.__dict__ | {"table": save_table(self.table)}
        for derived in self._derived:
            del state[derived]
        if "_deal" in state:
            state["_deal"] = save_deal(self._bet, self._deal)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.table = restore_table(state["table"])
        self.observations = self._observations()
        self.__dict__ |= state | {"table": self.table}
        if "_deal" in state:
            self._deal = restore_deal(self._open(self._bet), state["_deal"])

    def _open(self, bet: str) -> Any:
        """Return a round with one stake on a bet."""
        self._bet = bet
        return self.table.game.start(self.table.rules, [Wager(0, bet, self._stake)])

    def _observations(self) -> Observations:
        """Return the observations, which follow from the table, like all attributes in `_derived`."""
        raise NotImplementedError

    def _source(self, round_: Any, cut: int | None = None) -> ChanceSource:
        """Return a shuffled shoe with its cut card behind `cut` cards, or a wheel or dice."""
        decks = self.table.game.decks(self.table.rules)
        if not decks:
            return fresh_source(round_.wants(), decks, GeneratorSource(self.np_random))
        cards = DECK * decks
        order = self.np_random.permutation(len(cards))
        return ShoeSource(
            Shoe(tuple(cards[place] for place in order), dealt=0, cut=len(cards) if cut is None else cut)
        )

    def _result(self) -> tuple[float, float]:
        """The net result of the round that has ended, and all that was staked, in initial stakes."""
        lines = self.table.game.settle(self._deal.round)
        staked = sum(line.stake_minor for line in lines)
        net = sum(line.returned_minor for line in lines) - staked
        return net / self._stake, staked / self._stake
