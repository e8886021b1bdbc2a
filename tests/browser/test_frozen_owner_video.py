"""The owner of a table freezes while its dealer is on camera: nobody watches longer than they may."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.filming import KEEPING, TABLE, dealer_page, filming, moves, on_camera, page_with
from tests.browser.player import SLOW_MS
from tests.browser.test_staff import sign_in
from tests.faults.nodes import TAKEN_OVER_S, fail, running_cluster, signal_all
from tests.staff.clients import add
from tests.support.janus import SECRET, JanusProcess, needs_janus
from tests.support.nats_server import needs_nats
from tests.support.server_process import ServerProcess

__all__ = ["filming"]
pytestmark = [pytest.mark.browser(alone=True), pytest.mark.campaign, needs_janus, needs_nats]

CONFIG_TOML = """
[infinite]
dealer = "person"

[media]
url = "janus://127.0.0.1:1"
secret_file = "media.secret"
"""
CLOSED = "() => window.kept.every(({ connectionState }) => connectionState === 'closed')"
STOPS_WITHIN_MS = 1_000


def test_pictures_stop_with_a_session_and_the_next_owner_has_its_own(
    filming: Browser, tmp_path: Path
) -> None:
    (tmp_path / "media.secret").write_text(SECRET)
    servers = [JanusProcess(tmp_path / name) for name in ("janus_a", "janus_b")]
    nodes = {
        name: ("--roles=tables", f"--media=janus://127.0.0.1:{janus.port}")
        for name, janus in zip(("a", "b"), servers, strict=True)
    }
    for janus in servers:
        janus.start()
    try:
        every = {**nodes, "gateway": ("--roles=gateway",)}
        with running_cluster(tmp_path, nodes=every, config=CONFIG_TOML) as cluster:
            owner, other, gateway = cluster.nodes
            with (
                page_with(filming, gateway, f"/table/{TABLE}", KEEPING) as ann,
                page_with(filming, gateway, f"/table/{TABLE}", KEEPING) as bob,
            ):
                with dealer_page(filming, owner) as dealer:
                    dealer.get_by_test_id("camera-on").click()
                    on_camera(dealer)
                    for player in (ann, bob):
                        moves(player)
                    with frozen(owner):
                        check_end_of_session(bob)
                        expect(ann.get_by_test_id("dealer-video")).to_be_hidden(timeout=2_000 * TAKEN_OVER_S)
                assert ann.evaluate(CLOSED)
                code = add(other.data, "Dora", "dealer")
                with page_with(filming, other, f"/staff/table/{TABLE}", KEEPING) as dealer:
                    sign_in(dealer, "Dora", code)
                    dealer.get_by_test_id("camera-on").click()
                    on_camera(dealer)
                    moves(ann, 2 * SLOW_MS)
    finally:
        for janus in servers:
            janus.kill()


@contextmanager
def frozen(node: ServerProcess) -> Iterator[None]:
    processes = fail(node, "freeze")
    try:
        yield
    finally:
        signal_all(processes, signal.SIGCONT)


def check_end_of_session(player: Page) -> None:
    """The page closes its connection to the media server of an owner that can't do so itself."""
    answer = player.request.post("/api/responsible-gaming/break", data={"why": "exclusion", "days": 180})
    assert answer.ok, answer.text()
    player.wait_for_function(CLOSED, timeout=STOPS_WITHIN_MS)
