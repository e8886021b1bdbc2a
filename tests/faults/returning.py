"""How a player comes back after a crash: what was acknowledged is there, what wasn't is done once."""

from collections import Counter
from collections.abc import Iterable
from random import Random

from croupier.play.contract.amounts import PLAY_MONEY
from croupier.protocol import wire
from tests.faults.memory import Did, Memory, Round, Sent, must
from tests.faults.reckoning import RECKONED, View
from tests.support.browser_connection import Browser

TABLES_OPEN = 4


async def come_first(browser: Browser, memory: Memory, chance: Random) -> None:
    """As a guest, to whom the house gives play money; he plays at as many tables as he may have open."""
    await browser.guest()
    tables = await browser.get("/api/tables", list[wire.LobbyTable])
    lines = await browser.get("/api/statement", list[wire.StatementEntry])
    must({line.currency for line in lines} == PLAY_MONEY.keys(), f"a guest has play money, not {lines}")
    memory.first_minor = {line.currency: line.amount_minor for line in lines}
    own = [table for table in tables if table.table in RECKONED]
    memory.tables = {table.table: table for table in chance.sample(own, TABLES_OPEN)}


async def come_back(browser: Browser, memory: Memory, done: Counter[str]) -> None:
    """Opens the socket, sends again what has no answer, and compares everything with `memory`."""
    await browser.dial()
    _, told = await browser.hello(
        wire.ResumedTable(table, memory.seen[table], currency) for table, currency in memory.joined.items()
    )
    memory.hear(told)
    if memory.sent is not None:
        done[await _send_again(browser, memory, memory.sent)] += 1
    for table in memory.joined:
        await _compare(browser, memory, table, None)
    welcome, told = await browser.hello(
        wire.ResumedTable(table, 0, currency) for table, currency in memory.joined.items()
    )
    memory.hear(told)
    _compare_snapshots(memory, told)
    must(welcome.settings == memory.settings, f"{memory.settings} became {welcome.settings}")
    memory.holds(welcome.balances)
    memory.keeps_to(await browser.get("/api/care", wire.ResponsibleGaming))
    unfinished = {table for table in memory.tables if memory.open(table)}
    must(set(welcome.open_tables) == unfinished, f"{welcome.open_tables} are offered, not {unfinished}")
    done["returns"] += 1


async def _send_again(browser: Browser, memory: Memory, sent: Sent) -> str:
    """Whether it was done before the crash or is done now: an event is told only of what is done now.

    The next crash may come while this waits, so it is remembered only at the very end.
    """
    told = await _sent(browser, sent)
    if isinstance(sent, wire.DealRound | wire.Decide):
        await _compare(browser, memory, sent.table, sent)
    memory.hear(told)
    memory.acknowledge(sent)
    memory.sent = None
    if not isinstance(sent, wire.DealRound | wire.Decide):
        return "others sent again"
    return "done now" if any(isinstance(one, wire.TableUpdate) for one in told) else "done before"


async def _sent(browser: Browser, sent: Sent) -> tuple[wire.Message, ...]:
    if isinstance(sent, wire.CashierRequest):
        await browser.post("/api/cashier/deposit", wire.Balance, sent)
        return ()
    if isinstance(sent, wire.LimitRequest):
        await browser.post("/api/care/limit", wire.ResponsibleGaming, sent)
        return ()
    answer = await browser.ask(sent)
    must(answer.code == "", f"{sent}, sent again, is refused: {answer.said}")
    return answer.told


async def _compare(browser: Browser, memory: Memory, table: str, sent: object) -> None:
    """The newest rounds of a table; `sent` has begun one or led it on, once, or had nothing to do with it."""
    lines = (await browser.get("/api/history", wire.History, table=table, limit=2)).lines
    known = memory.last(table)
    if isinstance(sent, wire.DealRound) and sent.table == table:
        await _begun(browser, memory, sent, lines)
    elif known is None:
        must(not lines, f"{table}: {lines} were never asked for")
    else:
        must(lines[0].round == known.id, f"{table}: {known.id} was the last round, not {lines[0]}")
        await _led_on(browser, known, sent)


async def _begun(
    browser: Browser, memory: Memory, deal: wire.DealRound, lines: tuple[wire.HistoryLine, ...]
) -> None:
    known = [line.round in memory.rounds for line in lines]
    must(known[:1] == [False], f"{deal} was acknowledged and is not there: {lines}")
    must(all(known[1:]), f"{deal} was done twice: {lines}")
    line = lines[0]
    found = await browser.get(f"/api/rounds/{line.round}", wire.HistoryRound)
    asked = (deal.stakes, memory.joined[deal.table])
    must((found.stakes, line.currency) == asked, f"{asked} became {found.stakes} {line.currency}")
    did, view = _whole(found)
    memory.begin(Round(line.round, deal.table, line.currency, deal.stakes, did, view)).goes_on(did, view)


async def _led_on(browser: Browser, known: Round, sent: object) -> None:
    did, view = _whole(await browser.get(f"/api/rounds/{known.id}", wire.HistoryRound))
    if not isinstance(sent, wire.Decide) or sent.round != known.id:
        known.stands(did, view)
        return
    asked = wire.RoundEvent("decided", sent.box, sent.hand, action=sent.action)
    new = [one for one in did[len(known.did) :] if one.what == "decided"]
    must(new == [asked], f"{sent} became {new}")
    known.goes_on(did, view)


def _whole(found: wire.HistoryRound) -> tuple[Did, View]:
    return tuple(step.did for step in found.steps), found.steps[-1].view


def _compare_snapshots(memory: Memory, told: Iterable[wire.Message]) -> None:
    """Every table that was open is told anew: in its currency, with its unfinished round as it stood."""
    snapshots = {one.table: one.state for one in told if isinstance(one, wire.TableSnapshot)}
    must(snapshots.keys() == memory.joined.keys(), f"{list(memory.joined)} were open, not {list(snapshots)}")
    for table, state in snapshots.items():
        must(
            state.currency == memory.joined[table], f"{table}: {memory.joined[table]} became {state.currency}"
        )
        known, shown = memory.open(table), state.round
        if known is None:
            must(shown is None or shown.view.ended, f"{table} shows {shown}, and no round is open")
        else:
            must(shown is not None and shown.id == known.id, f"{table} shows {shown}, not {known.id}")
            assert shown is not None
            known.stands(known.did, shown.view)
            known.view = shown.view


async def compare_all(browser: Browser, memory: Memory) -> None:
    """Every round there ever was, page by page, and the sum of all movements of money."""
    lines = await _all_lines(browser)
    must([line.round for line in lines] == list(memory.rounds), "the rounds aren't those that were played")
    for line, known in zip(lines, memory.rounds.values(), strict=True):
        told = (line.staked_minor, line.returned_minor, line.status == "settled")
        mine = (known.view.staked_minor, known.returned_minor, known.view.ended)
        must(told == mine, f"{line} is told, {mine} is right")


async def _all_lines(browser: Browser) -> list[wire.HistoryLine]:
    """Oldest first."""
    lines: list[wire.HistoryLine] = []
    page = await browser.get("/api/history", wire.History, limit=100)
    while page.lines:
        lines += page.lines
        page = await browser.get("/api/history", wire.History, limit=100, before=lines[-1].round)
    return lines[::-1]
