"""Tells browsers what happened: steps of a round as happenings, states and pages' records."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import (
    SHOE,
    Choice,
    DealCard,
    DealFaceDown,
    Decision,
    Peek,
    RollDice,
    SpinWheel,
    TurnCard,
)
from croupier.play.driving.dealing import RoundStep
from croupier.protocol.wire import PlayedRound, RoundEvent, Stake, TableState
from croupier.tables.own import OwnRound


def happening(step: RoundStep, words: Mapping[str, str]) -> RoundEvent:
    """One step as viewers may know it: a peek tells that the dealer looked, not what he saw.

    `words` are the game's: they name its hands, where it has names for them.
    """
    return replace(_happening(step), name=words.get(str(step.want.to), ""))


def decider(step: RoundStep, by: str) -> str:
    """`by` where the step is a decision; empty for anything else."""
    return by if isinstance(step.want, Decision) else ""


def _happening(step: RoundStep) -> RoundEvent:
    box, hand = step.want.to
    match step.want, step.answer:
        case DealCard(to), card:
            return RoundEvent("burned" if to == SHOE else "card", box, hand, card=str(card))
        case DealFaceDown(), _:
            return RoundEvent("face_down", box, hand)
        case Peek(), _:
            return RoundEvent("peeked", box, hand)
        case TurnCard(), card:
            return RoundEvent("turned", box, hand, card=str(card))
        case SpinWheel(), pocket:
            return RoundEvent("spun", box, hand, came=str(pocket))
        case RollDice(), roll:
            return RoundEvent("rolled", box, hand, came=str(roll))
        case Decision(), Choice(action):
            return RoundEvent("decided", box, hand, action=action)
    raise AssertionError(f"no telling of {step}")


def happenings(
    steps: Iterable[RoundStep], words: Mapping[str, str], ended: bool, by: str = ""
) -> tuple[RoundEvent, ...]:
    """Steps of an own table as happenings; `by` says who decided, where it isn't the player."""
    told = tuple(replace(happening(step, words), by=decider(step, by)) for step in steps)
    return (*told, RoundEvent("ended")) if ended else told


def stakes(wagers: Iterable[Wager]) -> tuple[Stake, ...]:
    return tuple([Stake(*wager) for wager in wagers])


def played_round(played: OwnRound, balance_minor: int) -> PlayedRound:
    view = played.table.game.show(played.deal.round, balance_minor)
    return PlayedRound(played.id, played.number, played.started_ms, played.turn, view)


def table_state(
    currency: str, played: OwnRound | None, last: Iterable[Wager], balance_minor: int, next_deal_ms: int
) -> TableState:
    """All that a player's own table shows."""
    round_ = played_round(played, balance_minor) if played else None
    return TableState(currency, round_, next_deal_ms, stakes(last))
