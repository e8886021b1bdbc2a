"""The page on an operator's own wallet: its messages, its signature, and what it lists."""

import asyncio
import re
import sys
import time
from collections.abc import Mapping
from contextlib import aclosing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any, get_args

import msgspec
import pytest

from croupier.integration.wallet_check.checks import CHECKS
from croupier.integration.wallet_check.replies import HttpTransport, WalletReply, WalletTransport
from croupier.integration.wallet_check.report import WalletPlayers, WalletReport, WalletTester
from croupier.integration.wallet_check.trial import WalletUnderTest
from croupier.integration.wallet_operator.operator import KINDS, WalletControl, WalletFault
from croupier.integration.wallet_operator.wallet import OperatorWallet, WalletAccount
from croupier.protocol.signatures import SIGNATURE_HEADER, TIMESTAMP_HEADER, Secret, signed_headers
from croupier.protocol.wallet_wire import (
    WALLET_PATHS,
    WalletAnswer,
    WalletMessage,
    WalletOutcome,
)
from tests.guide.pages import GUIDE, files_of

PAGE = (GUIDE / "wallet.md").read_text(encoding="utf-8")
EXCHANGE = re.compile(
    r"^```http\nPOST (?P<path>\S+)\n(?P<body>.*)\n\n200\n(?P<answer>.*)\n```$", re.MULTILINE
)
SECRET = b"example-secret-0"


def test_the_reference_operator_answers_as_the_page_says() -> None:
    wallet = OperatorWallet({WalletAccount("anna", "EUR"): 10_000})
    paths = []
    for exchange in EXCHANGE.finditer(PAGE):
        message = msgspec.json.decode(exchange["body"], type=KINDS[exchange["path"]])
        assert msgspec.json.encode(message).decode() == exchange["body"]
        assert wallet.answer(message) == msgspec.json.decode(exchange["answer"], type=WalletAnswer)
        paths.append(exchange["path"])
    assert set(paths) == {*KINDS}
    assert len(paths) == PAGE.count("```http")
    assert not wallet.differing_ends


def test_the_example_of_a_signature_is_right() -> None:
    first = EXCHANGE.search(PAGE)
    assert first is not None
    headers = signed_headers(Secret(SECRET), first["body"].encode(), 1_800_000_000)
    for name, value in headers.items():
        assert f"    {name}: {value}\n" in PAGE


def run_file(name: str) -> dict[str, Any]:
    """Run a file of the page, and return its names."""
    names: dict[str, Any] = {"__name__": name}
    exec(dict(files_of("wallet.md"))[f"wallet/{name}.py"], names)
    return names


def test_the_sample_of_a_signature_tells_genuine_messages() -> None:
    is_genuine, now_s = run_file("signature")["is_genuine"], int(time.time())
    cases = ((SECRET, now_s, True), (SECRET, now_s - 400, False), (b"another", now_s, False))
    for secret, sent_s, genuine in cases:
        headers = signed_headers(Secret(secret), b"{}", sent_s)
        assert is_genuine(SECRET, headers[TIMESTAMP_HEADER], headers[SIGNATURE_HEADER], b"{}") == genuine


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[BaseHTTPRequestHandler]:
    """Return the page's wallet, with a database of its own."""
    monkeypatch.setitem(sys.modules, "signature", SimpleNamespace(**run_file("signature")))
    names = run_file("example_wallet")
    database = str(tmp_path / "wallet.db")
    names["create"](database, [("anna", "EUR", 10_000), ("bert", "EUR", 10_000)])
    return type("Example", (names["Wallet"],), {"database": database, "secret": SECRET})


class ExampleTransport:
    """Hands posts to the page's wallet without HTTP."""

    def __init__(self, wallet: type[BaseHTTPRequestHandler]) -> None:
        self._wallet = wallet

    async def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> WalletReply:
        request: Any = self._wallet.__new__(self._wallet)
        request.path, request.headers = path, headers
        status, answer = request.respond(body)
        return WalletReply(status, msgspec.json.encode(answer))


async def checked(transport: WalletTransport, clause: str) -> WalletReport:
    """Return the report on the checks of a clause; "": all."""
    wallet = WalletUnderTest(transport, Secret(SECRET), [])
    tester = WalletTester(wallet, WalletPlayers("anna", "bert", "EUR"))
    checks = [each for each in CHECKS if clause in each.clause]
    return await tester.run(checks, lambda _done, _total: None)


def test_the_example_passes_all_checks(example: type[BaseHTTPRequestHandler]) -> None:
    report = asyncio.run(checked(ExampleTransport(example), ""))
    assert report.is_passed, [result for result in report.results if result.status == "failed"]
    assert len(report.results) == len(CHECKS) + 2


def test_the_example_serves_many_requests_at_once(example: type[BaseHTTPRequestHandler]) -> None:
    async def over_http(url: str) -> WalletReport:
        async with aclosing(HttpTransport(url, 10)) as transport:
            return await checked(transport, "W7")

    with ThreadingHTTPServer(("127.0.0.1", 0), example) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        report = asyncio.run(over_http(f"http://127.0.0.1:{server.server_port}"))
        server.shutdown()
        thread.join()
    assert report.is_passed, [result for result in report.results if result.status == "failed"]


@pytest.mark.parametrize("kind", WALLET_PATHS, ids=lambda kind: kind.__name__)
def test_every_field_is_described(kind: type[WalletMessage]) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{WALLET_PATHS[kind]}`"))
    row = row.replace(
        "those of `/debit`", "`transaction` `player` `currency` `amount_minor` `round` `table` `game`"
    )
    assert all(f"`{field}`" in row for field in kind.__struct_fields__)


@pytest.mark.parametrize("name", [*get_args(WalletFault), *get_args(WalletOutcome)])
def test_every_fault_and_outcome_is_described(name: str) -> None:
    assert f"| `{name}` | " in PAGE


def test_every_clause_of_a_check_is_a_rule() -> None:
    assert {check.clause for check in CHECKS} <= {*re.findall(r"^- \*\*(W\d)\*\* ", PAGE, re.MULTILINE)}


def test_the_examples_of_control_are_valid() -> None:
    examples = re.findall(r"localhost:8200/control -d '(.*)'$", PAGE, re.MULTILINE)
    assert len(examples) == 3
    for example in examples:
        msgspec.json.decode(example, type=WalletControl)
