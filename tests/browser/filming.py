"""Dealers on camera and players who watch, through a real Janus: servers, pages, and what they show."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import launch, opened
from tests.browser.player import SLOW_MS
from tests.browser.test_drawn_dealer import OVERLAPS
from tests.browser.test_staff import sign_in
from tests.staff.clients import add
from tests.support.bad_link import BadLink
from tests.support.janus import SECRET, JanusProcess
from tests.support.server_process import ServerProcess

FAKE_DEVICES = (
    "--use-fake-device-for-media-stream=fps=10,device-count=3",
    "--use-fake-ui-for-media-stream",
    "--enable-blink-features=PrefersReducedData",
)
TABLE, WHEEL = "infinite", "live_roulette"
CONFIG_TOML = """
[infinite]
dealer = "person"
betting_ms = 1500
warning_ms = 500

[live_roulette]
dealer = "person"
betting_ms = 5000
warning_ms = 2000
pause_ms = 60000

[media]
url = "janus://127.0.0.1:{port}"
secret_file = "media.secret"
recording_folder = "{recordings}"
"""
PIXELS = """
(picture) => {
  const video = document.querySelector(picture);
  if (!video?.videoWidth) return '';
  const canvas = new OffscreenCanvas(32, 18), drawing = canvas.getContext('2d');
  drawing.drawImage(video, 0, 0, 32, 18);
  return drawing.getImageData(0, 0, 32, 18).data.join();
}
"""
CHANGED = f"([picture, before]) => {{ const now = ({PIXELS})(picture); return now && now !== before; }}"
LOUDNESS = """
async () => {
  const video = document.querySelector('[data-testid=dealer-picture]');
  const context = new AudioContext(), analyser = context.createAnalyser();
  context.createMediaStreamSource(video.srcObject).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let most = 0;
  for (let i = 0; i < 30 && most < 0.1; i++) {
    await new Promise((next) => setTimeout(next, 50));
    analyser.getFloatTimeDomainData(samples);
    most = Math.max(most, ...samples);
  }
  await context.close();
  return most;
}
"""
AUDIBLE = 0.01
PICTURE = "[data-testid=dealer-picture]"
KEEPING = """
window.kept = [];
window.RTCPeerConnection = class extends RTCPeerConnection {
  constructor(...given) { super(...given); window.kept.push(this); }
};
"""
"""Keeps each connection in `kept`."""
RELAYED = """
const asInterval = window.setInterval;
window.setInterval = (call, ms) => asInterval(call, ms === 2000 ? 400 : ms);
const { setRemoteDescription } = RTCPeerConnection.prototype;
RTCPeerConnection.prototype.setRemoteDescription = async function ({ type, sdp }) {
  const candidate = /(a=candidate:\\S+ 1 udp \\d+ )(\\S+) (\\d+)/gi;
  const ports = {};
  for (const [, , host, port] of sdp.matchAll(candidate)) ports[port] ??= await window.relay(host, +port);
  const relayed = sdp.replace(candidate, (_, begin, host, port) => `${begin}${host} ${ports[port]}`);
  return setRemoteDescription.call(this, { type, sdp: relayed });
};
"""
"""Receives through the relay. Automatic quality takes its steps, of two seconds, five times as often."""
UNCLOSED = "RTCPeerConnection.prototype.close = () => {};"
GROWTH = """
async () => {
  const received = async () => {
    let sum = 0;
    for (const connection of window.kept)
      (await connection.getStats()).forEach(({ type, bytesReceived }) => {
        if (type === 'transport') sum += bytesReceived;
      });
    return sum;
  };
  const before = await received();
  await new Promise((next) => setTimeout(next, 500));
  return (await received()) - before;
}
"""
"""Bytes of all connections in half a second."""


@pytest.fixture
def janus(tmp_path: Path) -> Iterator[JanusProcess]:
    process = JanusProcess(tmp_path / "janus")
    process.start()
    yield process
    process.kill()


@pytest.fixture
def filmed(tmp_path: Path, janus: JanusProcess) -> Iterator[ServerProcess]:
    """A server with a media server, whose table is dealt by a person."""
    (tmp_path / "media.secret").write_text(SECRET)
    file = tmp_path / "croupier.toml"
    (recordings := tmp_path / "recordings").mkdir()
    file.write_text(CONFIG_TOML.format(port=janus.port, recordings=recordings))
    process = ServerProcess(tmp_path / "data", options=("--config", str(file))).start()
    yield process
    process.stop()


@pytest.fixture
def filming(chromium: Browser) -> Iterator[Browser]:
    """A browser with a fake camera and microphone."""
    browser = launch(chromium.browser_type, *FAKE_DEVICES)
    yield browser
    browser.close()


@contextmanager
def page_with(
    browser: Browser, server: ServerProcess, path: str, script: str, link: BadLink | None = None
) -> Iterator[Page]:
    """Open a page that runs a script before its own; `link` carries what it receives.

    With a link, the picture is high enough for more than the lowest layer.
    """
    width, height = (1920, 1080) if link else (1440, 900)
    with opened(browser, server, width=width, height=height) as page:
        page.add_init_script(script)
        if link:
            page.expose_function("relay", link.relay)
            page.add_init_script(RELAYED)
        page.goto(path)
        yield page


@contextmanager
def dealer_page(browser: Browser, server: ServerProcess, table: str = TABLE) -> Iterator[Page]:
    """Open the table's page as its dealer."""
    code = add(server.data, "Dana", "dealer")
    with page_with(browser, server, f"/staff/table/{table}", KEEPING) as dealer:
        sign_in(dealer, "Dana", code)
        yield dealer


def moves(page: Page, timeout_ms: float = SLOW_MS, picture: str = PICTURE) -> None:
    """Wait until the picture changes."""
    before = page.evaluate(PIXELS, picture)
    page.wait_for_function(CHANGED, arg=[picture, before], timeout=timeout_ms)


def on_camera(dealer: Page) -> None:
    expect(dealer.get_by_test_id("camera-state")).to_contain_text("Players see", timeout=2 * SLOW_MS)


def choose(player: Page, quality: str) -> None:
    player.get_by_test_id("picture-quality").select_option(quality)


def hears(player: Page, loudness: str = LOUDNESS) -> None:
    """The dealer's voice is heard; it may come later than the picture."""
    end = monotonic() + 2 * SLOW_MS / 1_000
    while player.evaluate(loudness) <= AUDIBLE:
        assert monotonic() < end, "no voice"


def lines_become(player: Page, condition: str, timeout_ms: float = SLOW_MS) -> None:
    """Wait until the picture's number of lines satisfies the condition."""
    player.wait_for_function(
        f"() => {{ const lines = document.querySelector('{PICTURE}')?.videoHeight; return {condition}; }}",
        timeout=timeout_ms,
    )


def covers_nothing(player: Page) -> None:
    """The picture is neither over bets nor over time or decisions."""
    assert player.get_by_test_id("dealer-video").evaluate_all(OVERLAPS) == []


def check_exclusion(player: Page) -> None:
    """Nothing arrives any more, even for a browser that keeps the connection."""
    assert player.evaluate(GROWTH) > 0
    answer = player.request.post("/api/responsible-gaming/break", data={"why": "exclusion", "days": 180})
    assert answer.ok, answer.text()
    player.wait_for_timeout(1_000)
    assert player.evaluate(GROWTH) == 0
