"""Spans of calls to other services, their link to the log, and what a failed span says."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from typer.testing import CliRunner

from croupier import tracing
from croupier.app.logs import TraceFilter, json_formatter
from croupier.app.tracing.opentelemetry_tracer import OpenTelemetryTracer
from croupier.cli.main import app
from croupier.money.wallet.client import HttpWallet
from croupier.outside.signed_client import SignedClient
from croupier.outside.systems import OutsideSystem
from croupier.protocol.signatures import Secret
from croupier.protocol.wallet_wire import WalletDebit
from tests.support.http_recorder import http_recorder
from tests.support.server_process import ServerProcess

SECRET = Secret(b"a secret of the wallet's operator")
DEBIT = WalletDebit("t1", "anna", "EUR", 4_700, "r1", "classic", "blackjack")


@pytest.fixture
def exported() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    tracer = OpenTelemetryTracer(SimpleSpanProcessor(exporter), 1.0)
    tracing.install(tracer)
    yield exporter
    tracing.install(tracing.NO_TRACER)
    tracer.close()


def only_span(exported: InMemorySpanExporter) -> ReadableSpan:
    (span,) = exported.get_finished_spans()
    return span


def test_a_wallet_call_has_a_span_that_the_wallet_can_continue(exported: InMemorySpanExporter) -> None:
    async def ask() -> None:
        client = SignedClient(wallet.url, SECRET, 5, OutsideSystem("wallet"))
        await HttpWallet(client).ask(DEBIT)
        await client.close()

    with http_recorder(b'{"outcome": "done"}') as wallet:
        asyncio.run(ask())
    span = only_span(exported)
    assert span.name == "wallet /debit"
    assert dict(span.attributes or {}) == {
        "croupier.round": "r1",
        "croupier.table": "classic",
        "croupier.transaction": "t1",
    }
    (request,) = wallet.requests
    assert request.headers["traceparent"].split("-")[1:3] == [
        f"{span.context.trace_id:032x}",
        f"{span.context.span_id:016x}",
    ]
    assert "anna" not in span.to_json()
    assert "4700" not in span.to_json()


def test_an_error_is_noted_by_its_type_only(exported: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="anna"), tracing.span("work"):
        raise ValueError("the balance of anna")
    text = only_span(exported).to_json()
    assert "ValueError" in text
    assert "anna" not in text


def test_a_log_record_has_the_ids_of_its_span(exported: InMemorySpanExporter) -> None:
    record = logging.makeLogRecord({"msg": "it failed", "levelname": "ERROR"})
    with tracing.span("work"):
        TraceFilter().filter(record)
    found, span = msgspec.json.decode(json_formatter().format(record)), only_span(exported)
    assert (int(found["trace_id"], 16), int(found["span_id"], 16)) == (
        span.context.trace_id,
        span.context.span_id,
    )


def test_the_server_stops_in_time_without_its_collector(tmp_path: Path) -> None:
    options = ("--traces", "http://127.0.0.1:9/v1/traces", "--log-format", "json")
    server = ServerProcess(tmp_path / "data", options=options).start()
    assert server.stop() == 0
    assert "127.0.0.1" in server.log.read_text()


@pytest.mark.parametrize("url", ["collector:4318", "ftp://collector/v1/traces"])
def test_a_malformed_address_is_refused(url: str) -> None:
    done = CliRunner().invoke(app, ["serve", "--traces", url])
    assert done.exit_code == 2
    assert "write http://HOST:4318/v1/traces" in done.output
