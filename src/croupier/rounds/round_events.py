"""Rounds in the form of the protocol: steps as events, states, and records of pages."""

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


def step_event(step: RoundStep, words: Mapping[str, str]) -> RoundEvent:
    """Return a step as everyone may see it: a peek has no card.

    `words`: the game's names of its hands.
    """
    return replace(_event(step), name=words.get(str(step.want.to), ""))


def decider(step: RoundStep, by: str) -> str:
    """Return `by` if the step is a decision, else an empty text."""
    return by if isinstance(step.want, Decision) else ""


def _event(step: RoundStep) -> RoundEvent:
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
    raise AssertionError(f"no event for {step}")


def step_events(
    steps: Iterable[RoundStep], words: Mapping[str, str], ended: bool, by: str = ""
) -> tuple[RoundEvent, ...]:
    """Return the events of an own table's steps; `by`: who decided, if it wasn't the player."""
    events = tuple(replace(step_event(step, words), by=decider(step, by)) for step in steps)
    return (*events, RoundEvent("ended")) if ended else events


def stakes(wagers: Iterable[Wager]) -> tuple[Stake, ...]:
    return tuple([Stake(*wager) for wager in wagers])


def played_round(played: OwnRound, balance_minor: int) -> PlayedRound:
    view = played.table.game.show(played.deal.round, balance_minor)
    return PlayedRound(played.id, played.number, played.started_ms, played.turn, view)


def table_state(
    currency: str,
    played: OwnRound | None,
    last: Iterable[Wager],
    balance_minor: int,
    next_deal_ms: int,
    after: str,
) -> TableState:
    """Return the state of a player's own table."""
    round_ = played_round(played, balance_minor) if played else None
    return TableState(currency, round_, next_deal_ms, stakes(last), after)
