"""A dealer and a player whose networks let only a TURN server through: a real coturn, and a real Janus."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import launch
from tests.browser.filming import (
    FAKE_DEVICES,
    KEEPING,
    TABLE,
    hears,
    moves,
    on_camera,
    page_with,
)
from tests.browser.player import SLOW_MS
from tests.browser.test_staff import sign_in
from tests.staff.clients import add
from tests.support import janus
from tests.support.server_process import ServerProcess
from tests.support.turn import SECRET, TurnServer, needs_coturn
from tools.janus import own_address

pytestmark = [pytest.mark.browser(alone=True), pytest.mark.campaign, janus.needs_janus, needs_coturn]

CONFIG_TOML = """
[infinite]
dealer = "person"

[media]
url = "janus://127.0.0.1:{port}"
secret_file = "media.secret"
ice_servers = ["{turn}"]
turn_secret_file = "turn.secret"
"""
RELAY_ONLY = f"""
{KEEPING}
const relayed = (given) => ({{ ...given, iceTransportPolicy: 'relay' }});
window.RTCPeerConnection = class extends window.RTCPeerConnection {{
  constructor(given) {{ super(relayed(given)); }}
  setConfiguration(given) {{ super.setConfiguration(relayed(given)); }}
}};
"""
"""Candidates of the relay only, as in a network that blocks everything else."""
WAYS = """
async () => {
  const ways = [];
  for (const connection of window.kept) {
    const stats = await connection.getStats();
    stats.forEach((report) => {
      if (report.type !== 'candidate-pair' || !report.nominated) return;
      const { candidateType, relayProtocol } = stats.get(report.localCandidateId);
      ways.push(`${candidateType} over ${relayProtocol}`);
    });
  }
  return ways;
}
"""


@pytest.fixture
def turn(tmp_path: Path) -> Iterator[TurnServer]:
    server = TurnServer(tmp_path / "coturn", peer=own_address())
    with server.running():
        yield server


@pytest.fixture
def relayed(tmp_path: Path, turn: TurnServer) -> Iterator[ServerProcess]:
    """A server with a media server, and a TURN server for browsers."""
    media = janus.JanusProcess(tmp_path / "janus")
    (tmp_path / "media.secret").write_text(janus.SECRET)
    (tmp_path / "turn.secret").write_text(SECRET)
    file = tmp_path / "croupier.toml"
    file.write_text(CONFIG_TOML.format(port=media.port, turn=turn.url))
    process = ServerProcess(tmp_path / "data", options=("--config", str(file)))
    media.start()
    try:
        yield process.start()
    finally:
        process.stop()
        media.kill()


def relays_over_tcp(page: Page) -> None:
    assert set(page.evaluate(WAYS)) == {"relay over tcp"}


def test_dealer_and_player_reach_the_media_server_by_a_relay(
    chromium: Browser, relayed: ServerProcess, turn: TurnServer
) -> None:
    browser = launch(chromium.browser_type, *FAKE_DEVICES)
    code = add(relayed.data, "Dana", "dealer")
    with page_with(browser, relayed, f"/staff/table/{TABLE}", RELAY_ONLY) as dealer:
        sign_in(dealer, "Dana", code)
        dealer.get_by_test_id("camera-on").click()
        on_camera(dealer)
        relays_over_tcp(dealer)
        with page_with(browser, relayed, f"/table/{TABLE}", RELAY_ONLY) as player:
            expect(player.get_by_test_id("dealer-picture")).to_be_visible(timeout=SLOW_MS)
            moves(player)
            hears(player)
            relays_over_tcp(player)
    browser.close()
    assert SECRET not in turn.log
