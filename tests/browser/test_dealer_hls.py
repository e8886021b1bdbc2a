"""The dealer's picture by HLS, through a real Janus and ffmpeg, for a player whom WebRTC doesn't reach."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.filming import (
    KEEPING,
    TABLE,
    UNCLOSED,
    choose,
    covers_nothing,
    dealer_page,
    filming,
    hears,
    janus,
    lines_become,
    moves,
    on_camera,
    page_with,
)
from tests.browser.filming import check_exclusion as check_webrtc_exclusion
from tests.browser.player import SLOW_MS
from tests.browser.recorded_rounds import RECORDING_TOOLS, check_recording, voided_round
from tests.support.janus import SECRET, JanusProcess, needs_janus
from tests.support.server_process import ServerProcess

__all__ = ["filming", "janus"]
pytestmark = [
    pytest.mark.browser(alone=True),
    needs_janus,
    pytest.mark.skipif(not shutil.which("ffmpeg"), reason="ffmpeg isn't installed"),
]
CONFIG_TOML = """
[infinite]
dealer = "person"

[media]
url = "janus://127.0.0.1:{port}"
secret_file = "media.secret"
recording_folder = "{recordings}"

[media.hls]
folder = "{folder}"
video_delay_ms = {delay_ms}
"""
DELAY_MS = 1_500
TIMER_MS = 20
"""Browsers' clocks and timers are coarse."""
BLOCKED = """
window.RTCPeerConnection = class extends RTCPeerConnection {
  constructor(given) { super({ ...given, iceTransportPolicy: 'relay' }); }
};
"""
"""Connects only through a relay, and there is none."""
NOTED = """
window.arrived = {}, window.shown = {};
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', ({ data }) => {
      const { t, state } = JSON.parse(data);
      if (t === 'live') window.arrived[state.clock.phase] ??= performance.now();
    });
  }
};
new MutationObserver(() => {
  const phase = document.querySelector('[data-table-root]')?.dataset.phase;
  if (phase) window.shown[phase] ??= performance.now();
}).observe(document, { subtree: true, childList: true, attributeFilter: ['data-phase'] });
"""
"""Notes when each phase arrives and is shown first, since `FORGET`."""
FORGET = "window.arrived = {}, window.shown = {}"
LOUDNESS = """
async () => {
  const video = document.querySelector('[data-testid=dealer-picture]');
  if (!video) return 0; // a picture that has stalled starts again
  const stream = video.captureStream();
  // The voice is decoded later than the picture, and never once the picture has stalled and begins anew.
  for (let i = 0; i < 60 && !stream.getAudioTracks().length; i++) {
    await new Promise((next) => setTimeout(next, 50));
  }
  if (!stream.getAudioTracks().length) return 0;
  const context = new AudioContext(), analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let most = 0;
  for (let i = 0; i < 60 && most < 0.1; i++) {
    await new Promise((next) => setTimeout(next, 50));
    analyser.getFloatTimeDomainData(samples);
    most = Math.max(most, ...samples);
  }
  await context.close();
  return most;
}
"""
LOADED = "performance.getEntriesByType('resource').map(({ name }) => name)"
STREAM_MS = 4 * SLOW_MS
"""Time until a stream can be played: the layers settle, and segments are written."""


@pytest.fixture
def streaming(tmp_path: Path, janus: JanusProcess) -> Iterator[ServerProcess]:
    """A server that has the dealers' pictures by HLS as well."""
    (tmp_path / "media.secret").write_text(SECRET)
    (folder := tmp_path / "hls").mkdir()
    (recordings := tmp_path / "recordings").mkdir()
    file = tmp_path / "croupier.toml"
    values = {"port": janus.port, "folder": folder, "recordings": recordings, "delay_ms": DELAY_MS}
    file.write_text(CONFIG_TOML.format(**values))
    process = ServerProcess(tmp_path / "data", options=("--config", str(file))).start()
    yield process
    process.stop()


def requests_of(page: Page) -> list[str]:
    """Return the addresses of the stream that the page loads, as a list that grows."""
    loaded = list[str]()
    page.on("request", lambda request: loaded.append(request.url) if "/api/streams/" in request.url else None)
    return loaded


def stops(page: Page, loaded: list[str]) -> None:
    """The page loads nothing more within a second."""
    page.wait_for_timeout(1_000)
    before = len(loaded)
    page.wait_for_timeout(2_000)
    assert len(loaded) == before


def test_players_see_and_hear_the_dealer_until_they_exclude_themselves(
    filming: Browser, streaming: ServerProcess
) -> None:
    """One by WebRTC, one by HLS; the tests of the campaign show the rest."""
    with dealer_page(filming, streaming) as dealer:
        dealer.get_by_test_id("camera-on").click()
        on_camera(dealer)
        with page_with(filming, streaming, f"/table/{TABLE}", KEEPING + UNCLOSED) as ann:
            moves(ann)
            covers_nothing(ann)
            hears(ann)
            assert not any("hls" in name for name in ann.evaluate(LOADED)), "only those who use it load it"
            check_webrtc_exclusion(ann)
        with page_with(filming, streaming, f"/table/{TABLE}", BLOCKED) as bob:
            lines_become(bob, "lines > 0", STREAM_MS)
            moves(bob)
            is_heard(bob)


@pytest.mark.campaign
def test_a_player_whom_webrtc_does_not_reach_watches_by_hls(
    filming: Browser, streaming: ServerProcess, tmp_path: Path
) -> None:
    with (
        dealer_page(filming, streaming) as dealer,
        page_with(filming, streaming, f"/table/{TABLE}", BLOCKED + NOTED) as ann,
    ):
        loaded = requests_of(ann)
        dealer.get_by_test_id("camera-on").click()
        on_camera(dealer)
        lines_become(ann, "lines > 0", STREAM_MS)
        moves(ann)
        is_heard(ann)
        check_quality(ann, loaded)
        if RECORDING_TOOLS:
            ann.evaluate(FORGET)
            check_recording(filming, streaming, dealer, voided_round)
            check_results_are_late(ann)
        check_return(dealer, ann, loaded)
        check_exclusion(ann, loaded)
        dealer.get_by_test_id("camera-off").click()
    streaming.stop()
    assert not list((tmp_path / "hls").iterdir()), "nothing is left"


def is_heard(player: Page) -> None:
    """The dealer's microphone beeps once a second."""
    hears(player, LOUDNESS)


def check_quality(player: Page, loaded: list[str]) -> None:
    choose(player, "low")
    lines_become(player, "lines > 0 && lines <= 180")
    expect(player.get_by_test_id("picture-state")).to_contain_text("180p", timeout=SLOW_MS)
    choose(player, "audio")
    expect(player.get_by_test_id("picture-state")).to_have_text("Voice only", timeout=SLOW_MS)
    is_heard(player)
    assert "voice-" in loaded[-1] or "voice." in loaded[-1]
    choose(player, "off")
    stops(player, loaded)
    choose(player, "auto")
    moves(player, STREAM_MS)


def check_results_are_late(player: Page) -> None:
    """The deal and the end of the round are shown with the picture, and not before."""
    for phase in ("dealing", "pause"):
        player.wait_for_function("phase => window.shown[phase]", arg=phase, timeout=SLOW_MS)
        arrived, shown = player.evaluate(f"[window.arrived.{phase}, window.shown.{phase}]")
        assert shown - arrived > DELAY_MS - TIMER_MS, phase


def check_return(dealer: Page, player: Page, loaded: list[str]) -> None:
    """A reload is another stream, which players find."""
    before = stream_of(loaded[-1])
    dealer.reload()
    wait_until(lambda: stream_of(loaded[-1]) != before, player)
    moves(player, STREAM_MS)


def stream_of(url: str) -> str:
    return url.rsplit("/", 2)[1]


def wait_until(condition: Callable[[], bool], page: Page) -> None:
    for _ in range(STREAM_MS // 500):
        page.wait_for_timeout(500)
        if condition():
            return
    raise AssertionError("it takes too long")


def check_exclusion(player: Page, loaded: list[str]) -> None:
    """The picture stops, and its address is of no more use."""
    last = loaded[-1]
    assert player.request.get(last).ok
    answer = player.request.post("/api/responsible-gaming/break", data={"why": "exclusion", "days": 180})
    assert answer.ok, answer.text()
    assert not player.request.get(last).ok
    stops(player, loaded)
