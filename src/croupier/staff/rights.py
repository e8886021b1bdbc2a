"""Roles required for staff actions. Managers don't deal, dealers don't manage, and both may pause a table."""

from croupier.accounts.staff_members import Member, Role
from croupier.protocol import staff_players, staff_wire
from croupier.refusal import Refused

DEALERS: tuple[Role, ...] = ("dealer",)
MANAGERS: tuple[Role, ...] = ("manager",)
ANY_ROLE: tuple[Role, ...] = ("dealer", "manager")

RIGHTS: dict[type[staff_wire.Action], tuple[Role, ...]] = {
    staff_wire.EnterResult: DEALERS,
    staff_wire.DeclareNoSpin: DEALERS,
    staff_wire.ReportCutCard: DEALERS,
    staff_wire.ConfirmShuffle: DEALERS,
    staff_wire.PostDealerChat: DEALERS,
    staff_wire.PauseTable: ANY_ROLE,
    staff_wire.ResumeTable: MANAGERS,
    staff_wire.OpenTable: MANAGERS,
    staff_wire.CloseTable: MANAGERS,
    staff_wire.VoidRound: MANAGERS,
    staff_wire.CorrectCard: MANAGERS,
    staff_wire.SetLimits: MANAGERS,
    staff_wire.SetDealer: MANAGERS,
    staff_wire.MutePlayer: MANAGERS,
    staff_wire.RemoveChatLine: MANAGERS,
    staff_wire.DismissReport: MANAGERS,
}

OFFICE_RIGHTS: dict[type[staff_players.OfficeCommand], tuple[Role, ...]] = {
    staff_players.Search: MANAGERS,
    staff_players.ViewPlayer: MANAGERS,
    staff_players.ViewRecording: MANAGERS,
    staff_players.ViewApprovals: MANAGERS,
    staff_players.EndPlayerSessions: MANAGERS,
    staff_players.CloseAccount: MANAGERS,
    staff_players.AskAdjustment: MANAGERS,
    staff_players.AskReopening: MANAGERS,
    staff_players.DecideApproval: MANAGERS,
}
"""Commands of the back office; nobody may execute one that isn't listed."""


def require_role(member: Member, allowed: tuple[Role, ...]) -> None:
    """Refuse `not_allowed`, with the allowed roles as its rule, if the member has none of them."""
    if member.role not in allowed:
        raise Refused("not_allowed", rule=" or ".join(allowed))


def require_right(member: Member, command: staff_players.OfficeCommand) -> None:
    """Refuse `not_allowed` if the member may not execute a command of the back office."""
    require_role(member, OFFICE_RIGHTS.get(type(command), ()))
