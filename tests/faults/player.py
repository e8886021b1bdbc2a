"""A player at four tables at once who plays as fast as the server replies, and records everything."""

from collections import Counter
from collections.abc import Callable
from random import Random

import httpx
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed, InvalidMessage

from croupier.protocol import wire
from tests.faults.player_record import PlayerRecord, Round, Sent, must
from tests.faults.resuming import register, resume
from tests.support import bot
from tests.support.browser_connection import Answer, Browser, Request, new_req

SERVER_GONE = (
    ConnectionClosed,
    InvalidMessage,
    httpx.NetworkError,
    httpx.RemoteProtocolError,
    ConnectionError,
)
"""Errors of a connection whose server was killed; a slow reply raises none of these."""
BALANCE_MINOR_MIN = {"GC": 400_000, "SC": 40_000, "EUR": 10_000}
"""With less than this, a player deposits this amount."""

LIMIT_MINOR = 10**12


class Player:
    """A player over a real socket, who compares everything with a record of their own.

    `done` counts acknowledged commands; `acted` is called before each.

    Raises Broken when the server contradicts the record.
    """

    def __init__(self, chance: Random, acted: Callable[[], None]) -> None:
        self.done: Counter[str] = Counter()
        self._acted = acted
        self.record = PlayerRecord()
        self.cookies = httpx.Cookies()
        self._chance = chance

    async def visit(self, address: str) -> None:
        """Resume, compare the server with the record, then play until it is killed."""
        async with Browser(address) as browser:
            browser.http.cookies = self.cookies
            try:
                if not self.record.tables:
                    await register(browser, self.record, self._chance)
                await resume(browser, self.record, self.done)
                while True:
                    self._acted()
                    await self._act(browser)
            except SERVER_GONE:
                self.cookies = browser.http.cookies

    async def _act(self, browser: Browser) -> None:
        """Send one command: mostly play, sometimes a currency, settings, a limit or a deposit."""
        table = self._chance.choice(list(self.record.tables))
        played = self.record.open(table)
        short = [code for code, least in BALANCE_MINOR_MIN.items() if self._cash(code) < least]
        if table not in self.record.joined or (not played and self._chance.random() < 0.05):
            await self._join(browser, table)
        elif self._chance.random() < 0.03:
            await self._save(browser)
        elif self._chance.random() < 0.03:
            await self._limit(browser)
        elif short:
            await self._deposit(browser, short[0])
        elif played:
            await self._decide(browser, played)
        else:
            await self._deal(browser, table)

    def _cash(self, currency: str) -> int:
        return self.record.balance(currency).balance_minor

    async def _join(self, browser: Browser, table: str) -> None:
        taken = (limits.currency for limits in self.record.tables[table].limits)
        currencies = [currency for currency in taken if currency in self.record.first_minor]
        await self._ask(browser, wire.Join(new_req(), table, self._chance.choice(currencies)))

    async def _save(self, browser: Browser) -> None:
        settings = replace(self.record.settings, effects_volume=self._chance.randint(0, 100))
        await self._ask(browser, wire.SaveSettings(new_req(), settings))

    async def _deposit(self, browser: Browser, currency: str) -> None:
        order = self.record.sent = wire.CashierRequest(new_req(), currency, BALANCE_MINOR_MIN[currency])
        balance = await browser.post("/api/cashier/deposit", wire.Balance, order)
        self._acknowledged(order)
        self.record.check_balances([balance])

    async def _limit(self, browser: Browser) -> None:
        """Set a limit too high to refuse anything, and lower than the one before."""
        before = self.record.limit.most if self.record.limit else None
        order = wire.LimitRequest("loss", "month", "GC", (before or LIMIT_MINOR) - self._chance.randint(1, 9))
        self.record.sent = order
        care = await browser.post("/api/responsible-gaming/limit", wire.ResponsibleGaming, order)
        self._acknowledged(order)
        self.record.check_limits(care)

    async def _deal(self, browser: Browser, table: str) -> None:
        currency = self.record.joined[table]
        placed = bot.random_stakes(self.record.tables[table], currency, self._chance)
        answer = await self._ask(browser, wire.DealRound(new_req(), table, placed))
        event, played = _event(answer)
        did = _steps(event)
        begun = self.record.begin(Round(played.id, table, currency, placed, did, played.view))
        begun.continue_with(did, played.view)
        self._check_balance(answer)

    async def _decide(self, browser: Browser, known: Round) -> None:
        played = wire.PlayedRound(known.id, "", 0, len(known.did), known.view)
        answer = await self._ask(browser, bot.random_decision(known.table, played, self._chance))
        event, played = _event(answer)
        known.continue_with((*known.did, *_steps(event)), played.view)
        self._check_balance(answer)

    async def _ask(self, browser: Browser, command: Request) -> Answer:
        self.record.sent = command
        answer = await browser.ask(command)
        must(answer.code == "", f"{command} is refused: {answer.reply}")
        self._acknowledged(command)
        self.record.receive(answer.messages)
        return answer

    def _acknowledged(self, command: Sent) -> None:
        self.record.sent = None
        self.record.acknowledge(command)
        self.done[type(command).__name__] += 1

    def _check_balance(self, answer: Answer) -> None:
        """Check the last balance; earlier ones may belong to a deposit."""
        after = answer.messages[-1]
        assert isinstance(after, wire.BalanceUpdate), f"a balance comes with a round's event, not {after}"
        self.record.check_balances([after.balance])


def _event(answer: Answer) -> tuple[wire.TableUpdate, wire.PlayedRound]:
    (event,) = (message for message in answer.messages if isinstance(message, wire.TableUpdate))
    assert event.state.round is not None, "a round's command is answered by its round"
    return event, event.state.round


def _steps(event: wire.TableUpdate) -> tuple[wire.RoundEvent, ...]:
    """Return the steps as History has them, without the end."""
    return tuple(one for one in event.did if one.what != "ended")
