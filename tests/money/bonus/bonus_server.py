"""A server with bonuses over a real ledger, beside a model; it crashes before any commit."""

import asyncio
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from functools import cache
from itertools import count
from math import ceil
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis.stateful import RuleBasedStateMachine, invariant

from croupier import clock
from croupier.accounts.bonus import BonusTemplate
from croupier.admission.balances import BalanceCache
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.app.serve import DATABASE, open_ledger
from croupier.dealing.live.money.bonus_money import BonusMoney
from croupier.dealing.live.startup import void_left_open
from croupier.games import published_tables
from croupier.ledger import entries
from croupier.ledger.bonus_entries import ENDS, GRANTS
from croupier.ledger.entries import HOUSE, Ticket
from croupier.ledger.wallet_rounds import WalletRounds
from croupier.money.bonus.service import Bonuses
from croupier.players.connected_players import ConnectedPlayers
from croupier.protocol.wire import PlayerBonus
from croupier.refusal import Refused
from croupier.storage.sql.payments import SqlPayments
from tests.money.bonus.bonus_model import Crash, Model, ModelBonus, ModelRefusal, ModelRound

PLAYERS = ("p_ann", "p_bob")
BEGAN_MS = 1_800_000_000_000
OWN, LIVE = ("roulette", "multihand", "sic_bo"), "live_baccarat"
TABLES = {name: published_tables()[name] for name in (*OWN, LIVE)}
PERCENTS = {"roulette": 10, "multihand": 5, "sic_bo": 10, LIVE: 15}
TEMPLATES = {
    "small": BonusTemplate("small", "Small", "EUR", 70, 1, 3, 400),
    "large": BonusTemplate("large", "Large", "EUR", 500, 30, 30, 0, ("multihand",)),
    "coins": BonusTemplate("coins", "Coins", "GC", 333, 1, 3),
}
CURRENCIES = ("EUR", "GC")


@cache
def empty_database() -> bytes:
    """Return a database without entries, as migrations take longer than the steps."""
    with tempfile.TemporaryDirectory() as folder:
        open_ledger(Path(folder)).close()
        return (Path(folder) / DATABASE).read_bytes()


class BonusServer(RuleBasedStateMachine):
    """Two players at own tables and at a live one, beside a model of what they have."""

    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.loop = asyncio.new_event_loop()
        (Path(self.folder.name) / DATABASE).write_bytes(empty_database())
        self.ledger = open_ledger(Path(self.folder.name))
        self.model = Model(PERCENTS, BEGAN_MS)
        self.names = count()
        self.live_round, self.holds = "", count(1)
        self.commits_left: int | None = None
        stops = [
            patch.object(clock, "now_ms", lambda: self.model.now_ms),
            patch.object(LedgerGateway, "post", self.counted(LedgerGateway.post)),
            patch.object(LedgerGateway, "post_groups", self.counted(LedgerGateway.post_groups)),
            *(
                patch.object(SqlPayments, name, self.counted_change(getattr(SqlPayments, name)))
                for name in ("add_bonus", "end_bonus", "end_due_bonuses", "withdraw_play_money")
            ),
        ]
        for stop in stops:
            stop.start()
        self.stops = stops
        self.start_server()

    def teardown(self) -> None:
        try:
            self.the_journal_agrees()
        finally:
            for stop in self.stops:
                stop.stop()
            self.ledger.close()
            self.loop.close()
            self.folder.cleanup()

    def counted(self, post: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Any]:
        """Return a post that crashes the server when its commits are used up."""

        async def counting(gateway: LedgerGateway, posted: Any) -> Any:
            self.count_commit()
            return await post(gateway, posted)

        return counting

    def counted_change(self, change: Callable[..., Any]) -> Callable[..., Any]:
        """Return a change of a repository that crashes the server when its commits are used up."""

        def counting(*arguments: Any) -> Any:
            self.count_commit()
            return change(*arguments)

        return counting

    def count_commit(self) -> None:
        """Count a commit, and crash when there were enough."""
        if self.commits_left is not None:
            self.commits_left -= 1
            if self.commits_left < 0:
                raise Crash

    def wait(self, work: Awaitable[Any]) -> Any:
        return self.loop.run_until_complete(work)

    def same(self, work: Coroutine[Any, Any, Any], predict: Callable[[], object]) -> Any:
        """Do a step; return the server's result. It crashes or is refused exactly as the model is."""
        outcomes = list[tuple[str, Any]]()
        for step in (predict, lambda: self.wait(work)):
            try:
                outcomes.append(("", step()))
            except Crash:
                outcomes.append(("crash", None))
            except ModelRefusal as why:
                outcomes.append((str(why), None))
            except Refused as why:
                outcomes.append((why.code, None))
        (expected, _), (found, result) = outcomes
        assert found == expected
        if found == "crash":
            self.start_server()
        return result

    # --- the server

    def start_server(self) -> None:
        """Begin with what the journal has: rounds of live tables are void."""
        self.commits_left = self.model.commits_left = None
        balances = BalanceCache()
        limits = PlayerLimits(self.ledger, balances, lambda _: None)
        self.gateway = LedgerGateway(self.ledger, balances, limits, WalletRounds())
        self.payments = SqlPayments(self.ledger)
        players = ConnectedPlayers(balances)
        self.bonuses = Bonuses(self.ledger, self.gateway, players, TABLES, TEMPLATES, self.payments)
        self.wait(self.bonuses.load())
        left_open = [record for record in self.ledger.open_rounds() if record.table == LIVE]
        self.wait(void_left_open(left_open, self.gateway, self.bonuses))
        self.wait(self.bonuses.end_voided())
        self.money = BonusMoney(self.gateway, self.bonuses, LIVE)
        self.live_round = ""
        self.model.end_due(*PLAYERS)
        self.model.finish([(round_, None) for round_ in self.model.rounds.values() if round_.table == LIVE])

    def set_cash(self, player: str, currency: str, minor: int) -> None:
        """Deposit what is missing, or spend what is too much."""
        more = minor - self.model.cash[player, currency]
        make = entries.deposit if more > 0 else entries.withdrawal
        if more:
            entry = make(self.name(), self.model.now_ms, player, currency, abs(more))
            self.wait(asyncio.wrap_future(self.ledger.post([entry]), loop=self.loop))
            self.model.cash[player, currency] = minor

    # --- helpers

    def name(self) -> str:
        return f"r{next(self.names):04}"

    def own_rounds(self) -> list[ModelRound]:
        return [one for one in self.model.rounds.values() if one.table != LIVE]

    def own_round(self, player: str, table: str) -> ModelRound | None:
        return next((one for one in self.own_rounds() if (one.player, one.table) == (player, table)), None)

    def live_rounds(self) -> list[ModelRound]:
        return [one for one in self.model.rounds.values() if one.table == LIVE]

    def at_live(self, player: str, currency: str) -> ModelRound:
        open_ = next((one for one in self.live_rounds() if one.player == player), None)
        return open_ or ModelRound(f"{self.live_round}.{player}", player, LIVE, currency)

    def may_bet(self, player: str, table: str, currency: str, minor: int) -> bool:
        try:
            if bonus := self.bonuses.active(player, currency):
                bonus.check_bet(table, minor)
        except Refused:
            return False
        return True

    # --- what always holds

    @invariant()
    def players_have_what_the_model_says(self) -> None:
        for player in PLAYERS:
            held = self.ledger.balances(player)
            views = {bonus.currency: bonus for bonus in self.bonuses.views(player)}
            for currency in CURRENCIES:
                active, kinds = self.model.active(player, currency), held.get(currency, {})
                found = [kinds.get(kind, 0) for kind in ("cash", "bonus", "in_play")]
                cash, in_play = self.model.cash[player, currency], self.model.in_play(player, currency)
                assert found == [cash, active.balance if active else 0, in_play]
                assert progress_of(views.get(currency)) == predicted(active)

    def the_journal_agrees(self) -> None:
        """Compare what is too slow to be compared after each step."""
        for player in PLAYERS:
            journal = reversed(self.bonuses.history(player))
            for found, bonus in zip(journal, self.model.bonuses[player], strict=True):
                assert found.status == bonus.status
                assert progress_of(found)[:2] == predicted(bonus)[:2]
            active = [bonus for bonus in self.bonuses.history(player) if bonus.status == "active"]
            assert sorted(map(str, active)) == sorted(map(str, self.bonuses.views(player)))
        self.money_is_conserved()
        self.a_bonus_ends_once()

    def money_is_conserved(self) -> None:
        sums: dict[str, int] = defaultdict(int)
        for owner in (*PLAYERS, HOUSE, *TABLES):
            for currency, kinds in self.ledger.balances(owner).items():
                sums[currency] += sum(kinds.values())
        assert not any(sums.values())

    def a_bonus_ends_once(self) -> None:
        ended = [str(entry.body["bonus"]) for entry in self.ledger.entries(ENDS)]
        granted = [str(entry.body["bonus"]) for entry in self.ledger.entries(GRANTS)]
        active = [bonus.bonus for player in PLAYERS for bonus in self.bonuses.views(player)]
        assert sorted(ended + active) == sorted(granted)


def progress_of(bonus: PlayerBonus | None) -> tuple[int, ...]:
    """Return the money, what is left to be staked, and the money in play."""
    return (bonus.balance_minor, bonus.left_minor, bonus.in_play_minor) if bonus else ()


def predicted(bonus: ModelBonus | None) -> tuple[int, ...]:
    return (bonus.balance, max(0, ceil(bonus.left)), sum(bonus.parts.values())) if bonus else ()


def ticket(round_: ModelRound) -> Ticket:
    return Ticket(round_.id, round_.player, round_.table, round_.currency)
