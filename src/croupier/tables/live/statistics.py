"""Statistics of the open window: the choices of other players in the same situation."""

from collections.abc import Mapping

from msgspec import Struct

from croupier.play.contract.live import Path
from croupier.play.contract.wants import At, Decision
from croupier.tables.live.state import State


class ActionShare(Struct, frozen=True):
    """Of `decided` players in a situation, `chose` chose this action."""

    at: At
    action: str
    chose: int
    decided: int


def group_shares(state: State, group: Path) -> tuple[ActionShare, ...]:
    """Return the share of each option of a group's decisions; empty if the jurisdiction forbids it."""
    play, window = state.play, state.window
    if play is None or window is None or state.setup.seats or not state.setup.profile.statistics:
        return ()
    wants = play.open.get(group, ())
    counts = {want: window.choice_counts.get(play.situation(group, want.to), {}) for want in wants}
    return tuple(share for want in wants for share in _shares(want, counts[want]))


def _shares(want: Decision, counts: Mapping[str, int]) -> list[ActionShare]:
    decided = sum(counts.values())
    actions = [option.action for option in want.options]
    return [ActionShare(want.to, action, counts.get(action, 0), decided) for action in actions]
