"""Runs the checks one after another, restores the balance after each, and reports."""

import secrets
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from croupier.integration.wallet_check.expectations import WrongAnswer, fail
from croupier.integration.wallet_check.trial import Trial, WalletCheck, WalletUnderTest

TIMED_MIN = 20
"""Answers that are timed at least."""
SLOW_MS = 300
"""Answers are expected within this time: players wait for them."""
ANSWER_TIME, ANSWER_TIME_CLAUSE = "answer_time", "W5"
"""The check of how long all answers took, which every run makes."""
NEEDED_MINOR = 100
"""Minimum balance of each test player."""
FIRST_ADVICE = "Check the address, the secret, the player's name and balance, and the currency."
WalletCheckStatus = Literal["passed", "failed", "warned", "skipped"]


class WalletResult(Struct, frozen=True):
    """The result of one check; `expected` and `found` are empty if it passed or was skipped."""

    name: str
    clause: str
    rule: str
    status: WalletCheckStatus
    expected: str = ""
    found: str = ""
    advice: str = ""


class WalletReport(Struct, frozen=True):
    """All results, and the player's balance before and afterwards; None: there was no answer."""

    results: tuple[WalletResult, ...]
    before_minor: int | None
    after_minor: int | None
    messages: int

    @property
    def is_restored(self) -> bool:
        return self.before_minor == self.after_minor

    @property
    def is_passed(self) -> bool:
        return self.is_restored and not any(each.status == "failed" for each in self.results)


class WalletPlayers(NamedTuple):
    """The test players; `other` "": there is only one."""

    player: str
    other: str
    currency: str


class WalletTester:
    """The checks of one wallet with one or two test players."""

    def __init__(self, wallet: WalletUnderTest, players: WalletPlayers) -> None:
        self._wallet = wallet
        self._players = players
        self._run = f"check-{secrets.token_hex(6)}"

    async def run(
        self, checks: Sequence[WalletCheck], on_progress: Callable[[int, int], None]
    ) -> WalletReport:
        """Ask for the balances, and run the checks if they are known and high enough."""
        before_minor = await self._balance()
        results = [await self._usable()]
        if results[0].status == "passed":
            for number, check in enumerate(checks):
                on_progress(number, len(checks))
                results.append(await self._result(check))
            while len(self._wallet.times_ms) < TIMED_MIN:
                await self._balance()
            results.append(self._answer_time())
        return WalletReport(tuple(results), before_minor, await self._balance(), len(self._wallet.times_ms))

    async def _usable(self) -> WalletResult:
        """Check that each player has a balance, and enough for the checks."""
        about = "balance", "W1", f"Each test player has a balance, of {NEEDED_MINOR} or more."
        try:
            lowest = min([await trial.balance() for trial in self._trials("begin")])
            if lowest < NEEDED_MINOR:
                fail(f"{NEEDED_MINOR} or more", str(lowest))
        except WrongAnswer as wrong:
            return WalletResult(*about, "failed", wrong.expected, wrong.found, FIRST_ADVICE)
        return WalletResult(*about, "passed")

    async def _balance(self) -> int | None:
        try:
            return await self._trials("end")[0].balance()
        except WrongAnswer:
            return None

    def _trials(self, name: str) -> list[Trial]:
        """Return one trial for each player, with the same ids."""
        names = filter(None, (self._players.player, self._players.other))
        return [Trial(self._wallet, each, self._players.currency, f"{self._run}-{name}") for each in names]

    async def _result(self, check: WalletCheck) -> WalletResult:
        about = check.name, check.clause, check.rule
        if check.needs_other and not self._players.other:
            return WalletResult(*about, "skipped", advice="Name a second player.")
        if check.needs_restart and self._wallet.restart is None:
            return WalletResult(*about, "skipped", advice="Name a command that restarts the wallet's server.")
        wrong = await self._failure(check)
        if wrong is None:
            return WalletResult(*about, "passed")
        return WalletResult(*about, "failed", wrong.expected, wrong.found, check.advice)

    async def _failure(self, check: WalletCheck) -> WrongAnswer | None:
        """Run a check, and give its players back what it took."""
        trials, begun = self._trials(check.name), []
        trials[0].other = trials[-1]
        try:
            for trial in trials:
                await trial.begin()
                begun.append(trial)
            await check.run(trials[0])
        except WrongAnswer as wrong:
            return wrong
        finally:
            for trial in begun:
                await trial.restore()
        return None

    def _answer_time(self) -> WalletResult:
        """Warn of slow answers: of twenty, at most one may take longer than expected."""
        times_ms = sorted(self._wallet.times_ms)
        slow_ms = times_ms[len(times_ms) * 19 // 20]
        rule = f"19 of 20 answers come within {SLOW_MS} ms."
        if slow_ms <= SLOW_MS:
            return WalletResult(ANSWER_TIME, ANSWER_TIME_CLAUSE, rule, "passed")
        advice = "Players wait for each debit; the server gives up after its timeout_s."
        return WalletResult(
            ANSWER_TIME, ANSWER_TIME_CLAUSE, rule, "warned", f"at most {SLOW_MS} ms", f"{slow_ms} ms", advice
        )
