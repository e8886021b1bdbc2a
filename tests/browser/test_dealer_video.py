"""Dealers on camera and players who watch, through a real Janus: pictures, voice, bad links, returns."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import launch, opened
from tests.browser.player import SLOW_MS
from tests.browser.recorded_rounds import RECORDING_TOOLS, check_recording, voided_round
from tests.browser.test_staff import page_at, sign_in
from tests.staff.clients import add
from tests.support.bad_link import BadLink
from tests.support.janus import SECRET, JanusProcess, needs_janus
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.browser(long=True), needs_janus]

FAKE_DEVICES = ("--use-fake-device-for-media-stream=fps=10", "--use-fake-ui-for-media-stream")
TABLE, WHEEL = "infinite", "live_roulette"
CONFIG_TOML = """
[infinite]
dealer = "person"
betting_ms = 1500
warning_ms = 500

[live_roulette]
dealer = "person"
betting_ms = 4000
warning_ms = 3000

[media]
url = "janus://127.0.0.1:{port}"
secret_file = "media.secret"
recording_folder = "{recordings}"
"""
NOTICED_MS = 7_000
"""Time in which a frozen dealer and a stopped media server are noticed."""
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
  for (let i = 0; i < 30; i++) {
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
SILENCE = """
async () => {
  const senders = window.kept.at(-1).getSenders();
  const tracks = senders.map((sender) => sender.track);
  for (const sender of senders) await sender.replaceTrack(null);
  window.resume = () => senders.forEach((sender, i) => sender.replaceTrack(tracks[i]));
}
"""
"""Send nothing, as a frozen browser does, until `resume`."""
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
    for page in opened(browser, server, width=width, height=height):
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
    assert any(player.evaluate(loudness) > AUDIBLE for _ in range(4))


def lines_become(player: Page, condition: str, timeout_ms: float = SLOW_MS) -> None:
    """Wait until the picture's number of lines satisfies the condition."""
    player.wait_for_function(
        f"() => {{ const lines = document.querySelector('{PICTURE}')?.videoHeight; return {condition}; }}",
        timeout=timeout_ms,
    )


def test_players_see_and_hear_the_dealer_who_may_drop_out_and_return(
    filming: Browser, filmed: ServerProcess, janus: JanusProcess
) -> None:
    with dealer_page(filming, filmed) as dealer:
        dealer.get_by_test_id("camera-on").click()
        on_camera(dealer)
        with (
            page_with(filming, filmed, f"/table/{TABLE}", KEEPING + UNCLOSED) as ann,
            page_at(filming, filmed, f"/table/{TABLE}", 390) as bob,
        ):
            for player in (ann, bob):
                moves(player)
            check_voice(dealer, ann, bob)
            check_quality(ann)
            if RECORDING_TOOLS:
                check_recording(filming, filmed, dealer, voided_round)
            check_returns(dealer, janus, (ann, bob))
            check_exclusion(ann)


def check_voice(dealer: Page, ann: Page, bob: Page) -> None:
    """The dealer mutes the microphone for all, a player the dealer for themselves."""
    hears(ann)
    dealer.get_by_test_id("microphone").click()
    assert any(bob.evaluate(LOUDNESS) < AUDIBLE for _ in range(4)), "what is buffered is heard first"
    dealer.get_by_test_id("microphone").click()
    mute, sound = ann.get_by_test_id("dealer-mute"), ann.get_by_role("button", name="Mute", exact=True)
    effects = sound.get_attribute("aria-pressed")
    for muted in (True, False):
        mute.click()
        ann.wait_for_function(f"document.querySelector('{PICTURE}').muted === {str(muted).lower()}")
        assert sound.get_attribute("aria-pressed") == effects, "the game's sounds have their own switch"


def check_quality(player: Page) -> None:
    """Each choice is what arrives; without a picture the table goes on."""
    choose(player, "low")
    lines_become(player, "lines > 0 && lines <= 180")
    choose(player, "high")  # a dealer's slow computer sends fewer lines than 720
    lines_become(player, "lines > 180")
    choose(player, "audio")
    expect(player.get_by_test_id("picture-state")).to_have_text("Voice only", timeout=SLOW_MS)
    choose(player, "off")
    expect(player.get_by_test_id("dealer-picture")).to_be_hidden(timeout=SLOW_MS)
    expect(player.get_by_test_id("saying")).to_be_visible()
    choose(player, "low")
    moves(player)


def check_returns(dealer: Page, janus: JanusProcess, players: tuple[Page, ...]) -> None:
    """Whoever drops out is noticed, and the picture comes back: the dealer, Janus, the dealer's page."""
    dealer.evaluate(SILENCE)
    for player in players:
        expect(player.get_by_test_id("picture-interrupted")).to_be_visible(timeout=NOTICED_MS)
    expect(dealer.get_by_test_id("camera-state")).to_contain_text("still picture", timeout=NOTICED_MS)
    dealer.evaluate("window.resume()")
    for player in players:
        moves(player)
    janus.kill()
    for player in players:
        expect(player.get_by_test_id("dealer-video")).to_be_hidden(timeout=NOTICED_MS)
    expect(dealer.get_by_test_id("camera-state")).to_contain_text("media server", timeout=NOTICED_MS)
    janus.start()
    on_camera(dealer)
    dealer.reload()
    on_camera(dealer)
    for player in players:
        moves(player, 2 * SLOW_MS)


def check_exclusion(player: Page) -> None:
    """Nothing arrives any more, even for a browser that keeps the connection."""
    assert player.evaluate(GROWTH) > 0
    answer = player.request.post("/api/responsible-gaming/break", data={"why": "exclusion", "days": 180})
    assert answer.ok, answer.text()
    player.wait_for_timeout(1_000)
    assert player.evaluate(GROWTH) == 0


def test_auto_follows_the_link_and_the_wheel_is_shown_while_the_ball_runs(
    filming: Browser, filmed: ServerProcess
) -> None:
    link = BadLink()
    try:
        with (
            dealer_page(filming, filmed, WHEEL) as dealer,
            page_with(filming, filmed, f"/table/{WHEEL}", KEEPING, link) as ann,
        ):
            dealer.get_by_test_id("camera-dealer").get_by_test_id("camera-on").click()
            moves(ann)
            lines_become(ann, "lines > 180")
            link.lost = 4
            lines_become(ann, "lines > 0 && lines <= 180")
            link.lost = 0
            lines_become(ann, "lines > 180")
            check_settings(ann)
            check_wheel(dealer, ann)
    finally:
        link.close()


def check_settings(player: Page) -> None:
    """The choice and what is received are in Settings as well."""
    player.get_by_test_id("table-menu").click()
    player.get_by_test_id("menu-settings").click()
    settings = player.get_by_role("dialog")
    expect(settings.get_by_test_id("picture-now")).to_contain_text("behind")
    settings.get_by_text("Low", exact=True).click()
    expect(player.get_by_test_id("picture-quality")).to_have_value("low")
    settings.get_by_text("Auto", exact=True).click()
    player.keyboard.press("Escape")


def check_wheel(dealer: Page, player: Page) -> None:
    """The second camera is shown in its phases, and the dealer goes on being heard."""
    dealer.get_by_test_id("camera-equipment").get_by_test_id("camera-on").click()
    shown = player.get_by_test_id("camera-view")
    for view, other in (("equipment", "dealer"), ("dealer", "equipment")):
        expect(shown).to_have_attribute("data-view", view, timeout=2 * SLOW_MS)
        expect(player.get_by_test_id(f"{view}-picture")).to_be_visible()
        expect(player.get_by_test_id(f"{other}-picture")).to_be_hidden()
        moves(player, picture=f"[data-testid={view}-picture]")
        hears(player)
