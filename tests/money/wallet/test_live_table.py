"""Live tables with players of an operator's wallet: nobody else waits for the wallet."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.gateway.server import Server
from croupier.integration.wallet_operator.operator import WalletFault
from croupier.integration.wallet_operator.wallet import WalletAccount
from croupier.money.wallet import service
from croupier.protocol import wire
from croupier.tables.live.inputs import Voided
from tests.dealing.live.in_process import SLOW, Guest, ManualServer, manual_server, new_guest
from tests.dealing.live.player import BACCARAT, INFINITE, Player, req
from tests.support.wallet import (
    START_MINOR,
    LocalOperator,
    assert_agree,
    assert_audited,
    config_toml,
    delivering,
    launched,
    reaching,
    settled,
    until,
)

pytestmark = pytest.mark.anyio

EUR = WalletAccount("anna", "EUR")
MAIN = (0, "main", 1_000)
MORE = (0, "main", 1_500)
NO_ANSWER: tuple[WalletFault, ...] = (
    "drop_answer",
    "time_out",
    "garbage",
    "error_500_after",
    "error_500",
)
LIVE = f"""
{SLOW}
[live_baccarat]
pace_ms = 0
betting_ms = 600000
pause_ms = 600000
""".replace("600000", "20000")
"""Timers that only the test advances, within the window of signatures."""


class LiveTables:
    """Live tables, and the operator's players there by their names."""

    def __init__(self, manual: ManualServer, operator: LocalOperator) -> None:
        self.manual, self.operator = manual, operator
        self.ids: dict[str, str] = {}

    async def join(self, name: str = "anna", table: str = INFINITE) -> Player:
        """Connect the operator's player to a table while bets are open."""
        await self.manual.advance_to("betting", table=table)
        player = await Guest(self.manual.server, await launched(self.manual.server, name)).connect()
        assert await player.join(table) == ""
        assert player.welcome is not None
        self.ids[name] = player.welcome.player
        return player

    async def join_guest(self, currency: str = "USD") -> Player:
        player = await (await new_guest(self.manual.server)).connect()
        assert await player.join(INFINITE, currency) == ""
        return player

    @property
    def calls(self) -> Counter[str]:
        """The number of open calls to the wallet in each state."""
        return self.manual.server.wallet.stakes.rounds.calls.states()

    async def finish(self, table: str = INFINITE) -> None:
        """Play the round to its end, and let the wallet hear of it."""
        await self.manual.advance_to("pause", table=table)
        await settled(self.manual.server)


@asynccontextmanager
async def serving(
    folder: Path, *names: str, operator: LocalOperator | None = None
) -> AsyncIterator[LiveTables]:
    """Run a server; at the end, wallet and ledger agree."""
    operator = operator or LocalOperator(*names or ("anna",))
    with reaching(operator):
        async with manual_server(folder, config_toml(folder, LIVE)) as manual:
            async with delivering(manual.server):
                tables = LiveTables(manual, operator)
                yield tables
                operator.misbehave()
            ledger = manual.server.ledger
            for table in manual.server.live.values():
                await table.close("test")
            await manual.server.wallet.driver.work()
            assert_agree(operator, ledger, **tables.ids)
    assert_audited(folder)


@pytest.mark.usefixtures("speculate")
async def test_a_player_of_the_wallet_plays_beside_others(tmp_path: Path) -> None:
    async with serving(tmp_path, "anna", "bert") as tables:
        anna, bert, guest = await tables.join("anna"), await tables.join("bert"), await tables.join_guest()
        assert [await player.bet(MAIN) for player in (anna, bert, guest)] == ["", "", ""]
        assert tables.operator.balance("anna") == anna.mine[INFINITE].balance_minor == START_MINOR - 1_000
        await tables.finish()
        ends = {end.player: end for end in tables.operator.wallet.ends}
        assert {*ends} == {"anna", "bert"}
        assert ends["anna"].status == "settled"
        assert anna.mine[INFINITE].balance_minor == tables.operator.balance("anna")


async def test_a_late_wallet_delays_only_its_own_player(tmp_path: Path) -> None:
    async with serving(tmp_path) as tables:
        anna, guest = await tables.join(), await tables.join_guest()
        tables.operator.misbehave("late_answer", paths=("/debit",), times=1)
        tables.operator._late_s = 0.1
        waits = anna.submit(anna.bet_command(MAIN))
        assert await guest.bet(MAIN) == ""
        assert not waits.done()
        assert isinstance(await waits, wire.Ok)
        await tables.finish()


@pytest.mark.usefixtures("speculate")
async def test_a_bet_that_the_wallet_has_not_answered_at_the_close_does_not_count(tmp_path: Path) -> None:
    async with serving(tmp_path) as tables:
        anna, guest = await tables.join(), await tables.join_guest()
        assert [await player.bet((0, "main", 500)) for player in (anna, guest)] == ["", ""]
        tables.operator.misbehave("late_answer", paths=("/debit",), times=1)
        raises = anna.submit(anna.bet_command(MAIN))
        await until(lambda: tables.calls["called"])
        await tables.manual.advance_to("pause")
        assert tables.calls["called"] == 1, "the round has ended before the wallet answers"
        await guest.until(lambda: guest.mine[INFINITE].result)
        answer = await raises
        assert isinstance(answer, wire.No)
        assert answer.code == "wallet_no_answer"
        await settled(tables.manual.server)
        assert [end.staked_minor for end in tables.operator.wallet.ends] == [500]


async def test_a_double_that_the_wallet_has_not_answered_in_time_does_not_count(tmp_path: Path) -> None:
    async with serving(tmp_path) as tables:
        anna, guest = await tables.join(), await tables.join_guest()
        assert [await player.bet(MAIN) for player in (anna, guest)] == ["", ""]
        await tables.manual.advance_to("decisions")
        for player in (anna, guest):
            await player.until_phase("decisions")
        tables.operator.misbehave("late_answer", paths=("/debit",), times=1)
        doubles = anna.submit(anna.decide_command("double"))
        assert await guest.decide("stand") == ""
        await until(lambda: tables.calls["called"])
        await tables.manual.advance_to("pause")
        assert tables.calls["called"] == 1, "the round has ended before the wallet answers"
        answer = await doubles
        assert isinstance(answer, wire.No)
        assert answer.code == "wallet_no_answer"
        await settled(tables.manual.server)
        assert [end.staked_minor for end in tables.operator.wallet.ends] == [1_000]


async def test_bets_that_follow_wait_for_the_wallet(tmp_path: Path) -> None:
    """A player clicks faster than the wallet answers: the last bet counts, and each is answered."""
    async with serving(tmp_path) as tables:
        anna = await tables.join()
        bets = [anna.submit(anna.bet_command((0, "main", minor))) for minor in (500, 700, 900, 1_100)]
        assert [type(answer) for answer in await asyncio.gather(*bets)] == [wire.Ok] * 4
        assert tables.operator.balance("anna") == START_MINOR - 1_100
        await tables.finish()


async def test_a_bet_without_an_answer_is_rolled_back(tmp_path: Path) -> None:
    async with serving(tmp_path) as tables:
        anna = await tables.join()
        for fault in NO_ANSWER:
            tables.operator.misbehave(fault, paths=("/debit",), times=1)
            assert await anna.bet(MAIN) == "wallet_no_answer"
            await settled(tables.manual.server)
            assert tables.operator.balance("anna") == START_MINOR
        assert await anna.bet(MORE) == ""
        await tables.finish()


async def test_a_refused_bet_changes_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as tables:
        anna = await tables.join()
        assert await anna.bet((0, "main", START_MINOR + 1)) == "not_covered"
        tables.operator.misbehave("refuse", paths=("/debit",))
        assert await anna.bet(MAIN) == "wallet_refused"
        assert (anna.mine[INFINITE].balance_minor, anna.mine[INFINITE].stakes) == (START_MINOR, ())
        assert tables.operator.wallet.movements == []


async def test_a_bet_that_is_lowered_or_undone_is_refunded(tmp_path: Path) -> None:
    async with serving(tmp_path) as tables:
        anna = await tables.join()
        for stake, left in ((MORE, 8_500), (MAIN, 9_000)):
            assert await anna.bet(stake) == ""
            await settled(tables.manual.server)
            assert tables.operator.balance("anna") == left
        round_ = anna.states[INFINITE].clock.round
        for left in (8_500, START_MINOR):
            assert await anna.ask(wire.Undo(req(), INFINITE, round_)) == ""
            await settled(tables.manual.server)
            assert tables.operator.balance("anna") == anna.mine[INFINITE].balance_minor == left
        guest = await tables.join_guest()
        assert await guest.bet(MAIN) == ""
        await tables.finish()
        (end,) = tables.operator.wallet.ends
        assert (end.status, end.staked_minor, end.returned_minor) == ("settled", 0, 0)


async def test_a_void_round_is_refunded(tmp_path: Path) -> None:
    async with serving(tmp_path) as tables:
        anna = await tables.join()
        assert await anna.bet(MAIN) == ""
        await tables.manual.execute(Voided("test"))
        await settled(tables.manual.server)
        assert tables.operator.balance("anna") == START_MINOR
        assert [end.status for end in tables.operator.wallet.ends] == ["void"]


async def test_a_bet_whose_round_is_void_before_the_answer_is_rolled_back(tmp_path: Path) -> None:
    async with serving(tmp_path) as tables:
        anna = await tables.join()
        tables.operator.misbehave("late_answer", paths=("/debit",), times=1)
        tables.operator._late_s = 0.1
        waits = anna.submit(anna.bet_command(MAIN))
        await until(lambda: tables.operator.wallet.movements)
        await tables.manual.execute(Voided("test"))
        answer = await waits
        assert isinstance(answer, wire.No)
        assert answer.code == "round_ended"
        await settled(tables.manual.server)
        assert [move.operation for move in tables.operator.wallet.movements] == ["debit", "rollback"]


async def test_a_round_that_a_crash_leaves_open_is_void_and_refunded(tmp_path: Path) -> None:
    operator = LocalOperator("anna")
    crash = patch.object(Server, "stop", side_effect=asyncio.CancelledError)
    with reaching(operator), crash, suppress(asyncio.CancelledError):
        async with manual_server(tmp_path, config_toml(tmp_path, LIVE)) as manual:
            tables = LiveTables(manual, operator)
            assert await (await tables.join()).bet(MAIN) == ""
    async with serving(tmp_path, operator=operator) as tables:
        await settled(tables.manual.server)
        assert operator.balance("anna") == START_MINOR
    assert [(end.status, end.staked_minor) for end in operator.wallet.ends] == [("void", 1_000)]


async def test_only_players_of_the_operator_stake_its_currency(tmp_path: Path) -> None:
    async with serving(tmp_path) as tables:
        await tables.manual.advance_to("betting")
        guest = await tables.join_guest("EUR")
        assert await guest.bet(MAIN) == "wallet_only"


async def test_two_tables_share_one_balance(tmp_path: Path) -> None:
    """Each bet is covered, but not both: one of them is accepted."""
    async with serving(tmp_path) as tables:
        one, other = await tables.join(), await tables.join(table=BACCARAT)
        bets = [
            one.submit(one.bet_command((0, "main", 4_000))),
            other.submit(other.bet_command((0, "player", 6_001), table=BACCARAT)),
        ]
        answers = [isinstance(answer, wire.Ok) for answer in await asyncio.gather(*bets)]
        assert sorted(answers) == [False, True]
        await tables.finish()


async def test_the_balance_is_refreshed_at_a_table_and_in_the_lobby_but_not_at_once(tmp_path: Path) -> None:
    """The player bets elsewhere before each step."""
    async with serving(tmp_path) as tables:
        server, shown = tables.manual.server, [START_MINOR]
        with patch.object(service, "REFRESH_S", 0.05):
            anna = await tables.join()
            for ask, waits_s in (
                (wire.Leave(req(), INFINITE), 0.1),
                (wire.Join(req(), BACCARAT, "EUR"), 0.1),
                (wire.Leave(req(), BACCARAT), 0.0),
            ):
                await asyncio.sleep(waits_s)
                tables.operator.wallet.balances[EUR] -= 100
                assert await anna.ask(ask) == ""
                await asyncio.sleep(0.01)
                shown.append(server.balances.cash(tables.ids["anna"], "EUR"))
        assert [START_MINOR - minor for minor in shown] == [0, 100, 200, 200]
        tables.operator.wallet.balances[EUR] = START_MINOR
