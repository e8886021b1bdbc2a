"""Advice on open decisions, and judgements of those made; both are posted before they are shown."""

from collections.abc import Mapping
from typing import Any

from croupier.admission.ledger_gateway import LedgerGateway
from croupier.clock import now_ms
from croupier.dealing.advice import training
from croupier.dealing.advice.adviser import Adviser
from croupier.dealing.advice.moments import Moment, allowed, open_moment, past_moment
from croupier.dealing.advice.training import Judgement, Record, TrainingRecords, millionths, units
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader, RoundRecord
from croupier.play.contract.game import Table
from croupier.play.contract.wants import At
from croupier.protocol import wire
from croupier.protocol.wire.advice import OptionValue
from croupier.refusal import Refused
from croupier.rounds import round_entries


class AdviceService:
    """Answers players' questions for advice, and keeps their training records.

    `records`: the players' training records; `tables` and `profile`: those of the server.
    """

    def __init__(
        self,
        ledger: LedgerReader,
        gateway: LedgerGateway,
        records: TrainingRecords,
        tables: Mapping[str, Table],
        profile: wire.JurisdictionProfile,
    ) -> None:
        self._ledger = ledger
        self._gateway = gateway
        self._records = records
        self._tables = tables
        self._profile = profile
        self._adviser = Adviser()

    async def advise(self, player: str, order: wire.AdviceRequest) -> wire.DecisionAdvice:
        """Return the value of each option of an open decision; a note under the round records the answer."""
        read = self._gateway.read
        record = await read(self._record_of, player, order.round)
        at = At(order.box, order.hand)
        moment = await read(open_moment, self._ledger, record, order.turn, at)
        worths = millionths(await self._adviser.worths(moment.question))
        await self._gateway.post([_note(_advice_key(moment), moment, player, {"shown": worths})])
        return wire.DecisionAdvice(order.round, order.turn, *at, _best(worths), _options(worths))

    async def judge(self, player: str, order: wire.ReviewRequest) -> wire.DecisionReview:
        """Return the cost of a decision beside the best one, and count it once in the training record."""
        read = self._gateway.read
        record = await read(self._record_of, player, order.round)
        moment, choice = await read(past_moment, self._ledger, record, order.turn)
        worths = millionths(await self._adviser.worths(moment.question))
        advised = await read(self._ledger.entry, _advice_key(moment)) is not None
        one = _judgement(moment, worths, choice.action, advised=advised)
        key = f"judged:{order.round}:{order.turn}"
        note = _note(key, moment, player, {"shown": worths, "action": choice.action, "advised": advised})
        kept = await self._gateway.durable(self._records.add(player, one, note))
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

    async def training_record(self, player: str) -> wire.TrainingRecord:
        """Return the player's training record."""
        record = await self._gateway.durable(self._records.read(player))
        return wire.TrainingRecord(
            _totals(record.total),
            record.advised,
            tuple(_lines(self._tables, record)),
            tuple(_worst(self._tables, record)),
        )

    async def close(self) -> None:
        """Stop the process that works out advice."""
        await self._adviser.close()

    def _record_of(self, player: str, round_id: str) -> RoundRecord:
        """Return a round of the player; refuse `no_such_round`, and `advice_not_allowed` at its table."""
        record = self._ledger.round(round_id)
        if record is None or record.player != player:
            raise Refused("no_such_round", round=round_id)
        table = self._tables.get(record.table)
        if table is None or table.game.advice is None or not allowed(self._profile, table, record.currency):
            raise Refused("advice_not_allowed", table=record.table)
        return record


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


def _lines(tables: Mapping[str, Table], record: Record) -> list[wire.TrainingLine]:
    """Return the tables in the order of the lobby, without those that the server no longer has."""
    return [
        wire.TrainingLine(table.id, table.title, kind, title, _totals(record.by[table.id][kind]))
        for table in tables.values()
        if table.id in record.by and table.game.advice
        for kind, title in table.game.advice.kinds.items()
        if kind in record.by[table.id]
    ]


def _worst(tables: Mapping[str, Table], record: Record) -> list[wire.Mistake]:
    return [
        wire.Mistake(
            one.round,
            one.at_ms,
            one.table,
            tables[one.table].title if one.table in tables else one.table,
            one.hand,
            one.action,
            one.best,
            units(one.cost_millionths),
        )
        for one in record.worst
    ]
