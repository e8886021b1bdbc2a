"""A player's commands, given to the server's services and to the oracle, whose answers are compared."""

from collections.abc import Awaitable
from typing import TypeVar

from croupier import clock
from croupier.accounts.responsible_gaming import Measure
from croupier.refusal import Refused
from croupier.storage.stores import Stores
from tests.faults.limits.oracle import Oracle, Rule, Verdict
from tests.faults.limits.surroundings import CASH, CONFIG, EUR
from tests.faults.limits.world import World

T = TypeVar("T")

MINUTE_MS, HOUR_MS = 60_000, 3_600_000
COOLING_OFF_MS = CONFIG.responsible_gaming.cooling_off_hours * HOUR_MS


class Wrong(AssertionError):
    """The services and the oracle disagree."""


class Comparison:
    """One player, and what they have to get."""

    def __init__(self, stores: Stores, start_ms: int, *, launched: bool) -> None:
        self.world = World(stores, start_ms, launched=launched)
        self.oracle = Oracle(start_ms, CASH, COOLING_OFF_MS)
        self.launched = launched

    async def ask(self, verdict: Verdict, work: Awaitable[T]) -> tuple[bool, T | None]:
        """Do some work; return whether it is done and its result, or that it is refused as it should be."""
        code, result = await answered(work)
        self.check(verdict, code)
        return not code, result

    def check(self, verdict: Verdict, code: str) -> None:
        """Raise Wrong if the verdict doesn't accept an answer."""
        if not verdict.accepts(code):
            raise Wrong(f"answered {code or 'done'}, and not {verdict}")

    async def compare(self) -> None:
        """Compare the clock, what the player's page shows, and the balances."""
        world, oracle = self.world, self.oracle
        equal("the clock", clock.now_ms(), oracle.now_ms)
        for rule in oracle.requests:
            equal(rule, world.limit(measure_of(rule)), oracle.limit(rule))
            if rule.what in ("loss", "wager"):
                equal(("used", rule), await world.used(measure_of(rule)), oracle.used(rule))
        equal("the end of the break", world.barred_until_ms, oracle.barred_until_ms)
        equal("the return to a round", world.may_return, oracle.now_ms >= oracle.excluded_until_ms)
        held = world.server.ledger.balances(world.player)[EUR]
        equal("cash", held.get("cash", 0), oracle.cash)
        if oracle.bonus_usable:
            equal("the bonus", held.get("bonus", 0), oracle.bonus_minor)


async def answered(work: Awaitable[T]) -> tuple[str, T | None]:
    """Return the code of a refusal, or nothing and the result."""
    try:
        return "", await work
    except Refused as refused:
        return refused.code, None


def equal(what: object, found: object, right: object) -> None:
    """Raise Wrong if what was found isn't right."""
    if found != right:
        raise Wrong(f"{what} is {found}, and not {right}")


def measure_of(rule: Rule) -> Measure:
    """Return the server's name of a quantity."""
    return Measure(rule.what, rule.period, "" if rule.what == "session" else EUR)  # type: ignore[arg-type]
