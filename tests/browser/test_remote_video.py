"""A player of a gateway watches the dealer on camera at another node, through a real Janus and NATS."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.filming import (
    KEEPING,
    TABLE,
    UNCLOSED,
    check_exclusion,
    choose,
    dealer_page,
    filming,
    hears,
    janus,
    lines_become,
    moves,
    on_camera,
    page_with,
)
from tests.browser.player import SLOW_MS
from tests.faults.nodes import running_cluster
from tests.support.janus import SECRET, JanusProcess, needs_janus
from tests.support.nats_server import needs_nats

__all__ = ["filming", "janus"]
pytestmark = [pytest.mark.browser(alone=True), pytest.mark.campaign, needs_janus, needs_nats]

NODES = {"owner": ("--roles=tables",), "gateway": ("--roles=gateway",)}
CONFIG_TOML = """
[infinite]
dealer = "person"

[media]
url = "janus://127.0.0.1:{port}"
secret_file = "media.secret"
"""


def test_a_player_of_another_node_watches_until_they_are_excluded(
    filming: Browser, janus: JanusProcess, tmp_path: Path
) -> None:
    (tmp_path / "media.secret").write_text(SECRET)
    with running_cluster(tmp_path, nodes=NODES, config=CONFIG_TOML.format(port=janus.port)) as cluster:
        owner, gateway = cluster.nodes
        with (
            dealer_page(filming, owner) as dealer,
            page_with(filming, gateway, f"/table/{TABLE}", KEEPING + UNCLOSED) as ann,
        ):
            dealer.get_by_test_id("camera-on").click()
            on_camera(dealer)
            moves(ann)
            hears(ann)
            choose(ann, "low")
            lines_become(ann, "lines > 0 && lines <= 180")
            dealer.get_by_test_id("camera-off").click()
            expect(ann.get_by_test_id("dealer-video")).to_be_hidden(timeout=SLOW_MS)
            dealer.get_by_test_id("camera-on").click()
            on_camera(dealer)
            moves(ann)
            check_exclusion(ann)
