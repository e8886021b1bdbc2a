"""A player who plays at four tables at once, as fast as he is answered, with an own account of it all."""

from collections import Counter
from collections.abc import Callable
from random import Random

import httpx
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed, InvalidMessage

from croupier.protocol import wire
from tests.faults.memory import Memory, Round, Sent, must
from tests.faults.returning import come_back, come_first
from tests.support import bot
from tests.support.browser_connection import Answer, Asked, Browser, new_req

GONE = (ConnectionClosed, InvalidMessage, httpx.NetworkError, httpx.RemoteProtocolError, ConnectionError)
"""How a killed house feels from outside; one that doesn't answer in time is none of these."""
LEAST_MINOR = {"GC": 400_000, "SC": 40_000, "EUR": 10_000}
"""A player who has less goes to the cashier and brings that much."""

LIMIT_MINOR = 10**12


class Player:
    """`done` counts what was acknowledged; `acted` is called after each. Raises Broken when the house
    breaks its word.
    """

    def __init__(self, chance: Random, acted: Callable[[], None]) -> None:
        self.done: Counter[str] = Counter()
        self._acted = acted
        self.memory = Memory()
        self.cookies = httpx.Cookies()
        self._chance = chance

    async def visit(self, address: str) -> None:
        """Comes back, holds the house to its word, then plays until it is gone."""
        async with Browser(address) as browser:
            browser.http.cookies = self.cookies
            try:
                if not self.memory.tables:
                    await come_first(browser, self.memory, self._chance)
                await come_back(browser, self.memory, self.done)
                while True:
                    self._acted()
                    await self._act(browser)
            except GONE:
                self.cookies = browser.http.cookies

    async def _act(self, browser: Browser) -> None:
        """One command: mostly play, sometimes another currency, the settings, a limit, the cashier."""
        table = self._chance.choice(list(self.memory.tables))
        played = self.memory.open(table)
        short = [code for code, least in LEAST_MINOR.items() if self._cash(code) < least]
        if table not in self.memory.joined or (not played and self._chance.random() < 0.05):
            await self._join(browser, table)
        elif self._chance.random() < 0.03:
            await self._save(browser)
        elif self._chance.random() < 0.03:
            await self._limit(browser)
        elif short:
            await self._bring(browser, short[0])
        elif played:
            await self._decide(browser, played)
        else:
            await self._deal(browser, table)

    def _cash(self, currency: str) -> int:
        return self.memory.balance(currency).balance_minor

    async def _join(self, browser: Browser, table: str) -> None:
        taken = (limits.currency for limits in self.memory.tables[table].limits)
        currencies = [currency for currency in taken if currency in self.memory.first_minor]
        await self._ask(browser, wire.Join(new_req(), table, self._chance.choice(currencies)))

    async def _save(self, browser: Browser) -> None:
        settings = replace(self.memory.settings, effects_volume=self._chance.randint(0, 100))
        await self._ask(browser, wire.SaveSettings(new_req(), settings))

    async def _bring(self, browser: Browser, currency: str) -> None:
        order = self.memory.sent = wire.CashierRequest(new_req(), currency, LEAST_MINOR[currency])
        balance = await browser.post("/api/cashier/deposit", wire.Balance, order)
        self._acknowledged(order)
        self.memory.holds([balance])

    async def _limit(self, browser: Browser) -> None:
        """So high that it refuses nothing, and each lower than the one before."""
        before = self.memory.limit.most if self.memory.limit else None
        order = wire.LimitRequest("loss", "month", "GC", (before or LIMIT_MINOR) - self._chance.randint(1, 9))
        self.memory.sent = order
        care = await browser.post("/api/care/limit", wire.ResponsibleGaming, order)
        self._acknowledged(order)
        self.memory.keeps_to(care)

    async def _deal(self, browser: Browser, table: str) -> None:
        currency = self.memory.joined[table]
        placed = bot.stakes(self.memory.tables[table], currency, self._chance)
        answer = await self._ask(browser, wire.DealRound(new_req(), table, placed))
        event, played = _told(answer)
        did = _steps(event)
        begun = self.memory.begin(Round(played.id, table, currency, placed, did, played.view))
        begun.goes_on(did, played.view)
        self._holds(answer)

    async def _decide(self, browser: Browser, known: Round) -> None:
        played = wire.PlayedRound(known.id, "", 0, len(known.did), known.view)
        answer = await self._ask(browser, bot.decision(known.table, played, self._chance))
        event, played = _told(answer)
        known.goes_on((*known.did, *_steps(event)), played.view)
        self._holds(answer)

    async def _ask(self, browser: Browser, command: Asked) -> Answer:
        self.memory.sent = command
        answer = await browser.ask(command)
        must(answer.code == "", f"{command} is refused: {answer.said}")
        self._acknowledged(command)
        self.memory.hear(answer.told)
        return answer

    def _acknowledged(self, command: Sent) -> None:
        self.memory.sent = None
        self.memory.acknowledge(command)
        self.done[type(command).__name__] += 1

    def _holds(self, answer: Answer) -> None:
        """What is told before the event may be of something earlier, at the cashier."""
        after = answer.told[-1]
        assert isinstance(after, wire.BalanceUpdate), f"a balance is told with a round's event, not {after}"
        self.memory.holds([after.balance])


def _told(answer: Answer) -> tuple[wire.TableUpdate, wire.PlayedRound]:
    (event,) = (told for told in answer.told if isinstance(told, wire.TableUpdate))
    assert event.state.round is not None, "a round's command is answered by its round"
    return event, event.state.round


def _steps(event: wire.TableUpdate) -> tuple[wire.RoundEvent, ...]:
    """History tells the steps of a round, and not that it has ended."""
    return tuple(one for one in event.did if one.what != "ended")
