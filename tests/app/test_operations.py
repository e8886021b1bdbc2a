"""The admin port: liveness, readiness and metrics."""

import asyncio
import math
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from typer.main import get_command

from croupier import __version__
from croupier.build import current_build
from croupier.cli.main import app
from croupier.equipment.rng import RNG_VERSION
from croupier.protocol import wire
from tests.support.browser_connection import connect_guest
from tests.support.server_process import ServerProcess

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("operations") / "data"
    running = ServerProcess(folder, options=("--admin-port", "0")).start()
    yield running
    assert running.stop() == 0


def fetch(server: ServerProcess, path: str) -> httpx.Response:
    return httpx.get(server.admin + path)


def samples(server: ServerProcess) -> Samples:
    text = fetch(server, "metrics").text
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(found: Samples, name: str, **labels: str) -> float:
    return found.get((name, frozenset(labels.items())), 0)


def test_the_server_is_alive_and_ready(server: ServerProcess) -> None:
    assert (fetch(server, "livez").status_code, fetch(server, "readyz").text) == (200, "ready\n")


def test_the_build_is_in_the_metrics_and_in_the_server_info(server: ServerProcess) -> None:
    build = current_build()
    labels = {
        "version": __version__,
        "build": build.id,
        "commit": build.commit,
        "committed": build.committed,
        "lock": build.lock,
        "rng": RNG_VERSION,
    }
    assert value(samples(server), "croupier_build_info", **labels) == 1
    info = httpx.get(server.address + "/api/server").json()
    shown = {"id": build.id, "commit": build.commit, "committed": build.committed}
    assert info["build"] == shown | {"lock": build.lock, "state": build.state}


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "", 404), ("GET", "api/me", 404), ("POST", "livez", 405)]
)
def test_the_admin_port_has_nothing_else(server: ServerProcess, method: str, path: str, status: int) -> None:
    assert httpx.request(method, server.admin + path).status_code == status


def test_what_alerts_count_begins_at_0(server: ServerProcess) -> None:
    """A series that appears with its first event has no increase, so that no alert would fire."""
    found = samples(server)
    for name, labels in (
        ("croupier_unsettled_rounds_total", {"table": "infinite"}),
        ("croupier_unsettled_rounds_total", {"table": "classic"}),
        ("croupier_payment_events_total", {"event": "contradicted"}),
        ("croupier_payment_events_total", {"event": "charged_back"}),
        ("croupier_log_records_total", {"level": "error"}),
    ):
        assert found[name, frozenset(labels.items())] == 0


def test_the_players_port_has_no_metrics(server: ServerProcess) -> None:
    for path in ("/metrics", "/livez", "/readyz"):
        assert httpx.get(server.address + path).status_code == 404


def test_play_is_counted(server: ServerProcess) -> None:
    """One own round, one live bet and one refused bet change exactly their own metrics."""
    before = samples(server)

    async def play() -> Samples:
        async with connect_guest(server.address) as player:
            await player.join("roulette")
            answer = await player.deal("roulette", wire.Stake(0, "red", 500))
            assert isinstance(answer.reply, wire.Ok), answer
            await player.join("live_roulette", "EUR")
            await player.drain()
            return await asyncio.to_thread(samples, server)

    during = asyncio.run(play())
    after = samples(server)

    def grew(name: str, **labels: str) -> float:
        return value(after, name, **labels) - value(before, name, **labels)

    assert grew("croupier_wagers_total", table="roulette", outcome="placed") == 1
    assert grew("croupier_rng_draws_total") >= 1
    assert grew("croupier_commit_seconds_count") >= 1
    assert abs(grew("croupier_ggr_minor", table="roulette", currency="GC")) == 500
    assert value(during, "croupier_players") == 1
    assert value(during, "croupier_table_players", table="live_roulette") == 1
    assert value(after, "croupier_table_open", table="live_roulette") == 1


@pytest.mark.parametrize("level", ["warning", "error", "critical"])
def test_counts_of_log_records_begin_at_zero(server: ServerProcess, level: str) -> None:
    """An alert on their increase would miss the first record otherwise."""
    assert ("croupier_log_records_total", frozenset({("level", level)})) in samples(server)


def test_histograms_are_cumulative(server: ServerProcess) -> None:
    found = samples(server)
    buckets = sorted(
        (math.inf if (bound := dict(labels)["le"]) == "+Inf" else float(bound), count)
        for (name, labels), count in found.items()
        if name == "croupier_commit_seconds_bucket"
    )
    counts = [count for _, count in buckets]
    assert counts == sorted(counts)
    assert counts[-1] == value(found, "croupier_commit_seconds_count") > 0


def test_metrics_name_no_player(server: ServerProcess) -> None:
    async def me() -> wire.Me:
        async with connect_guest(server.address) as player:
            text = await asyncio.to_thread(lambda: fetch(server, "metrics").text)
            found = await player.get("/api/me", wire.Me)
            assert found.player not in text
            assert found.name not in text
            return found

    assert asyncio.run(me()).player


def test_a_server_is_alive_before_it_is_ready(tmp_path: Path) -> None:
    """While a server starts and stops, supervisors leave it alone and load balancers send nobody."""
    from croupier.app.operations.admin_site import admin_site
    from croupier.app.operations.health import Health
    from croupier.app.operations.log_counts import LogCounter
    from croupier.measurements import LatencyHistogram

    health = Health(LogCounter(), LatencyHistogram())
    transport = httpx.ASGITransport(admin_site(health))  # type: ignore[arg-type]

    async def ask() -> list[int]:
        async with httpx.AsyncClient(transport=transport, base_url="http://admin") as client:
            return [(await client.get(path)).status_code for path in ("/livez", "/readyz", "/metrics")]

    assert asyncio.run(ask()) == [200, 503, 200]


METRIC = re.compile(r"\bcroupier_[a-z_]+\b")
SUFFIXES = ("_bucket", "_count", "_sum", "_created")
ROOT = Path(__file__).parents[2]
MENTIONS = ("deploy/prometheus/alerts.yml", "deploy/grafana/croupier.json", "docs/operations/metrics.md")


def base(name: str) -> str:
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix)), name)


@pytest.mark.parametrize("file", MENTIONS)
def test_dashboard_alerts_and_page_name_real_metrics(server: ServerProcess, file: str) -> None:
    served = {base(name) for name in METRIC.findall(fetch(server, "metrics").text)}
    mentioned = {base(name) for name in METRIC.findall((ROOT / file).read_text())}
    assert mentioned <= served
    if file.endswith(".md"):
        assert mentioned == served


def test_the_service_unit_starts_the_server_with_real_options() -> None:
    unit = (ROOT / "deploy" / "systemd" / "croupier.service").read_text()
    command = re.findall(r"^ExecStart=(.*(?:\\\n.*)*)", unit, re.MULTILINE)[0].replace("\\\n", " ").split()
    known = {name for option in get_command(app).commands["serve"].params for name in option.opts}  # type: ignore[attr-defined]
    assert command[1] == "serve"
    assert {word for word in command if word.startswith("--")} <= known
