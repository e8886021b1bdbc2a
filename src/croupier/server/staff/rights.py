"""Who of the staff may do what. A manager doesn't deal, a dealer doesn't manage, anybody may stop a table."""

from croupier.players.staff import Member, Role
from croupier.refusal import Refused
from croupier.server.staff import wire

DEALERS: tuple[Role, ...] = ("dealer",)
MANAGERS: tuple[Role, ...] = ("manager",)
ANYBODY: tuple[Role, ...] = ("dealer", "manager")

RIGHTS: dict[type[wire.Action], tuple[Role, ...]] = {
    wire.DealCard: DEALERS,
    wire.NoSpin: DEALERS,
    wire.CutCardOut: DEALERS,
    wire.ShoeShuffled: DEALERS,
    wire.SayAsDealer: DEALERS,
    wire.PauseTable: ANYBODY,
    wire.ResumeTable: MANAGERS,
    wire.OpenTable: MANAGERS,
    wire.CloseTable: MANAGERS,
    wire.VoidRound: MANAGERS,
    wire.CorrectCard: MANAGERS,
    wire.SetLimits: MANAGERS,
    wire.SetDealer: MANAGERS,
    wire.MutePlayer: MANAGERS,
    wire.TakeLineAway: MANAGERS,
    wire.LeaveLine: MANAGERS,
}


def check(member: Member, allowed: tuple[Role, ...]) -> None:
    """Refused `not_allowed`, by the rule that names who may, when it isn't his to do."""
    if member.role not in allowed:
        raise Refused("not_allowed", rule=" or ".join(allowed))
