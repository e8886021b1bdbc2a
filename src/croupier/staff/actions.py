"""What an action of the staff does: an input of the table's, or a word in its chat."""

from collections.abc import Callable, Mapping
from typing import Any

from croupier.accounts.staff_members import Member
from croupier.play.contract.amounts import StakeLimits
from croupier.protocol import staff_wire
from croupier.refusal import Refused
from croupier.runtime.live.table import LiveTable
from croupier.tables.live import inputs as i
from croupier.tables.live.inputs import AnyInput
from croupier.tables.live.setup import DealtBy

MINUTE_MS = 60_000


def _limits(ranges: Mapping[str, staff_wire.LimitRange]) -> dict[str, StakeLimits]:
    return {currency: StakeLimits(each.min_minor, each.max_minor) for currency, each in ranges.items()}


INPUTS: dict[type[staff_wire.Action], Callable[[Any], AnyInput]] = {
    staff_wire.EnterResult: lambda done: i.Dealt(done.what, done.ask),
    staff_wire.DeclareNoSpin: lambda _: i.SpinInvalid(),
    staff_wire.ReportCutCard: lambda _: i.CutCard(),
    staff_wire.ConfirmShuffle: lambda done: i.Shuffled(done.shoe),
    staff_wire.PauseTable: lambda done: i.Paused(done.reason),
    staff_wire.ResumeTable: lambda _: i.Resumed(),
    staff_wire.OpenTable: lambda _: i.TableOpened(),
    staff_wire.CloseTable: lambda _: i.TableClosed(),
    staff_wire.VoidRound: lambda done: i.Voided(done.reason),
    staff_wire.CorrectCard: lambda done: i.Corrected(done.place, done.was, done.what, done.reason),
    staff_wire.SetLimits: lambda done: i.LimitsSet(
        _limits(done.limits),
        _limits(done.side_limits),
        {kind: _limits(ranges) for kind, ranges in done.kind_limits.items()},
        _limits(done.table_limits),
    ),
}
"""What the table is told; the rest is done beside it."""
ROUND_ACTIONS = (staff_wire.VoidRound, staff_wire.CorrectCard)
DEALER_ACTIONS = (
    staff_wire.EnterResult,
    staff_wire.DeclareNoSpin,
    staff_wire.ReportCutCard,
    staff_wire.ConfirmShuffle,
)


async def carry_out(live: LiveTable, member: Member, action: staff_wire.Action, now_ms: int) -> None:
    """Done and durable when it returns; Refused as the table or its chat refuses, and nothing is changed.

    Where the automatic dealer deals, `automatic_dealer` is refused to a person who would.
    """
    if isinstance(action, DEALER_ACTIONS) and live.dealer == "automatic":
        raise Refused("automatic_dealer")
    match action:
        case staff_wire.SetDealer():
            await _hand_over(live, action.by)
        case staff_wire.PostDealerChat():
            live.chat.post_as_dealer(member.name, action.text, now_ms)
        case staff_wire.MutePlayer():
            live.chat.mute(action.player, now_ms + action.minutes * MINUTE_MS, now_ms)
        case staff_wire.RemoveChatLine():
            live.chat.remove(action.line, now_ms)
        case staff_wire.DismissReport():
            live.chat.dismiss(action.line, now_ms)
        case _:
            meant = action.round if isinstance(action, ROUND_ACTIONS) else ""
            await live.execute(INPUTS[type(action)](action), meant)


async def _hand_over(live: LiveTable, by: DealtBy) -> None:
    """The shoes change hands too: so a table that is open closes after its round, and opens anew."""
    if live.state.phase == "closed":
        live.set_dealer(by)
        return
    if not live.state.closing:
        await live.execute(i.TableClosed())

    def changed() -> None:
        if live.state.phase == "closed":
            live.set_dealer(by)
            live.submit(i.TableOpened())
        if live.state.phase == "closed" or not live.state.closing:  # the manager has kept it open as it was
            end()

    end = live.watch(changed)
    changed()
