"""The environment of a table with decisions: an episode is a round of one box, from a fresh shoe."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.gym.env import CroupierEnv, Info, Observation
from croupier.play.contract.observations import Observations
from croupier.play.contract.wants import Choice, Decision
from croupier.play.driving.dealing import DealtRound
from croupier.refusal import Refused

STEPS_MAX = 100
"""More than any round needs; it stops an agent that repeats a forbidden action."""


class TableEnv(CroupierEnv):
    """The environment of a table with decisions. An action is a decision."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Start a round and deal it until the first decision. The same seed deals the same rounds."""
        super().reset(seed=seed, options=options)
        opened = self._open("main")
        self._deal = DealtRound(opened, self._source(opened)).deal()
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        decision = self._decision()
        if decision is None:
            return self._end()
        try:
            self._deal = self._deal.decide(decision.to, Choice(self.observations.actions[action]))
        except Refused as refused:
            return self._observation(), 0.0, False, False, self._info() | {"refused": str(refused)}
        if self._decision() is None:
            return self._end()
        return self._observation(), 0.0, False, False, self._info()

    def action_masks(self) -> NDArray[np.int8]:
        """Return 1 for each action that is allowed now."""
        decision = self._decision()
        names = {option.action for option in decision.options} if decision else {self.observations.actions[0]}
        return np.array([action in names for action in self.observations.actions], dtype=np.int8)

    def _observations(self) -> Observations:
        assert self.table.game.observations is not None, f"{self.table.game.title} has no decisions"
        return self.table.game.observations

    def _decision(self) -> Decision | None:
        wants = self._deal.round.wants()
        return wants[0] if wants else None

    def _observation(self) -> Observation:
        return np.array(self.observations.observe(self._deal.round, self._decision()), dtype=np.int64)

    def _info(self) -> Info:
        return {"action_mask": self.action_masks()}

    def _end(self) -> tuple[Observation, float, bool, bool, Info]:
        net, staked = self._result()
        return self._observation(), net, True, False, self._info() | {"staked": staked}
