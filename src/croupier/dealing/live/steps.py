"""One step of a live table's machine, kept until its cost is durable and its effects are published."""

from collections.abc import Iterable

from msgspec import Struct

from croupier.play.contract.wants import Want
from croupier.refusal import Refused
from croupier.tables.live import step
from croupier.tables.live.effects import Effect, Hold, Raise, Refusal, Settle, Void
from croupier.tables.live.inputs import AnyInput
from croupier.tables.live.phases import ROUND_PHASES
from croupier.tables.live.state import HoldKey, State

_HOLDS = (Hold, Raise)
_ENDS = (Settle, Void)


class TableStep(Struct, frozen=True, gc=False):
    """One step of a live table's state machine, with its effects.

    `ended`: the players' rounds that the step settles or voids.
    """

    before: State
    given: AnyInput
    effects: tuple[Effect, ...]
    after: State
    ended: tuple[Settle | Void, ...] = ()
    at_ms: int = 0

    @property
    def player(self) -> str:
        """The player who gave the input; empty: the table."""
        return getattr(self.given, "player", "")

    @property
    def refused(self) -> Refused | None:
        """The refusal of the input, if there is one."""
        last = self.effects[-1] if self.effects else None
        if not isinstance(last, Refusal):
            return None
        args = {name: value for name, value in last.args.items() if name != "rule"}
        return Refused(last.code, rule=last.rule, **args)

    @property
    def public(self) -> bool:
        """True if the step has something for everyone."""
        return self.after.v != self.before.v

    @property
    def hold(self) -> HoldKey | None:
        """The hold that the input waits for."""
        for effect in self.effects:
            if isinstance(effect, _HOLDS) and effect.player == self.player:
                return effect.player, effect.round, effect.hold
        return None

    @property
    def settles(self) -> bool:
        """True if a round is settled."""
        return any(isinstance(end, Settle) for end in self.ended)

    @property
    def ends(self) -> bool:
        """True if stakes are settled or given back."""
        return bool(self.ended)

    @property
    def ends_round(self) -> bool:
        """True if the table's round is over, even if nothing was staked in the end."""
        return self.before.phase in ROUND_PHASES and self.after.phase not in ROUND_PHASES

    @property
    def starts_settlement(self) -> bool:
        """True if the last card, ball or roll is shown for a while before the settlement."""
        shows = self.after.phase == "settlement" and self.after.deadline_ms is not None
        return shows and self.before.phase != "settlement"

    @property
    def starts_dealing(self) -> bool:
        """True if the bets are closed and the first card is wanted."""
        return self.before.play is None and self.after.play is not None

    @property
    def want(self) -> Want | None:
        """The request to the dealer before this step."""
        return self.before.want


def take_step(state: State, given: AnyInput, at_ms: int) -> TableStep:
    """Give the machine an input at that time."""
    after, effects = step(state, given, at_ms)
    ended = [effect for effect in effects if isinstance(effect, _ENDS)] if after.v != state.v else ()
    return TableStep(state, given, effects, after, tuple(ended), at_ms)


def take_steps(state: State, inputs: Iterable[AnyInput], at_ms: int) -> list[TableStep]:
    """Give the machine inputs, one after the other, at that time."""
    steps = list[TableStep]()
    for given in inputs:
        steps.append(take_step(steps[-1].after if steps else state, given, at_ms))
    return steps
