"""Resume after a kill: acknowledged commands are there, the other one is done once."""

from collections import Counter
from collections.abc import Iterable
from random import Random

from croupier.play.contract.amounts import PLAY_MONEY
from croupier.protocol import wire
from tests.faults.expected_payout import TABLES, View
from tests.faults.player_record import Did, PlayerRecord, Round, Sent, must
from tests.support.browser_connection import Browser

OPEN_TABLES_MAX = 4


async def register(browser: Browser, record: PlayerRecord, chance: Random) -> None:
    """Become a guest with granted play money, and choose as many tables as may be open at once."""
    await browser.guest()
    tables = await browser.get("/api/tables", list[wire.LobbyTable])
    lines = await browser.get("/api/statement", list[wire.StatementEntry])
    must({line.currency for line in lines} == PLAY_MONEY.keys(), f"a guest has play money, not {lines}")
    record.first_minor = {line.currency: line.amount_minor for line in lines}
    own = [table for table in tables if table.table in TABLES]
    record.tables = {table.table: table for table in chance.sample(own, OPEN_TABLES_MAX)}


async def resume(browser: Browser, record: PlayerRecord, done: Counter[str]) -> None:
    """Connect, send the unanswered command again, and compare everything with `record`."""
    await browser.connect()
    _, messages = await browser.hello(
        wire.ResumedTable(table, record.seen[table], currency) for table, currency in record.joined.items()
    )
    record.receive(messages)
    if record.sent is not None:
        done[await _send_again(browser, record, record.sent)] += 1
    for table in record.joined:
        await _compare(browser, record, table, None)
    welcome, messages = await browser.hello(
        wire.ResumedTable(table, 0, currency) for table, currency in record.joined.items()
    )
    record.receive(messages)
    _compare_snapshots(record, messages)
    must(welcome.settings == record.settings, f"{record.settings} became {welcome.settings}")
    record.check_balances(welcome.balances)
    record.check_limits(await browser.get("/api/responsible-gaming", wire.ResponsibleGaming))
    unfinished = {table for table in record.tables if record.open(table)}
    must(set(welcome.open_tables) == unfinished, f"{welcome.open_tables} are offered, not {unfinished}")
    done["returns"] += 1


async def _send_again(browser: Browser, record: PlayerRecord, sent: Sent) -> str:
    """Return whether it was done before the kill or now; only a command done now has an event.

    The next kill may come meanwhile, so the record changes only at the very end.
    """
    messages = await _sent(browser, sent)
    if isinstance(sent, wire.DealRound | wire.Decide):
        await _compare(browser, record, sent.table, sent)
    record.receive(messages)
    record.acknowledge(sent)
    record.sent = None
    if not isinstance(sent, wire.DealRound | wire.Decide):
        return "others sent again"
    return "done now" if any(isinstance(one, wire.TableUpdate) for one in messages) else "done before"


async def _sent(browser: Browser, sent: Sent) -> tuple[wire.Message, ...]:
    if isinstance(sent, wire.CashierRequest):
        await browser.post("/api/cashier/deposit", wire.Balance, sent)
        return ()
    if isinstance(sent, wire.LimitRequest):
        await browser.post("/api/responsible-gaming/limit", wire.ResponsibleGaming, sent)
        return ()
    answer = await browser.ask(sent)
    must(answer.code == "", f"{sent}, sent again, is refused: {answer.reply}")
    return answer.messages


async def _compare(browser: Browser, record: PlayerRecord, table: str, sent: object) -> None:
    """Compare a table's newest rounds; `sent` may have begun or continued one of them, once."""
    lines = (await browser.get("/api/history", wire.History, table=table, limit=2)).lines
    known = record.last(table)
    if isinstance(sent, wire.DealRound) and sent.table == table:
        await _compare_begun(browser, record, sent, lines)
    elif known is None:
        must(not lines, f"{table}: {lines} were never requested")
    else:
        must(lines[0].round == known.id, f"{table}: {known.id} was the last round, not {lines[0]}")
        await _compare_continued(browser, known, sent)


async def _compare_begun(
    browser: Browser, record: PlayerRecord, deal: wire.DealRound, lines: tuple[wire.HistoryLine, ...]
) -> None:
    known = [line.round in record.rounds for line in lines]
    must(known[:1] == [False], f"{deal} was acknowledged and is not there: {lines}")
    must(all(known[1:]), f"{deal} was done twice: {lines}")
    line = lines[0]
    found = await browser.get(f"/api/rounds/{line.round}", wire.HistoryRound)
    expected = (deal.stakes, record.joined[deal.table])
    must((found.stakes, line.currency) == expected, f"{expected} became {found.stakes} {line.currency}")
    did, view = _events_and_view(found)
    record.begin(Round(line.round, deal.table, line.currency, deal.stakes, did, view)).continue_with(
        did, view
    )


async def _compare_continued(browser: Browser, known: Round, sent: object) -> None:
    did, view = _events_and_view(await browser.get(f"/api/rounds/{known.id}", wire.HistoryRound))
    if not isinstance(sent, wire.Decide) or sent.round != known.id:
        known.check_unchanged(did, view)
        return
    expected = wire.RoundEvent("decided", sent.box, sent.hand, action=sent.action)
    new = [one for one in did[len(known.did) :] if one.what == "decided"]
    must(new == [expected], f"{sent} became {new}")
    known.continue_with(did, view)


def _events_and_view(found: wire.HistoryRound) -> tuple[Did, View]:
    return tuple(step.did for step in found.steps), found.steps[-1].view


def _compare_snapshots(record: PlayerRecord, messages: Iterable[wire.Message]) -> None:
    """Compare the snapshots of all open tables: their currency and their unfinished round."""
    snapshots = {one.table: one.state for one in messages if isinstance(one, wire.TableSnapshot)}
    must(snapshots.keys() == record.joined.keys(), f"{list(record.joined)} were open, not {list(snapshots)}")
    for table, state in snapshots.items():
        must(
            state.currency == record.joined[table], f"{table}: {record.joined[table]} became {state.currency}"
        )
        known, shown = record.open(table), state.round
        if known is None:
            must(shown is None or shown.view.ended, f"{table} shows {shown}, and no round is open")
        else:
            must(shown is not None and shown.id == known.id, f"{table} shows {shown}, not {known.id}")
            assert shown is not None
            known.check_unchanged(known.did, shown.view)
            known.view = shown.view


async def compare_all(browser: Browser, record: PlayerRecord) -> None:
    """Compare all rounds ever played, page by page."""
    lines = await _all_lines(browser)
    must([line.round for line in lines] == list(record.rounds), "the rounds aren't those that were played")
    for line, known in zip(lines, record.rounds.values(), strict=True):
        actual = (line.staked_minor, line.returned_minor, line.status == "settled")
        expected = (known.view.staked_minor, known.returned_minor, known.view.ended)
        must(actual == expected, f"{line} is reported, {expected} is right")


async def _all_lines(browser: Browser) -> list[wire.HistoryLine]:
    """Return all lines, oldest first."""
    lines: list[wire.HistoryLine] = []
    page = await browser.get("/api/history", wire.History, limit=100)
    while page.lines:
        lines += page.lines
        page = await browser.get("/api/history", wire.History, limit=100, before=lines[-1].round)
    return lines[::-1]
