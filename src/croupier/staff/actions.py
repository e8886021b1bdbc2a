"""Execution of staff actions as inputs of the table or changes of its chat."""

from collections.abc import Callable, Mapping
from typing import Any

from croupier.accounts.staff_members import Member
from croupier.dealing.live.table import LiveTable
from croupier.play.contract.amounts import StakeLimits
from croupier.protocol import staff_wire
from croupier.refusal import Refused
from croupier.tables.live import inputs as i
from croupier.tables.live.inputs import AnyInput
from croupier.tables.live.setup import DealtBy

MINUTE_MS = 60_000


def _limits(ranges: Mapping[str, staff_wire.LimitRange]) -> dict[str, StakeLimits]:
    return {currency: StakeLimits(each.min_minor, each.max_minor) for currency, each in ranges.items()}


INPUTS: dict[type[staff_wire.Action], Callable[[Any], AnyInput]] = {
    staff_wire.EnterResult: lambda action: i.Dealt(action.what, action.ask),
    staff_wire.DeclareNoSpin: lambda _: i.SpinInvalid(),
    staff_wire.ReportCutCard: lambda _: i.CutCard(),
    staff_wire.ConfirmShuffle: lambda action: i.Shuffled(action.shoe),
    staff_wire.PauseTable: lambda action: i.Paused(action.reason),
    staff_wire.ResumeTable: lambda _: i.Resumed(),
    staff_wire.OpenTable: lambda _: i.TableOpened(),
    staff_wire.CloseTable: lambda _: i.TableClosed(),
    staff_wire.VoidRound: lambda action: i.Voided(action.reason),
    staff_wire.CorrectCard: lambda action: i.Corrected(action.place, action.was, action.what, action.reason),
    staff_wire.SetLimits: lambda action: i.LimitsSet(
        _limits(action.limits),
        _limits(action.side_limits),
        {kind: _limits(ranges) for kind, ranges in action.kind_limits.items()},
        _limits(action.table_limits),
    ),
}
"""The table's input for each action; other actions don't have one."""
ROUND_ACTIONS = (staff_wire.VoidRound, staff_wire.CorrectCard)
DEALER_ACTIONS = (
    staff_wire.EnterResult,
    staff_wire.DeclareNoSpin,
    staff_wire.ReportCutCard,
    staff_wire.ConfirmShuffle,
)


async def execute(live: LiveTable, member: Member, action: staff_wire.Action, now_ms: int) -> None:
    """Execute an action durably, or raise the refusal of the table or its chat.

    Actions of a dealer are refused `automatic_dealer` at a table of the automatic dealer.
    """
    if isinstance(action, DEALER_ACTIONS) and live.dealer == "automatic":
        raise Refused("automatic_dealer")
    match action:
        case staff_wire.SetDealer():
            await _change_dealer(live, action.by)
        case staff_wire.PostDealerChat():
            live.chat.post_as_dealer(member.name, action.text, now_ms)
        case staff_wire.MutePlayer():
            live.chat.mute(action.player, now_ms + action.minutes * MINUTE_MS, now_ms)
        case staff_wire.RemoveChatLine():
            live.chat.remove(action.line, now_ms)
        case staff_wire.DismissReport():
            live.chat.dismiss(action.line, now_ms)
        case _:
            round_ = action.round if isinstance(action, ROUND_ACTIONS) else ""
            await live.execute(INPUTS[type(action)](action), round_)


async def _change_dealer(live: LiveTable, by: DealtBy) -> None:
    """Change the dealer; an open table closes after its round and reopens, since the shoes change too."""
    if live.state.phase == "closed":
        live.set_dealer(by)
        return
    if not live.state.closing:
        await live.execute(i.TableClosed())

    def changed() -> None:
        if live.state.phase == "closed":
            live.set_dealer(by)
            live.submit(i.TableOpened())
        if live.state.phase == "closed" or not live.state.closing:  # or reopened by the manager
            unwatch()

    unwatch = live.watch(changed)
    changed()
