"""A player's limits equal a plain sum over all rounds, whenever the player connects and disconnects."""

import asyncio
import tempfile
from asyncio import wrap_future
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from croupier import clock
from croupier.accounts.days import period_start_ms
from croupier.accounts.identity import NewGuest
from croupier.accounts.responsible_gaming import DAY_MS, LimitKind, LimitSet, Measure, Period
from croupier.admission.balances import BalanceCache
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.app.serve import open_ledger
from croupier.ledger import entries
from croupier.ledger.entries import Ticket
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.wallet_rounds import WalletRounds
from croupier.refusal import Refused
from croupier.storage.sql.accounts import SqlAccounts

PLAYER, TOKEN = "ann", "token"
BEGAN_MS = 1_800_000_000_000
EXAMPLES = max(12, settings().max_examples // 10)
"""Of 40 actions each; tests/faults/limits compares the same sums with an oracle, thousands of times."""
MINORS = st.integers(1, 50)
WHATS: tuple[LimitKind, ...] = ("deposit", "loss", "wager")
PERIODS: tuple[Period, ...] = ("day", "week", "month")
DEPOSITED = Measure("deposit", "day", "GC")
MEASURES = [Measure(what, period, "GC") for what in WHATS for period in PERIODS]


@dataclass
class Round:
    ticket: Ticket
    started_ms: int
    staked: int
    returned: int = 0
    ended: bool = False


class LimitedPlayer(RuleBasedStateMachine):
    """One player who connects and disconnects; the plain sum decides which of their requests are accepted."""

    @initialize()
    def open(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        data = Path(self.folder.name)
        self.loop = asyncio.new_event_loop()
        self.ledger = open_ledger(data)
        self.visit_ms: int | None = None
        self.balances = BalanceCache()
        self.own_limits = PlayerLimits(self.ledger, self.balances, lambda _: self.visit_ms)
        self.gateway = LedgerGateway(self.ledger, self.balances, self.own_limits, WalletRounds())
        self.now_ms = BEGAN_MS
        self.names = count()
        self.rounds: list[Round] = []
        self.deposits: list[tuple[int, int]] = []
        self.limits: dict[Measure, int] = {}
        self.accounts = SqlAccounts(self.ledger)
        self.accounts.add_guests([NewGuest(PLAYER, "Ann", TOKEN)], (), BEGAN_MS).result(10)
        self.post(entries.grant("welcome", BEGAN_MS, PLAYER, "GC", 10**6, "welcome"))

    def post(self, *posted: entries.Entry) -> Refused | None:
        with patch.object(clock, "now_ms", lambda: self.now_ms):
            try:
                self.loop.run_until_complete(self.gateway.post(posted))
            except Refused as why:
                return why
        return None

    @property
    def under_way(self) -> list[Round]:
        return [one for one in self.rounds if not one.ended]

    def used(self, measure: Measure) -> int:
        since_ms = period_start_ms(measure.period, self.now_ms)
        if measure.what == "deposit":
            return sum(minor for at_ms, minor in self.deposits if at_ms >= since_ms)
        ended = [one for one in self.rounds if one.ended and one.started_ms >= since_ms]
        returned = sum(one.returned for one in ended) if measure.what == "loss" else 0
        return sum(one.staked for one in [*ended, *self.under_way]) - returned

    def may(self, minor: int, *whats: LimitKind) -> bool:
        return all(
            self.used(measure) + minor <= maximum
            for measure, maximum in self.limits.items()
            if measure.what in whats
        )

    # --- actions of the player

    @precondition(lambda self: self.visit_ms is None)
    @rule()
    def connects(self) -> None:
        arriving = self.accounts.arriving(TOKEN, self.now_ms)
        player = self.loop.run_until_complete(self.gateway.arrives(arriving))
        assert player is not None
        self.visit_ms = player.visit_ms

    @precondition(lambda self: self.visit_ms is not None)
    @rule()
    def disconnects(self) -> None:
        self.balances.forget(PLAYER)
        self.visit_ms = None

    @precondition(lambda self: self.visit_ms is not None and self.under_way)
    @rule(returned=st.integers(0, 100))
    def returns_to_the_open_round(self, returned: int) -> None:
        self.disconnects()
        self.waits(2)
        self.connects()
        self.counts_the_same()
        self.ends(returned, void=False)

    @rule(measure=st.sampled_from(MEASURES), maximum=st.integers(1, 120))
    def sets(self, measure: Measure, maximum: int) -> None:
        maximum = min(maximum, self.limits.get(measure, maximum))
        change = self.own_limits.of(PLAYER).limit_change(measure, maximum, self.now_ms, DAY_MS)
        if change:
            note = self.own_limits.note(PLAYER, change, self.now_ms)
            assert self.post(note) is None
            self.own_limits.apply(note)
        self.limits[measure] = maximum

    @rule(minor=MINORS)
    def stakes(self, minor: int) -> None:
        ticket = Ticket(f"r{next(self.names)}", PLAYER, f"t{len(self.rounds)}", "GC")
        why = self.post(entries.deal(ticket, ticket.round, self.now_ms, number="#", staked_minor=minor))
        assert (why is None) == self.may(minor, "loss", "wager")
        if why is None:
            self.rounds.append(Round(ticket, self.now_ms, minor))
        else:
            assert why.code == "over_own_limit"

    @precondition(lambda self: self.under_way)
    @rule(more=MINORS)
    def doubles(self, more: int) -> None:
        played = self.under_way[0]
        why = self.post(entries.answer(played.ticket, f"d{next(self.names)}", self.now_ms, extra_minor=more))
        assert (why is None) == self.may(more, "loss", "wager")
        played.staked += more if why is None else 0

    @precondition(lambda self: self.under_way)
    @rule(returned=st.integers(0, 100), void=st.booleans())
    def ends(self, returned: int, void: bool) -> None:
        played, key = self.under_way[-1], f"e{next(self.names)}"
        played.returned, played.ended = played.staked if void else returned, True
        if void:
            end = entries.void(played.ticket, key, self.now_ms, staked_minor=played.staked, reason="bug")
        else:
            end = entries.settle(
                played.ticket, key, self.now_ms, staked_minor=played.staked, returned_minor=returned
            )
        assert self.post(end) is None

    @rule(minor=MINORS)
    def deposits_some(self, minor: int) -> None:
        why = self.post(entries.deposit(f"b{next(self.names)}", self.now_ms, PLAYER, "GC", minor))
        assert (why is None) == self.may(minor, "deposit")
        if why is None:
            self.deposits.append((self.now_ms, minor))

    @precondition(lambda self: self.visit_ms is None or not self.under_way)
    @rule(hours=st.integers(1, 200))
    def waits(self, hours: int) -> None:
        """A round that is open at midnight counts for the day in which it ends, if its visit goes on."""
        self.now_ms += hours * 3_600_000

    @invariant()
    def counts_the_same(self) -> None:
        for measure in MEASURES if self.rounds or self.deposits else ():
            count_used = partial(self.own_limits.used, PLAYER, measure, self.now_ms)
            used = self.loop.run_until_complete(self.gateway.when_read(count_used))
            assert used == self.used(measure), measure

    def teardown(self) -> None:
        self.ledger.close()
        self.loop.close()
        self.folder.cleanup()


TestLimitedPlayer = LimitedPlayer.TestCase
TestLimitedPlayer.settings = settings(max_examples=EXAMPLES, stateful_step_count=40, deadline=None)


@pytest.mark.anyio
async def test_a_deposit_counts_once_between_its_commit_and_its_release(tmp_path: Path) -> None:
    """Another deposit may be checked while the first is in the ledger and still reserved."""
    ledger = open_ledger(tmp_path)
    limits, gateway = unconnected(ledger)
    limits.apply(limits.note(PLAYER, LimitSet(*DEPOSITED, 100, BEGAN_MS), BEGAN_MS))
    first, second, third = (
        partial(limits.reserve, [entries.deposit(f"d{n}", BEGAN_MS, PLAYER, "GC", 50)]) for n in range(3)
    )
    with patch.object(clock, "now_ms", lambda: BEGAN_MS):
        async with gateway.hold_reservation(first):
            await wrap_future(ledger.post(first.args[0]))
            async with gateway.hold_reservation(second):
                with pytest.raises(Refused) as refused:
                    async with gateway.hold_reservation(third):
                        pass
    assert refused.value.args_["left_minor"] == 0
    ledger.close()


@pytest.mark.anyio
async def test_a_fact_is_read_again_if_an_entry_is_posted_before_the_first_limit_is(tmp_path: Path) -> None:
    """A check counts what is posted while it reads, also for a limit that is still being posted."""
    ledger = open_ledger(tmp_path)
    limits, gateway = unconnected(ledger)
    note = limits.note(PLAYER, LimitSet(*DEPOSITED, 100, BEGAN_MS), BEGAN_MS)
    count_used = partial(limits.used, PLAYER, DEPOSITED, BEGAN_MS)

    async def read_and_post(query: Callable[[], Any]) -> Any:
        result = await gateway.read(query)
        await gateway.post_reserved([entries.deposit("d", BEGAN_MS, PLAYER, "GC", 50)])
        return result

    with limits.announce([note]):
        assert await limits.facts.when_read(count_used, read_and_post) == 50
    ledger.close()


def unconnected(ledger: SqlLedger) -> tuple[PlayerLimits, LedgerGateway]:
    """Return the limits of players who aren't connected, and their gateway."""
    balances = BalanceCache()
    limits = PlayerLimits(ledger, balances, lambda _: None)
    return limits, LedgerGateway(ledger, balances, limits, WalletRounds())
