"""A table at which something is to be decided: an episode is a round of one box, from a fresh shoe."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.gym.env import CroupierEnv, Info, Observation
from croupier.play.contract.bets import Wager
from croupier.play.contract.observations import Observations
from croupier.play.contract.wants import Choice, Decision
from croupier.play.driving.dealing import DealtRound
from croupier.refusal import Refused

STEPS_MAX = 100
"""No round needs so many; one who keeps asking for what isn't allowed is stopped here."""


class TableEnv(CroupierEnv):
    """An action is a decision."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """A new round, dealt until there is something to decide. The same seed deals the same rounds."""
        super().reset(seed=seed, options=options)
        opened = self.table.game.start(self.table.rules, [Wager(0, "main", self._stake)])
        self._deal = DealtRound(opened, self._source(opened)).deal()
        return self._seen(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        decision = self._decision()
        if decision is None:
            return self._ended()
        try:
            self._deal = self._deal.decide(decision.to, Choice(self.senses.actions[action]))
        except Refused as refused:
            return self._seen(), 0.0, False, False, self._info() | {"refused": str(refused)}
        return self._ended() if self._decision() is None else (self._seen(), 0.0, False, False, self._info())

    def action_masks(self) -> NDArray[np.int8]:
        """1 for each action that is allowed now."""
        decision = self._decision()
        names = {option.action for option in decision.options} if decision else {self.senses.actions[0]}
        return np.array([action in names for action in self.senses.actions], dtype=np.int8)

    def _senses(self) -> Observations:
        assert self.table.game.observations is not None, (
            f"there is nothing to decide in {self.table.game.title}"
        )
        return self.table.game.observations

    def _decision(self) -> Decision | None:
        wants = self._deal.round.wants()
        return wants[0] if wants else None

    def _seen(self) -> Observation:
        return np.array(self.senses.observe(self._deal.round, self._decision()), dtype=np.int64)

    def _info(self) -> Info:
        return {"action_mask": self.action_masks()}

    def _ended(self) -> tuple[Observation, float, bool, bool, Info]:
        net, staked = self._result()
        return self._seen(), net, True, False, self._info() | {"staked": staked}
