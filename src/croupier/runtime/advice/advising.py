"""Advice on open decisions, and judgements of those made; both are entered before they are shown."""

from collections.abc import Mapping
from typing import Any

from croupier.clock import now_ms
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.play.contract.wants import At
from croupier.protocol import wire
from croupier.protocol.wire.advice import OptionValue
from croupier.runtime import round_entries
from croupier.runtime.advice import training
from croupier.runtime.advice.moments import Moment, open_moment, past_moment, record_of
from croupier.runtime.advice.training import Judgement, Record, millionths, units
from croupier.runtime.house import House


async def advise(house: House, player: str, order: wire.AdviceRequest) -> wire.DecisionAdvice:
    """Return what each option of an open decision is worth; a note under the round says what was shown."""
    record = record_of(house, player, order.round)
    at = At(order.box, order.hand)
    moment = open_moment(house.bank.ledger, record, order.turn, at)
    worths = millionths(await house.adviser.worths(moment.question))
    await house.bank.enter([_note(_advice_key(moment), moment, player, {"shown": worths})])
    return wire.DecisionAdvice(order.round, order.turn, *at, _best(worths), _options(worths))


async def judge(house: House, player: str, order: wire.ReviewRequest) -> wire.DecisionReview:
    """Return what a decision cost beside the best one, and count it once in the player's training record."""
    record = record_of(house, player, order.round)
    moment, choice = past_moment(house.bank.ledger, record, order.turn)
    worths = millionths(await house.adviser.worths(moment.question))
    advised = house.bank.ledger.entry(_advice_key(moment)) is not None
    one = _judgement(moment, worths, choice.action, advised=advised)
    key = f"judged:{order.round}:{order.turn}"
    note = _note(key, moment, player, {"shown": worths, "action": choice.action, "advised": advised})
    kept = await house.bank.durable(house.stores.training.add(player, one, note))
    return wire.DecisionReview(
        order.round,
        order.turn,
        *moment.decision.to,
        choice.action,
        one.best,
        units(one.cost_millionths),
        advised,
        _options(worths),
        _totals(kept.total),
    )


async def trained(house: House, player: str) -> wire.TrainingRecord:
    """Return the player's training record."""
    record = await house.bank.durable(house.stores.training.read(player))
    return wire.TrainingRecord(
        _totals(record.total), record.advised, tuple(_lines(house, record)), tuple(_worst(house, record))
    )


def _judgement(moment: Moment, worths: Mapping[str, int], action: str, *, advised: bool) -> Judgement:
    return Judgement(
        moment.record.id,
        now_ms(),
        moment.record.table,
        moment.advice.kind(moment.round, moment.decision),
        moment.advice.describe(moment.round, moment.decision),
        action,
        _best(worths),
        max(worths.values()) - worths[action],
        advised,
    )


def _note(key: str, moment: Moment, player: str, body: Mapping[str, Any]) -> Entry:
    record = moment.record
    return entries.note(key, now_ms(), body, player=player, table=record.table, round_id=record.id)


def _advice_key(moment: Moment) -> str:
    return round_entries.advice_key(moment.record.id, moment.turn, moment.decision.to)


def _best(worths: Mapping[str, int]) -> str:
    return max(worths, key=lambda action: worths[action])


def _options(worths: Mapping[str, int]) -> tuple[OptionValue, ...]:
    return tuple(OptionValue(action, units(worth)) for action, worth in worths.items())


def _totals(counted: training.Counted) -> wire.TrainingTotals:
    return wire.TrainingTotals(counted.decisions, counted.mistakes, units(counted.cost_millionths))


def _lines(house: House, record: Record) -> list[wire.TrainingLine]:
    """Return the tables in the order of the lobby; a table that the server no longer has isn't told."""
    return [
        wire.TrainingLine(table.id, table.title, kind, title, _totals(record.by[table.id][kind]))
        for table in house.tables.values()
        if table.id in record.by and table.game.advice
        for kind, title in table.game.advice.kinds.items()
        if kind in record.by[table.id]
    ]


def _worst(house: House, record: Record) -> list[wire.Mistake]:
    return [
        wire.Mistake(
            one.round,
            one.at_ms,
            one.table,
            house.tables[one.table].title if one.table in house.tables else one.table,
            one.hand,
            one.action,
            one.best,
            units(one.cost_millionths),
        )
        for one in record.worst
    ]
