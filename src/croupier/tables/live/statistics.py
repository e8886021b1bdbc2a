"""What players in the same situation decided, in the window that is open."""

from collections.abc import Mapping

from msgspec import Struct

from croupier.play.contract.live import Path
from croupier.play.contract.wants import At, Decision
from croupier.tables.live.state import State


class ActionShare(Struct, frozen=True):
    """Of `decided` players in this situation, `chose` chose this action."""

    at: At
    action: str
    chose: int
    decided: int


def group_shares(state: State, group: Path) -> tuple[ActionShare, ...]:
    """For each decision open to a group, each option on offer; empty where a jurisdiction forbids it."""
    play, window = state.play, state.window
    if play is None or window is None or state.setup.seats or not state.setup.profile.statistics:
        return ()
    wants = play.open.get(group, ())
    counts = {want: window.chosen.get(play.situation(group, want.to), {}) for want in wants}
    return tuple(share for want in wants for share in _of(want, counts[want]))


def _of(want: Decision, counts: Mapping[str, int]) -> list[ActionShare]:
    decided = sum(counts.values())
    actions = [option.action for option in want.options]
    return [ActionShare(want.to, action, counts.get(action, 0), decided) for action in actions]
