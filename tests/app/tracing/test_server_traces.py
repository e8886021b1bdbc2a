"""A real server sends its spans by OTLP to a collector, which decodes them here."""

import asyncio
import time
from collections.abc import Iterator
from gzip import decompress
from itertools import pairwise
from typing import NamedTuple

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from croupier.games import published_tables
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.protocol import wire
from tests.support.browser_connection import Browser, connect_guest, new_req
from tests.support.http_recorder import HttpRecorder, http_recorder
from tests.support.server_process import ServerProcess

LIVE = "live_roulette"
OTHERS = [table.id for table in published_tables().values() if table.dealing == "live" and table.id != LIVE]
CONFIG = "".join(f"[{table}]\nopened = false\n" for table in OTHERS) + (
    f"[{LIVE}]\nbetting_ms = 800\nwarning_ms = 200\nspin_ms = 100\nball_ms = 100\npause_ms = 100\n"
)
WITHIN_S = 20.0


class Played(NamedTuple):
    """Play of one player at a server that sends traces, and the spans that arrived."""

    spans: list[Span]
    bodies: bytes
    me: wire.Me
    token: str
    live_bet: wire.PlaceBet
    own_req: str
    refused_req: str

    def named(self, name: str) -> list[Span]:
        return [span for span in self.spans if span.name == name]

    def command(self, name: str, req: str) -> Span:
        (found,) = (span for span in self.named(name) if attributes(span).get("croupier.request") == req)
        return found

    def live_round(self) -> Span:
        (found,) = (
            span
            for span in self.named("live round")
            if attributes(span)["croupier.round"] == self.live_bet.round
        )
        return found

    def children(self, parent: Span) -> list[Span]:
        return [span for span in self.spans if span.parent_span_id == parent.span_id]


def attributes(span: Span) -> dict[str, str | int]:
    return {each.key: each.value.string_value or int(each.value.int_value) for each in span.attributes}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("traces")
    (folder / "croupier.toml").write_text(CONFIG)
    with http_recorder() as collector:
        options = ("--config", str(folder / "croupier.toml"), "--traces", f"{collector.url}/v1/traces")
        server = ServerProcess(folder / "data", options=options).start()
        me, token, bet, own, refused = asyncio.run(play(server))
        assert server.stop() == 0
        assert server.log.read_text() == ""
        yield Played(received(collector), bodies(collector), me, token, bet, own, refused)


def bodies(collector: HttpRecorder) -> bytes:
    return b"".join(body(each.body) for each in collector.requests)


def body(sent: bytes) -> bytes:
    return decompress(sent) if sent.startswith(b"\x1f\x8b") else sent


def received(collector: HttpRecorder) -> list[Span]:
    decoded = [ExportTraceServiceRequest.FromString(body(each.body)) for each in collector.requests]
    scopes = (scope for each in decoded for found in each.resource_spans for scope in found.scope_spans)
    return [span for scope in scopes for span in scope.spans]


async def play(server: ServerProcess) -> tuple[wire.Me, str, wire.PlaceBet, str, str]:
    """Play a round at an own table, have a round refused, and play one at the live table to its end."""
    async with connect_guest(server.address) as player:
        me = await player.get("/api/me", wire.Me)
        await player.join("roulette")
        own, refused = new_req(), new_req()
        await player.deal("roulette", wire.Stake(0, "red", 500), req=own)
        await player.deal("roulette", wire.Stake(0, "no_such_bet", 500), req=refused)
        bet = await live_round(player)
        return me, player.http.cookies[PLAYER_COOKIE], bet, own, refused


async def live_round(player: Browser) -> wire.PlaceBet:
    """Bet as soon as the live table takes bets, and wait for its next round."""
    until = time.monotonic() + WITHIN_S
    bet = None
    while time.monotonic() < until:
        messages = [*(await player.join(LIVE, "EUR")).messages, *await player.drain()]
        (round_,) = {each.state.clock.round for each in messages if isinstance(each, wire.LiveSnapshot)}
        if bet and round_ != bet.round:
            return bet
        if not bet:
            bet = wire.PlaceBet(new_req(), LIVE, round_, (wire.Stake(0, "red", 100),))
            bet = bet if isinstance((await player.ask(bet)).reply, wire.Ok) else None
        await asyncio.sleep(0.1)
    raise AssertionError("no live round was played")


def test_a_request_has_a_span_named_by_its_route(played: Played) -> None:
    (span,) = played.named("POST /api/guest")
    assert attributes(span)["http.response.status_code"] in (200, 201)
    assert [child.name for child in played.children(span)].count("ledger commit") >= 1


def test_a_command_encloses_its_commits(played: Played) -> None:
    span = played.command("command deal", played.own_req)
    assert attributes(span)["croupier.table"] == "roulette"
    commits = [child for child in played.children(span) if child.name == "ledger commit"]
    assert commits
    for commit in commits:
        assert span.start_time_unix_nano <= commit.start_time_unix_nano
        assert commit.end_time_unix_nano <= span.end_time_unix_nano


def test_a_refusal_is_noted(played: Played) -> None:
    assert "croupier.refused" in attributes(played.command("command deal", played.refused_req))
    assert "croupier.refused" not in attributes(played.command("command deal", played.own_req))


def test_a_live_bet_leads_to_its_batch_and_its_round(played: Played) -> None:
    """The bet's span links to the batch that answered it, in the trace of the table's round."""
    bet = played.command("command bet", played.live_bet.req)
    (link,) = bet.links
    (batch,) = (span for span in played.named("live batch") if span.span_id == link.span_id)
    round_ = played.live_round()
    assert batch.trace_id == round_.trace_id == link.trace_id
    assert "ledger commit" in {child.name for child in played.children(batch)}


def test_a_round_has_a_span_for_each_of_its_phases(played: Played) -> None:
    round_ = played.live_round()
    phases = sorted(played.children(round_), key=lambda span: span.start_time_unix_nano)
    names = [span.name.removeprefix("live phase ") for span in phases]
    assert names == ["betting", "warning", "dealing", "settlement"]
    for before, after in pairwise(phases):
        assert before.end_time_unix_nano <= after.start_time_unix_nano
    assert phases[-1].end_time_unix_nano <= round_.end_time_unix_nano


def test_nothing_that_is_sent_names_the_player(played: Played) -> None:
    assert played.me.player.encode() not in played.bodies
    assert played.me.name.encode() not in played.bodies
    assert played.token.encode() not in played.bodies
