"""A table of coups: an action is the bet that gets a stake, a step is a coup, an episode a shoe."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.gym.env import CroupierEnv, Info, Observation
from croupier.maths.exact.compile import compile_automaton, main_bets
from croupier.maths.exact.outcomes import shoe_of
from croupier.play.contract.bets import Wager
from croupier.play.contract.live import ShoePolicy
from croupier.play.contract.observations import Observations
from croupier.play.contract.wants import SHOE, DealCard
from croupier.play.coup.model import NO_DECISIONS
from croupier.play.driving.dealing import DealtRound
from croupier.play.driving.sources import ChanceSource, ShoeSource


class Memory(NamedTuple):
    """What a player has seen, by the columns of the game's automaton, from 1."""

    came: tuple[int, ...] = ()
    """What came up in the last coup, in the order of dealing."""
    out: tuple[int, ...] = ()
    """All cards of the shoe that he saw."""


class CoupEnv(CroupierEnv):
    """Every bet is allowed at every time."""

    _memory: Memory
    _after_cut = 0
    """Coups dealt after the one in which the cut card came out."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """A fresh shoe, if the table deals from one. The same seed deals the same coups.

        Without a seed the player still knows what came up last.
        """
        super().reset(seed=seed, options=options)
        self._memory, self._after_cut = Memory(() if seed is not None else self._memory.came), 0
        coup = self._begun(self.senses.actions[0])
        source = self._source(coup, self._cards.cut if self._goes_on else None)
        self._deal = DealtRound(coup, source if self._cards.burn == "none" else self._burned(source))
        return self._seen(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        coup = self._begun(self.senses.actions[action])
        self._deal = DealtRound(coup, self._deal.source if self._goes_on else self._source(coup)).deal()
        came = tuple(self._column(str(step.answer)) for step in self._deal.steps)
        self._memory = Memory(came, self._memory.out + came)
        net, staked = self._result()
        return self._seen(), net, self._shoe_is_out(), False, self._info() | {"staked": staked}

    def action_masks(self) -> NDArray[np.int8]:
        """1 for each bet: nothing is ever forbidden that is placed alone."""
        return np.ones(len(self.senses.actions), dtype=np.int8)

    def _senses(self) -> Observations:
        game, rules = self.table.game, self.table.rules
        assert game.live is not None, f"nobody says how {game.title} is dealt"
        automaton = compile_automaton(game, rules, NO_DECISIONS, reuse_shoe=True)
        self._cards: ShoePolicy = game.live.shoe_policy(rules)
        self._goes_on = self._cards.decks > 0 and not self._cards.every_round
        self._columns = automaton.columns
        self._memory = Memory()
        self._draws_max = automaton.draws()[1]
        sizes = {f"came_{nth}": len(automaton.columns) + 1 for nth in range(1, self._draws_max + 1)}
        if self._goes_on:
            shoe = shoe_of(automaton, self._cards.decks)
            sizes |= {
                f"out_{''.join(group)}": full + 1 for group, full in zip(automaton.columns, shoe, strict=True)
            }
        return Observations(main_bets(game, rules), sizes, lambda memory, _: tuple(self._sensed(memory)))

    def _sensed(self, memory: Memory) -> Iterator[int]:
        yield from memory.came
        yield from (0 for _ in range(self._draws_max - len(memory.came)))
        if self._goes_on:
            out = Counter(memory.out)
            yield from (out[column] for column in range(1, len(self._columns) + 1))

    def _column(self, text: str) -> int:
        """Of what came up: a card by itself or by its rank, a pocket, a roll."""
        found = (place for place, group in enumerate(self._columns, 1) if text in group or text[:-1] in group)
        return next(found)

    def _begun(self, bet: str) -> Any:
        return self.table.game.start(self.table.rules, [Wager(0, bet, self._stake)])

    def _burned(self, shoe: ChanceSource) -> ChanceSource:
        """Without its first cards; the one that was turned is seen."""
        turned, shoe = shoe.answer(DealCard(SHOE))
        self._memory = self._memory._replace(out=(self._column(str(turned)),))
        return shoe

    def _shoe_is_out(self) -> bool:
        """Whether no coup follows from it."""
        source = self._deal.source
        if not (self._goes_on and isinstance(source, ShoeSource)):
            return True
        left, out = source.shoe.remaining, source.shoe.cut_card_out
        over = self._cards.is_exhausted(left, cut_card=out, after_cut=self._after_cut)
        self._after_cut += out
        return over

    def _seen(self) -> Observation:
        return np.array(self.senses.observe(self._memory, None), dtype=np.int64)

    def _info(self) -> Info:
        return {"action_mask": self.action_masks()}
