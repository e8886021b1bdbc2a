"""Two persons: nobody decides what they asked for, and nothing is decided twice (GLI-19 A.3.6(f))."""

import asyncio
from pathlib import Path

import pytest

from croupier import clock
from croupier.accounts.approvals import EXPIRES_MS
from croupier.protocol import staff_players
from tests.dealing.waiting_round import clock_at
from tests.staff.office import ADA, BEN, BOB, Office, code_of, office_in

pytestmark = pytest.mark.anyio


async def test_an_adjustment_needs_another_manager(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        approval = await office.asked(500)
        assert (await office.staff.approvals.waiting(ADA), await office.staff.approvals.waiting(BOB)) == (
            0,
            1,
        )
        assert await office.decide(ADA, approval) == "own_approval"
        assert await office.decide(ADA, approval, "rejected") == "own_approval"
        assert await office.decide(BEN, approval) == "not_allowed"
        assert office.cash() == 0
        assert await office.decide(BOB, approval) == "approved"
        assert office.cash() == 500
        assert await office.decide(BOB, approval) == "approval_decided"
        (line,) = office.server.ledger.statement(office.player, limit=1)
        assert (line.kind, line.amount_minor, line.reason) == ("adjustment", 500, "spilled")
        assert office.server.ledger.balances("house")["EUR"] == {"adjustments": -500}
        (entry, *_) = office.server.ledger.notes("staff.asked:", limit=1)
        assert (entry.body["name"], entry.body["details"]["asked_by"]) == ("Bob", "Ada")  # type: ignore[index,call-overload]


async def test_a_rejected_or_expired_adjustment_moves_nothing(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        rejected, expired = await office.asked(500, "r1"), await office.asked(500, "r2")
        assert await office.decide(BOB, rejected, "rejected") == "rejected"
        assert await office.decide(BOB, rejected) == "approval_decided"
        with clock_at(clock.now_ms() + EXPIRES_MS):
            assert await office.decide(BOB, expired) == "approval_expired"
            assert await office.staff.approvals.waiting(BOB) == 0
            assert [each.state for each in await office.staff.approvals.last(BOB)] == ["expired", "rejected"]
        assert await office.decide(BOB, "ap_nothing") == "no_such_approval"
        assert office.cash() == 0


async def test_decisions_at_once_count_once(tmp_path: Path) -> None:
    cid = ADA._replace(name="Cid")
    async with office_in(tmp_path) as office:
        first, second = await office.asked(500, "r1"), await office.asked(70, "r2")
        both = await asyncio.gather(office.decide(BOB, first), office.decide(cid, first))
        assert sorted(both) == ["approval_decided", "approved"]
        apart = await asyncio.gather(office.decide(BOB, second, "rejected"), office.decide(cid, second))
        assert sorted(apart) in (["approval_decided", "approved"], ["approval_decided", "rejected"])
        assert office.cash() == 500 + 70 * ("approved" in apart)


async def test_a_balance_is_never_taken_below_zero(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        assert await office.decide(BOB, await office.asked(500, "r1")) == "approved"
        taking, more = await office.asked(-400, "r2"), await office.asked(-101, "r3")
        assert await office.decide(BOB, taking) == "approved"
        assert await office.decide(BOB, more) == "not_covered"
        assert office.cash() == 100
        assert await office.decide(BOB, more, "rejected") == "rejected", "a refused approval still waits"


async def test_a_repeated_request_asks_once(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        assert await office.asked(500) == await office.asked(500)
        assert await code_of(office.asked(501)) == "key_reused"
        assert await office.staff.approvals.waiting(BOB) == 1


async def test_impossible_changes_cannot_be_asked_for(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        ask = office.staff.approvals.ask
        unknown = staff_players.AskAdjustment("r", "p_nobody", "EUR", 5, "why")
        assert await code_of(ask(ADA, unknown)) == "no_such_player"
        other = staff_players.AskAdjustment("r", office.player, "XYZ", 5, "why")
        assert await code_of(ask(ADA, other)) == "no_such_currency"
        reopening = staff_players.AskReopening("r", office.player, "why")
        assert await code_of(ask(ADA, reopening)) == "account_open"
        assert await code_of(ask(BEN, reopening)) == "not_allowed"
    with pytest.raises(ValueError, match="amount_minor is 0"):
        staff_players.AskAdjustment("r", "p", "EUR", 0, "why")


async def test_every_request_and_decision_is_logged(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        approval = await office.asked(500)
        await office.decide(ADA, approval)
        await office.decide(BOB, approval)
        assert office.logged("ask_adjustment") == [("Ada", "spilled", "ok")]
        assert office.logged("decide_approval") == [("Bob", "", "ok"), ("Ada", "", "own_approval")]


async def reopened(office: Office) -> str:
    order = staff_players.AskReopening("again", office.player, "a mistake")
    return (await office.staff.approvals.ask(ADA, order)).approval


async def test_a_closed_account_is_not_adjusted_and_reopens_with_two(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        adjustment = await office.asked(500)
        await office.close()
        assert await office.decide(BOB, adjustment) == "account_closed"
        assert await code_of(office.asked(5, "r2")) == "account_closed"
        approval = await reopened(office)
        assert await office.decide(ADA, approval) == "own_approval"
        assert office.server.limits.of(office.player).closed is not None
        assert await office.decide(BOB, approval) == "approved"
        assert office.server.limits.of(office.player).closed is None
        assert await office.decide(BOB, adjustment) == "approved"
