"""Manager actions, their rights, and the event log."""

import pytest

from croupier.protocol import staff_wire
from croupier.staff.rights import RIGHTS
from tests.staff.clients import StaffBrowser, staff_client
from tests.staff.conftest import Staffed

pytestmark = pytest.mark.anyio
RANGE = {"EUR": staff_wire.LimitRange(100, 5_000), "USD": staff_wire.LimitRange(100, 5_000)}

SAMPLES: dict[type[staff_wire.Action], tuple[object, ...]] = {
    staff_wire.EnterResult: ("KS", 1),
    staff_wire.DeclareNoSpin: (),
    staff_wire.ReportCutCard: (),
    staff_wire.ConfirmShuffle: (0,),
    staff_wire.PostDealerChat: ("Good evening",),
    staff_wire.PauseTable: ("a card fell",),
    staff_wire.ResumeTable: (),
    staff_wire.OpenTable: (),
    staff_wire.CloseTable: (),
    staff_wire.VoidRound: ("", "a card fell"),
    staff_wire.CorrectCard: ("", 0, "KH", "KS", "misread"),
    staff_wire.SetLimits: (RANGE, RANGE, {}, {}),
    staff_wire.SetDealer: ("automatic",),
    staff_wire.MutePlayer: ("somebody", 5),
    staff_wire.RemoveChatLine: (1,),
    staff_wire.DismissReport: (1,),
}


async def refused(work: StaffBrowser, kind: type[staff_wire.Action]) -> tuple[str, object]:
    code = await work.ask(kind, "infinite", *SAMPLES[kind])
    return code, work.no.args.get("rule") if code != "ok" else ""


def test_every_action_has_a_right_and_a_sample() -> None:
    every = set(staff_wire.Action.__args__)
    assert set(RIGHTS) == set(SAMPLES) == every


async def test_a_dealer_may_not_act_as_a_manager(shared_server: Staffed) -> None:
    async with staff_client(shared_server.address, "Ben", shared_server.ben, "infinite") as ben:
        for kind, allowed in RIGHTS.items():
            if "dealer" not in allowed:
                assert await refused(ben, kind) == ("not_allowed", "manager"), kind
        before = await ben.until(lambda _: True)
        assert before.clock.phase == "closed"
        answer = await ben.http.get(f"{shared_server.address}/api/staff/log")
        assert (answer.status_code, answer.json()["code"]) == (409, "not_allowed")


async def test_a_manager_may_not_deal(shared_server: Staffed) -> None:
    async with staff_client(shared_server.address, "Ada", shared_server.ada) as ada:
        for kind, allowed in RIGHTS.items():
            if "manager" not in allowed:
                assert await refused(ada, kind) == ("not_allowed", "dealer"), kind


async def test_the_overview_requires_a_manager(shared_server: Staffed) -> None:
    async with staff_client(shared_server.address, "Ben", shared_server.ben) as ben:
        assert (ben.no.code, ben.no.args) == ("not_allowed", {"rule": "manager"})
        assert not any(isinstance(one, staff_wire.TablesOverview) for one in ben.received)


async def test_a_dealer_acts_only_at_the_watched_table(shared_server: Staffed) -> None:
    async with staff_client(shared_server.address, "Ben", shared_server.ben, "seven_seat") as ben:
        assert await ben.ask(staff_wire.PauseTable, "infinite", "far away") == "not_joined"
        assert await ben.ask(staff_wire.PauseTable, "nowhere", "far away") == "no_such_table"


async def test_the_overview_summarizes_tables(one_server: Staffed) -> None:
    async with staff_client(one_server.address, "Ada", one_server.ada) as ada:
        row = await ada.overview(lambda row: row.clock.phase == "closed", "infinite")
        assert (row.dealer, row.dealers, row.players, row.seats) == ("person", (), 0, 0)
        async with staff_client(one_server.address, "Ben", one_server.ben, "infinite") as ben:
            await ada.overview(lambda row: row.dealers == ("Ben",), "infinite")
            assert await ada.ask(staff_wire.OpenTable, "infinite") == "ok"
            assert (await ben.until(lambda now: bool(now.shuffle))).shuffle == (0, 1)
            for shoe in (0, 1):
                assert await ben.ask(staff_wire.ConfirmShuffle, "infinite", shoe) == "ok"
            await ada.overview(lambda row: row.clock.phase == "betting", "infinite")
            assert await ben.ask(staff_wire.PauseTable, "infinite", "a card fell") == "ok"
            paused = await ada.overview(lambda row: bool(row.clock.paused), "infinite")
            assert (paused.clock.paused, paused.clock.light) == ("a card fell", "red")
            assert await ada.ask(staff_wire.ResumeTable, "infinite") == "ok"
            await ada.overview(lambda row: not row.clock.paused, "infinite")
            assert await ada.ask(staff_wire.CloseTable, "infinite", "the end") == "ok"
            await ada.overview(lambda row: row.clock.phase == "closed", "infinite")
        await ada.overview(lambda row: row.dealers == (), "infinite")


async def test_limits_apply_from_the_next_round(one_server: Staffed) -> None:
    async with staff_client(one_server.address, "Ada", one_server.ada) as ada:
        wrong = {**RANGE, "EUR": staff_wire.LimitRange(500, 100)}
        assert await ada.ask(staff_wire.SetLimits, "infinite", wrong, RANGE, {}, {}) == "wrong_limits"
        one = {"EUR": staff_wire.LimitRange(1, 2)}
        assert await ada.ask(staff_wire.SetLimits, "infinite", one, one, {}, {}) == "no_such_currency"
        assert await ada.ask(staff_wire.SetLimits, "infinite", RANGE, RANGE, {}, {}, "a slow night") == "ok"
        row = await ada.overview(lambda row: row.limits[0].main.max_minor in (500, 5_000), "infinite")
        assert {each.currency: each.main for each in row.limits} == RANGE


async def test_limits_of_kinds_and_of_whole_bets_are_set_and_shown(one_server: Staffed) -> None:
    async with staff_client(one_server.address, "Ada", one_server.ada) as ada:
        table = "live_roulette"
        row = await ada.overview(lambda row: bool(row.limits), table)
        euro = next(each for each in row.limits if each.currency == "EUR")
        assert (euro.kinds["split"], euro.table) == (
            staff_wire.LimitRange(50, 40_000),
            staff_wire.LimitRange(50, 1_000_000),
        )
        splits = {"EUR": staff_wire.LimitRange(200, 900)}
        strange = (RANGE, RANGE, {"splits": splits}, RANGE)
        assert await ada.ask(staff_wire.SetLimits, table, *strange) == "wrong_limits"
        assert await ada.ask(staff_wire.SetLimits, table, RANGE, RANGE, {"split": splits}, RANGE) == "ok"
        row = await ada.overview(lambda row: row.limits[0].main.max_minor == 5_000, table)
        by_code = {each.currency: each for each in row.limits}
        assert (by_code["EUR"].kinds, by_code["USD"].kinds) == ({"split": splits["EUR"]}, {})
        assert {code: each.table for code, each in by_code.items()} == RANGE


async def test_the_dealer_changes_between_rounds(one_server: Staffed) -> None:
    async with staff_client(one_server.address, "Ada", one_server.ada) as ada:
        assert await ada.ask(staff_wire.SetDealer, "infinite", "automatic") == "ok"
        assert await ada.ask(staff_wire.OpenTable, "infinite") == "ok"
        await ada.overview(lambda row: row.clock.phase == "betting", "infinite")
        assert await ada.ask(staff_wire.SetDealer, "infinite", "person") == "ok"
        waiting = await ada.overview(lambda row: row.dealer == "person", "infinite")
        assert (waiting.closing, waiting.clock.phase in ("closed", "shuffling")) == (False, True)
        await ada.overview(lambda row: row.clock.phase == "shuffling", "infinite")
        assert await ada.ask(staff_wire.SetDealer, "infinite", "automatic") == "ok"
        await ada.overview(lambda row: row.clock.phase == "betting", "infinite")


async def test_every_action_is_in_the_log_with_its_answer(open_server: Staffed) -> None:
    async with staff_client(open_server.address, "Ada", open_server.ada) as ada:
        await ada.ask(staff_wire.OpenTable, "seven_seat", "the first guests")
        await ada.ask(staff_wire.VoidRound, "infinite", "", "nothing to void")
        async with staff_client(open_server.address, "Ben", open_server.ben, "infinite") as ben:
            await ben.ask(staff_wire.OpenTable, "infinite")
        lines = await ada.log()
        found = [(line.name, line.what, line.table, line.reason, line.answer) for line in lines]
        assert found[:4] == [
            ("Ben", "open_table", "infinite", "", "not_allowed"),
            ("Ben", "sign_in", "", "", "ok"),
            ("Ada", "void_round", "infinite", "nothing to void", "no_round"),
            ("Ada", "open_table", "seven_seat", "the first guests", "ok"),
        ]
        assert [line.id for line in lines] == sorted((line.id for line in lines), reverse=True)
        assert [line.name for line in await ada.log(text="first GUESTS")] == ["Ada"]
        assert {line.table for line in await ada.log(table="infinite")} == {"infinite"}
        assert (await ada.log(before=lines[1].id, limit="2"))[0] == lines[2]


async def test_actions_are_durable_when_the_server_is_killed(one_server: Staffed) -> None:
    async with staff_client(one_server.address, "Ada", one_server.ada) as ada:
        assert await ada.ask(staff_wire.OpenTable, "infinite", "before the end") == "ok"
        one_server.server.kill()
    one_server.server.start()
    async with staff_client(one_server.address, "Ada", one_server.ada) as ada:
        (line,) = await ada.log(text="before the end")
    assert (line.name, line.answer) == ("Ada", "ok")


async def test_malformed_commands_change_nothing(shared_server: Staffed) -> None:
    async with staff_client(shared_server.address, "Ada", shared_server.ada) as ada:
        assert ada._socket is not None
        for frame in (
            "",
            "{}",
            '{"t":"open_table"}',
            '{"t":"open_table","req":"1","table":"infinite","x":1}',
        ):
            await ada._socket.send(frame)
            while not isinstance(answer := await ada.next(), staff_wire.No):
                pass
            assert (answer.code, answer.req) == ("malformed", "")
        assert (await ada.overview(lambda _: True, "infinite")).clock.phase == "closed"
        await ada.send(staff_wire.Hello(staff_wire.PROTOCOL + 1))
        while not isinstance(await ada.next(), staff_wire.Upgrade):
            pass
