"""Decisions of a player's own rounds, found in the ledger: those that are open, and those that were made."""

from typing import Any, NamedTuple

import msgspec

from croupier.dealing.advice.question import Question, decision_at
from croupier.ledger.protocol import LedgerReader, RoundRecord
from croupier.play.contract.advice import GameAdvice
from croupier.play.contract.game import Game, Table
from croupier.play.contract.wants import At, Choice, Decision
from croupier.play.driving.dealing import RoundStep, parse_step, replay
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.rounds import round_entries


class Moment(NamedTuple):
    """A decision of a round: what its player saw, and what they might do."""

    record: RoundRecord
    turn: int
    game: Game
    round: Any
    decision: Decision

    @property
    def advice(self) -> GameAdvice:
        assert self.game.advice is not None, "the game has no advice"
        return self.game.advice

    @property
    def question(self) -> Question:
        rules: dict[str, Any] = msgspec.to_builtins(self.round.rules)
        steps = round_entries.steps_of(self.record)[: self.turn]
        wagers = round_entries.wagers_of(self.record)
        return Question(self.game.name, rules, wagers, steps, self.decision.to)


def allowed(profile: wire.JurisdictionProfile, table: Table, currency: str) -> bool:
    """Return whether players may be advised at this table: never at a live one."""
    known = table.currencies.get(currency)
    play_money = profile.advice == "play_money" and known is not None and known.play_money
    return table.dealing == "own" and (play_money or profile.advice == "own_tables")


def open_moment(ledger: LedgerReader, record: RoundRecord, turn: int, at: At) -> Moment:
    """Return the decision that this hand waits for; refuse `round_ended` and `not_your_turn`."""
    if record.status != "open":
        raise Refused("round_ended", round=record.id)
    if turn != len(round_entries.steps_of(record)):
        raise Refused("not_your_turn", box=at.box, hand=at.hand)
    game, round_ = _played(ledger, record, turn)
    return Moment(record, turn, game, round_, decision_at(round_, at))


def past_moment(ledger: LedgerReader, record: RoundRecord, turn: int) -> tuple[Moment, Choice]:
    """Return what the player decided at this turn; refuse `no_such_decision` if they decided nothing."""
    steps = round_entries.steps_of(record)
    if turn < len(steps) and not round_entries.own_deciders(ledger, record)[turn]:
        game, round_ = _played(ledger, record, turn)
        match parse_step(round_, steps[turn]):
            case RoundStep(Decision() as decision, Choice() as choice):
                return Moment(record, turn, game, round_, decision), choice
    raise Refused("no_such_decision", round=record.id, turn=turn)


def _played(ledger: LedgerReader, record: RoundRecord, turn: int) -> tuple[Game, Any]:
    game, start = round_entries.opened_round(ledger, record)
    return game, replay(start, round_entries.steps_of(record)[:turn])
