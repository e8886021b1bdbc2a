"""The HTTP API of reports: who may read it, and what it refuses."""

from collections.abc import Callable

import msgspec
import pytest

from croupier.app.documents import openapi
from croupier.protocol import staff_wire
from tests.staff.clients import StaffBrowser
from tests.staff.conftest import Staffed

pytestmark = pytest.mark.anyio
KINDS: dict[str, object] = {
    "/reports/results": staff_wire.ResultsReport,
    "/reports/liabilities": staff_wire.LiabilityReport,
    "/reports/present": staff_wire.PresentPlay,
    "/payments": list[staff_wire.StuckPayment],
    "/log": staff_wire.EventLogPage,
}
FILES = {
    "/reports/results.csv": "day,table,title,currency",
    "/reports/liabilities.csv": "at,journal_entry,currency",
    "/log.csv": "time,name,role,action",
}
ASK = msgspec.json.encode(staff_wire.AskPayment("pay_0"))


def at(staffed: Staffed, path: str) -> str:
    return f"{staffed.address}/api/staff{path}"


def test_every_route_is_tested() -> None:
    paths = openapi.openapi(openapi.STAFF)["paths"]
    prefix = "/api/staff"
    found = {
        path.removeprefix(prefix)
        for path in paths
        if path.startswith(("/api/staff/reports", f"{prefix}/log"))
    }
    assert found | {"/payments"} == {*KINDS, *FILES}


async def test_a_manager_reads_each_report(shared_server: Staffed) -> None:
    async with StaffBrowser(shared_server.address) as ada:
        await ada.sign_in("Ada", shared_server.ada)
        for path, kind in KINDS.items():
            answer = await ada.http.get(at(shared_server, path))
            assert answer.status_code == 200, path
            read = msgspec.json.decode(answer.content, type=kind)
            assert msgspec.json.decode(msgspec.json.encode(read)) == answer.json()
        for path, head in FILES.items():
            answer = await ada.http.get(at(shared_server, path))
            assert (answer.status_code, answer.text[: len(head)]) == (200, head)
            assert answer.headers["content-disposition"].endswith('.csv"')


async def test_nobody_else_reads_them(shared_server: Staffed) -> None:
    async with StaffBrowser(shared_server.address) as ben:
        for path in (*KINDS, *FILES):
            assert (await ben.http.get(at(shared_server, path))).status_code == 401, path
        assert (await ben.http.post(at(shared_server, "/payments/ask"), content=ASK)).status_code == 401
        await ben.sign_in("Ben", shared_server.ben)
        for path in (*KINDS, *FILES):
            answer = await ben.http.get(at(shared_server, path))
            assert (answer.status_code, answer.json()["code"]) == (409, "not_allowed"), path
        answer = await ben.http.post(at(shared_server, "/payments/ask"), content=ASK)
        assert (answer.status_code, answer.json()["code"]) == (409, "not_allowed")


@pytest.mark.parametrize(
    "query",
    [
        "/reports/results?first=2026-02-30",
        "/reports/results?first=x",
        "/reports/results?first=2026-01-02&last=2026-01-01",
        "/reports/results?first=2025-01-01&last=2026-01-02",
        "/reports/results?last=0001-01-01",
        "/reports/results?first=9999-12-31&last=9999-12-31",
        "/reports/liabilities?at_ms=-1",
        "/reports/liabilities?at_ms=x",
        "/log?from_ms=-1",
        "/log?to_ms=100000000000000",
        "/log?refused=x",
        "/log?limit=0",
    ],
)
async def test_malformed_queries_are_refused(ada: StaffBrowser, query: str) -> None:
    assert (await ada.http.get(f"{ada.address}/api/staff{query}")).status_code == 400


async def test_an_inquiry_is_logged_with_its_refusal(ada: StaffBrowser) -> None:
    answer = await ada.http.post(f"{ada.address}/api/staff/payments/ask", content=ASK)
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_payment")
    (line, *_) = await ada.log(what="ask_payment", name="Ada", refused="true")
    assert (line.what, line.details, line.answer) == ("ask_payment", {"payment": "pay_0"}, "no_such_payment")
    assert not await ada.log(what="ask_payment", player="p_0")
    file = await ada.http.get(f"{ada.address}/api/staff/log.csv", params={"what": "ask_payment"})
    assert file.text.splitlines()[1].endswith(",Ada,manager,ask_payment,,,,,payment pay_0,no_such_payment")


@pytest.mark.parametrize(
    ("sought", "wanted"),
    [
        ({"name": "Ada"}, lambda line: line.name == "Ada"),
        ({"what": "sign_in"}, lambda line: line.what == "sign_in"),
        ({"refused": "true"}, lambda line: line.answer != "ok"),
        ({"text": "Ben"}, lambda line: "Ben" in str(line.details) or line.name == "Ben"),
        ({"from_ms": "1", "to_ms": "2"}, lambda _: False),
    ],
)
async def test_the_event_log_is_filtered(
    ada: StaffBrowser, sought: dict[str, str], wanted: Callable[[staff_wire.EventLogLine], bool]
) -> None:
    every = await ada.log(limit="200")
    assert await ada.log(limit="200", **sought) == [line for line in every if wanted(line)]
    times = sorted({line.at_ms for line in every})
    period = {"from_ms": str(times[1]), "to_ms": str(times[-1])}
    inside = [line for line in every if times[1] <= int(line.id[:14]) < times[-1]]
    assert await ada.log(limit="200", **period) == inside
