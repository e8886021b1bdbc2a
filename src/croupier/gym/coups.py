"""The environment of a table of coups: an action is a bet, a step a coup, an episode a shoe."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.gym.env import CroupierEnv, Info, Observation
from croupier.maths.exact.compile import compile_automaton, main_bets
from croupier.maths.exact.outcomes import shoe_of
from croupier.play.contract.live import ShoePolicy
from croupier.play.contract.observations import Observations
from croupier.play.contract.wants import SHOE, DealCard
from croupier.play.coup.model import NO_DECISIONS
from croupier.play.driving.dealing import DealtRound
from croupier.play.driving.sources import ChanceSource, ShoeSource


class Memory(NamedTuple):
    """The results that a player has seen, as columns of the game's automaton, from 1."""

    came: tuple[int, ...] = ()
    """The last coup, in the order of dealing."""
    out: tuple[int, ...] = ()
    """All cards of the shoe seen so far."""


class CoupEnv(CroupierEnv):
    """The environment of a table of coups. Every bet is always allowed."""

    _derived = ("observations", "_cards", "_columns", "_draws_max", "_reuses_shoe")
    _memory: Memory
    _after_cut = 0
    """The number of coups dealt after the one in which the cut card came out."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Start a fresh shoe, if the table deals from one. The same seed deals the same coups.

        Without a seed, the observation keeps the last result.
        """
        super().reset(seed=seed, options=options)
        self._memory, self._after_cut = Memory(() if seed is not None else self._memory.came), 0
        coup = self._open(self.observations.actions[0])
        source = self._source(coup, self._cards.cut if self._reuses_shoe else None)
        self._deal = DealtRound(coup, source if self._cards.burn == "none" else self._burned(source))
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        coup = self._open(self.observations.actions[action])
        self._deal = DealtRound(coup, self._deal.source if self._reuses_shoe else self._source(coup)).deal()
        came = tuple(self._column(str(step.answer)) for step in self._deal.steps)
        self._memory = Memory(came, self._memory.out + came)
        net, staked = self._result()
        return self._observation(), net, self._is_dealt_out(), False, self._info() | {"staked": staked}

    def action_masks(self) -> NDArray[np.int8]:
        """Return 1 for each bet: every bet may be placed alone."""
        return np.ones(len(self.observations.actions), dtype=np.int8)

    def _observations(self) -> Observations:
        game, rules = self.table.game, self.table.rules
        assert game.live is not None, f"{game.title} has no rules for dealing from a shoe"
        automaton = compile_automaton(game, rules, NO_DECISIONS, reuse_shoe=True)
        self._cards: ShoePolicy = game.live.shoe_policy(rules)
        self._reuses_shoe = self._cards.decks > 0 and not self._cards.every_round
        self._columns = automaton.columns
        self._memory = Memory()
        self._draws_max = automaton.draws()[1]
        sizes = {f"came_{nth}": len(automaton.columns) + 1 for nth in range(1, self._draws_max + 1)}
        if self._reuses_shoe:
            shoe = shoe_of(automaton, self._cards.decks)
            sizes |= {
                f"out_{''.join(group)}": full + 1 for group, full in zip(automaton.columns, shoe, strict=True)
            }
        return Observations(main_bets(game, rules), sizes, lambda memory, _: tuple(self._sensed(memory)))

    def _sensed(self, memory: Memory) -> Iterator[int]:
        yield from memory.came
        yield from (0 for _ in range(self._draws_max - len(memory.came)))
        if self._reuses_shoe:
            out = Counter(memory.out)
            yield from (out[column] for column in range(1, len(self._columns) + 1))

    def _column(self, text: str) -> int:
        """Return the column of a card, by itself or by its rank, a pocket or a roll."""
        found = (place for place, group in enumerate(self._columns, 1) if text in group or text[:-1] in group)
        return next(found)

    def _burned(self, shoe: ChanceSource) -> ChanceSource:
        """Return the shoe without its burned cards; the turned one is seen."""
        turned, shoe = shoe.answer(DealCard(SHOE))
        self._memory = self._memory._replace(out=(self._column(str(turned)),))
        return shoe

    def _is_dealt_out(self) -> bool:
        """True if no further coup is dealt from the shoe."""
        source = self._deal.source
        if not (self._reuses_shoe and isinstance(source, ShoeSource)):
            return True
        left, out = source.shoe.remaining, source.shoe.cut_card_out
        over = self._cards.is_exhausted(left, cut_card=out, after_cut=self._after_cut)
        self._after_cut += out
        return over

    def _observation(self) -> Observation:
        return np.array(self.observations.observe(self._memory, None), dtype=np.int64)

    def _info(self) -> Info:
        return {"action_mask": self.action_masks()}
