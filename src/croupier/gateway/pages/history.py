"""A player's history: rounds with their steps, results, and account movements."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from croupier.ledger.protocol import CashMovement, LedgerReader, RoundRecord, RoundSummary
from croupier.play.contract.game import Game, Table
from croupier.play.contract.wants import At, Decision
from croupier.play.driving.dealing import RoundStep
from croupier.protocol.wire import (
    GameTotals,
    History,
    HistoryLine,
    HistoryRound,
    HistoryStep,
    PastResult,
    StatementEntry,
)
from croupier.rounds import round_entries
from croupier.rounds.round_events import decider, stakes, step_event

_MOVEMENTS = {
    ("grant", True): "grant",
    ("expiry", False): "expiry",
    ("adjustment", True): "adjustment",
    ("adjustment", False): "adjustment",
    ("deposit", True): "deposit",
    ("withdrawal", False): "withdrawal",
    ("withdrawal_requested", False): "withdrawal",
    ("withdrawal_returned", True): "withdrawal_returned",
    ("refund", False): "refund",
    ("charge_back", False): "charge_back",
    ("payout_returned", True): "payout_returned",
    ("payout_repeated", False): "payout_repeated",
    ("debt_repaid", False): "debt_repaid",
    ("deal", False): "stake",
    ("answer", False): "stake",
    ("stakes", False): "stake",
    ("stakes", True): "taken_back",
    ("release", True): "taken_back",
    ("settle", True): "return",
    ("void", True): "void",
    ("coup", True): "return",
    ("call_off", True): "void",
    ("bonus_stake", True): "bonus_stake",
    ("bonus_release", False): "bonus_return",
    ("bonus_return", False): "bonus_return",
    ("bonus_convert", True): "bonus_convert",
    ("wallet_debited", True): "from_wallet",
    ("wallet_due", False): "to_wallet",
}
"""Kinds of statement entries, by the kind of the journal entry and whether it increases the balance."""

FRESH_SHOE = ""
"""Shoe of a result at an own table, where no two rounds share one."""

RECENT_TABLES_MAX = 4
"""Number of recent tables in the lobby."""

VERSIONS = ("server", "rng", "rules", "rules_version")


def history_line(
    record: RoundSummary, tables: Mapping[str, Table], hashes: Mapping[int, str] = MappingProxyType({})
) -> HistoryLine:
    """Summarize a round; a table that no longer exists is shown by its id. `hashes` are those of entries."""
    title = tables[record.table].title if record.table in tables else record.table
    return HistoryLine(
        round=record.id,
        number=record.number,
        table=record.table,
        title=title,
        currency=record.currency,
        started_ms=record.started_ms,
        ended_ms=record.ended_ms,
        staked_minor=record.staked_minor,
        returned_minor=record.returned_minor,
        status=_status(record),
        receipt=f"{record.ended_seq}:{hashes[record.ended_seq]}" if record.ended_seq in hashes else "",
    )


def _status(record: RoundSummary) -> Literal["open", "settled", "void", "taken_back"]:
    """Return the status; in the ledger, a withdrawn bet is settled with the others of its round."""
    nothing_staked = record.status == "settled" and not record.staked_minor
    return "taken_back" if nothing_staked else record.status


class Selection(NamedTuple):
    """Rounds or movements at `tables` (None: anywhere), in the time from `since_ms` to before `until_ms`."""

    tables: tuple[str, ...] | None
    since_ms: int
    until_ms: int | None


def selected_tables(
    tables: Mapping[str, Table], table: str | None, game: str | None
) -> tuple[str, ...] | None:
    """Return the tables to select: one, all those of a game that the server has, or None for any."""
    if game is None:
        return None if table is None else (table,)
    of_game = tuple(each.id for each in tables.values() if each.game.name == game)
    return of_game if table is None else tuple(each for each in of_game if each == table)


def history(
    ledger: LedgerReader,
    tables: Mapping[str, Table],
    player: str,
    selection: Selection,
    before: str | None,
    limit: int,
) -> History:
    """Return a page of rounds, and the totals of all selected ones."""
    found = ledger.rounds(player, before=before, limit=limit + 1, **selection._asdict())
    hashes = ledger.hashes({line.ended_seq for line in found})
    totals = ledger.totals(player, **selection._asdict())
    return History(
        lines=tuple(history_line(line, tables, hashes) for line in found[:limit]),
        more=len(found) > limit,
        staked_minor={currency: total.staked_minor for currency, total in totals.items()},
        returned_minor={currency: total.returned_minor for currency, total in totals.items()},
    )


def game_totals(
    ledger: LedgerReader, tables: Mapping[str, Table], player: str, since_ms: int, until_ms: int
) -> list[GameTotals]:
    """Return the totals of a period by game and currency, sorted by the games' titles."""
    sums: dict[tuple[str, str, str], list[int]] = {}
    for found in ledger.table_totals(player, since_ms=since_ms, until_ms=until_ms):
        game = tables[found.table].game if found.table in tables else None
        key = (game.title, game.name, found.currency) if game else (found.table, "", found.currency)
        amounts = found.rounds, found.staked_minor, found.returned_minor
        sums[key] = [before + more for before, more in zip(sums.get(key, (0, 0, 0)), amounts, strict=True)]
    return [
        GameTotals(since_ms, game, title, code, *sums[title, game, code])
        for title, game, code in sorted(sums)
    ]


def recent_tables(ledger: LedgerReader, tables: Mapping[str, Table], player: str) -> tuple[str, ...]:
    """Return the tables of the player's last rounds that the server still has, newest first."""
    found = ledger.recent_tables(player, limit=RECENT_TABLES_MAX)
    return tuple(table for table in found if table in tables)


def results(ledger: LedgerReader, player: str, table: str, limit: int) -> list[PastResult]:
    """Return the results of the player's last rounds at an own table, oldest first, without void ones."""
    settled = ledger.settlements(player, table, limit=limit)
    return [
        PastResult(str(body["result"]), number, FRESH_SHOE, round_)
        for round_, number, body in reversed(settled)
        if "result" in body
    ]


def history_round(
    ledger: LedgerReader, tables: Mapping[str, Table], record: RoundRecord, shared_ms: int = 0
) -> HistoryRound:
    """Return a round with the view after each step."""
    opening = round_entries.opening_of(record)
    return HistoryRound(
        line=history_line(record, tables, ledger.hashes({record.ended_seq})),
        stakes=stakes(round_entries.wagers_of(record)),
        steps=tuple(_steps(ledger, record)) if round_entries.steps_of(record) else (),
        versions=_versions(ledger, opening),
        shared_ms=shared_ms,
    )


def _versions(ledger: LedgerReader, opening: Mapping[str, Any]) -> dict[str, str]:
    """Return the versions that dealt a round, with the server's build."""
    named = {name: str(opening[name]) for name in VERSIONS if name in opening}
    build = round_entries.build_of(ledger, named.get("server", ""))
    return named | ({"build": build.describe()} if build else {})


def _steps(ledger: LedgerReader, record: RoundRecord) -> Iterator[HistoryStep]:
    game, round_ = round_entries.opened_round(ledger, record)
    steps, show = round_entries.steps_of(record), _shows(game, record)
    deciders = [*round_entries.deciders_of(record)]
    alone = round_entries.own_deciders(ledger, record) if round_entries.is_own(record) else [""] * len(steps)
    for turn, (by, (step, after)) in enumerate(
        zip(alone, round_entries.displayed_steps(game, round_, steps), strict=True)
    ):
        did = replace(step_event(step, game.labels), by=decider(step, by) or _decider(step, deciders))
        yield HistoryStep(did, show(after), _advised(ledger, record, turn, step))


def _advised(ledger: LedgerReader, record: RoundRecord, turn: int, step: RoundStep) -> bool:
    key = round_entries.advice_key(record.id, turn, step.want.to)
    return isinstance(step.want, Decision) and ledger.entry(key) is not None


def _shows(game: Game, record: RoundRecord) -> Callable[[Any], Any]:
    """Return the view function for the player, which hides the amounts of other seats."""
    if not round_entries.opening_of(record).get("seats") or not game.live or not game.live.hide_other_amounts:
        return lambda round_: game.show(round_, 0)
    hide_other_amounts = game.live.hide_other_amounts
    boxes = {wager.box for wager in round_entries.wagers_of(record)}
    return lambda round_: hide_other_amounts(game.show(round_, 0), boxes)


def _decider(step: RoundStep, deciders: list[tuple[At, str]]) -> str:
    """Return the origin of a decision and remove it from the list; empty if it isn't recorded."""
    if isinstance(step.want, Decision):
        for place, (at, by) in enumerate(deciders):
            if at == step.want.to:
                del deciders[place]
                return by
    return ""


def statement_line(movement: CashMovement) -> StatementEntry:
    return StatementEntry(
        seq=movement.seq,
        at_ms=movement.at_ms,
        what=_MOVEMENTS[movement.kind, movement.amount_minor > 0],  # type: ignore[arg-type]
        currency=movement.currency,
        amount_minor=movement.amount_minor,
        balance_minor=movement.balance_minor,
        round=movement.round,
        reason=movement.reason,
    )
