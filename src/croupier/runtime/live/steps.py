"""One step of a live table's machine, kept until what it costs is durable and what it says is told."""

from msgspec import Struct

from croupier.play.contract.wants import Want
from croupier.refusal import Refused
from croupier.tables.live import step
from croupier.tables.live.effects import Effect, Hold, Raise, Refusal, Settle, Void
from croupier.tables.live.inputs import AnyInput
from croupier.tables.live.phases import ROUND_PHASES
from croupier.tables.live.state import State

_ASKS = (Hold, Raise)
_ENDS = (Settle, Void)


class Stepped(Struct, frozen=True, gc=False):
    before: State
    given: AnyInput
    effects: tuple[Effect, ...]
    after: State
    ended: tuple[Settle | Void, ...] = ()
    """How the stakes of players come to their end by it."""

    @property
    def player(self) -> str:
        """Whose input it was; empty: the table's."""
        return getattr(self.given, "player", "")

    @property
    def refused(self) -> Refused | None:
        """Why what was asked isn't done, if it isn't."""
        last = self.effects[-1] if self.effects else None
        if not isinstance(last, Refusal):
            return None
        args = {name: value for name, value in last.args.items() if name != "rule"}
        return Refused(last.code, rule=last.rule, **args)

    @property
    def public(self) -> bool:
        """Whether it brought something for everybody."""
        return self.after.v != self.before.v

    @property
    def hold(self) -> tuple[str, int] | None:
        """The player and the number of the hold that it waits for, if it costs anything."""
        for effect in self.effects:
            if isinstance(effect, _ASKS) and effect.player == self.player:
                return effect.player, effect.hold
        return None

    @property
    def settles(self) -> bool:
        """Whether a round has come to its end."""
        return any(isinstance(end, Settle) for end in self.ended)

    @property
    def ends(self) -> bool:
        """Whether stakes are settled or given back."""
        return bool(self.ended)

    @property
    def ends_round(self) -> bool:
        """Whether nothing is staked any more: also where nobody has bet, or all that was is taken back."""
        return self.before.phase in ROUND_PHASES and self.after.phase not in ROUND_PHASES

    @property
    def rests(self) -> bool:
        """Whether the last card, ball or roll has come, and is left to be seen for a while."""
        rests = self.after.phase == "settlement" and self.after.deadline_ms is not None
        return rests and self.before.phase != "settlement"

    @property
    def cards_begin(self) -> bool:
        """Whether the bets are closed and the first card is wanted."""
        return self.before.play is None and self.after.play is not None

    @property
    def asked(self) -> Want | None:
        """What who deals was asked for before this step."""
        return self.before.want


def taken(state: State, given: AnyInput, at_ms: int) -> Stepped:
    after, effects = step(state, given, at_ms)
    ended = [effect for effect in effects if isinstance(effect, _ENDS)] if after.v != state.v else ()
    return Stepped(state, given, effects, after, tuple(ended))
