"""A dealer and a player in Chromium, for the figures of `tools.video_figures`: the picture shows the time."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, Request

from tests.browser.conftest import opened
from tests.browser.filming import KEEPING, PICTURE, on_camera
from tests.browser.player import SLOW_MS
from tests.browser.test_staff import sign_in
from tests.staff.clients import add
from tests.support.server_process import ServerProcess

WINDOW = (1920, 1080)
BITS, CELL, WIDTH, HEIGHT, FRAMES_PER_S = 24, 48, 1280, 720, 30
DRAWN = f"""
navigator.mediaDevices.getUserMedia = async ({{ audio }}) => {{
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [{WIDTH}, {HEIGHT}];
  const drawing = canvas.getContext('2d');
  const cell = (place, row, white) => {{
    drawing.fillStyle = white ? '#fff' : '#000';
    drawing.fillRect(place * {CELL}, row * {CELL}, {CELL}, {CELL});
  }};
  let frame = 0;
  const draw = () => {{
    frame++;
    drawing.fillStyle = '#264';
    drawing.fillRect(0, 2 * {CELL}, {WIDTH}, {HEIGHT});
    for (let i = 0; i < 60; i++) {{
      drawing.fillStyle = `hsl(${{(i * 47) % 360}} 60% 50%)`;
      const x = (i * 131 + frame * (1 + (i % 5))) % {WIDTH}, y = 120 + ((i * 83) % 560);
      drawing.fillRect(x, y, 40, 25);
    }}
    const now = Math.round(performance.timeOrigin + performance.now()) % 2 ** {BITS};
    for (let bit = 0; bit < {BITS}; bit++) {{
      cell(bit, 0, (now >> bit) & 1);
      cell(bit, 1, !((now >> bit) & 1));
    }}
  }};
  setInterval(draw, 1000 / {FRAMES_PER_S});
  const stream = canvas.captureStream({FRAMES_PER_S});
  if (audio) {{
    const context = new AudioContext();
    const tone = context.createOscillator(), voice = context.createMediaStreamDestination();
    tone.connect(voice);
    tone.start();
    stream.addTrack(voice.stream.getAudioTracks()[0]);
  }}
  return stream;
}};
"""
"""Replaces camera and microphone. The first row has the milliseconds as bits, the second their inverse."""
LATENCIES = f"""
async ([picture, ms]) => {{
  const video = document.querySelector(picture), canvas = new OffscreenCanvas({BITS * 8}, 16);
  const drawing = canvas.getContext('2d', {{ willReadFrequently: true }}), latencies = [];
  const read = () => {{
    const scale = video.videoWidth / {WIDTH};
    drawing.drawImage(video, 0, 0, {BITS * CELL} * scale, {2 * CELL} * scale, 0, 0, {BITS * 8}, 16);
    const {{ data }} = drawing.getImageData(0, 0, {BITS * 8}, 16);
    const white = (bit, row) => data[4 * ((4 + 8 * row) * {BITS * 8} + 4 + 8 * bit)] > 128;
    let value = 0;
    for (let bit = {BITS} - 1; bit >= 0; bit--) {{
      if (white(bit, 0) === white(bit, 1)) return;
      value = 2 * value + (white(bit, 0) ? 1 : 0);
    }}
    const now = (performance.timeOrigin + performance.now()) % 2 ** {BITS};
    latencies.push((now - value + 2 ** {BITS}) % 2 ** {BITS});
  }};
  const until = performance.now() + ms;
  while (performance.now() < until) {{
    await new Promise((next) => video.requestVideoFrameCallback(next));
    read();
  }}
  return latencies;
}}
"""
"""The time from the drawing of each frame until the player's page has it."""
SWITCH = """
async ([picture, quality, atLeast, atMost]) => {
  const video = document.querySelector(picture);
  const choice = document.querySelector('[data-testid=picture-quality]');
  const began = performance.now();
  choice.value = quality;
  choice.dispatchEvent(new Event('change', { bubbles: true }));
  while (performance.now() < began + 8000) {
    const frame = await new Promise((next) => video.requestVideoFrameCallback((_, frame) => next(frame)));
    if (frame.height >= atLeast && frame.height <= atMost) return performance.now() - began;
  }
  return null;
}
"""
LAYERS = {"low": (1, 180), "high": (720, 720)}


@contextmanager
def filmed_dealer(browser: Browser, server: ServerProcess, table: str) -> Iterator[Page]:
    """Open the table's page as its dealer, on camera."""
    code = add(server.data, "Dana", "dealer")
    width, height = WINDOW
    with opened(browser, server, width=width, height=height) as page:
        page.add_init_script(KEEPING + DRAWN)
        page.goto(f"/staff/table/{table}")
        sign_in(page, "Dana", code)
        page.get_by_test_id("camera-dealer").get_by_test_id("camera-on").click()
        on_camera(page)
        yield page


@contextmanager
def player_page(browser: Browser, server: ServerProcess, table: str) -> Iterator[Page]:
    """Open the table in the highest quality, and hear the dealer."""
    width, height = WINDOW
    with opened(browser, server, width=width, height=height) as page:
        page.goto(f"/table/{table}")
        page.get_by_test_id("picture-quality").select_option("high")
        page.wait_for_function(
            f"() => document.querySelector('{PICTURE}')?.videoHeight >= {HEIGHT}", timeout=4 * SLOW_MS
        )
        page.get_by_test_id("picture-state").click()  # before a gesture, nothing sounds
        page.wait_for_function(f"() => document.querySelector('{PICTURE}').muted === false")
        yield page


def latencies_ms(page: Page, seconds: float) -> list[float]:
    """Return the time from drawing to showing of the frames in some seconds."""
    found: list[float] = page.evaluate(LATENCIES, [PICTURE, 1_000 * seconds])
    return found


def switches_ms(page: Page, number: int) -> list[float]:
    """Choose the lowest and the highest layer in turn; return how long each took to be shown."""
    found = list[float]()
    for quality, (at_least, at_most) in list(LAYERS.items()) * number:
        took = page.evaluate(SWITCH, [PICTURE, quality, at_least, at_most])
        assert took is not None, f"the layer {quality} doesn't arrive: the dealer's browser is too slow"
        found.append(took)
        page.wait_for_timeout(1_000)
    return found


def first_pictures_ms(page: Page, number: int) -> list[float]:
    """Load the page again and again; return how long each first picture took, as the page reports."""
    found = list[float]()

    def note(request: Request) -> None:
        if request.url.endswith("/camera/shown"):
            found.append(json.loads(request.post_data or "{}")["waited_ms"])

    page.on("request", note)
    for times in range(1, number + 1):
        page.reload()
        for _ in range(100):
            page.wait_for_timeout(100)
            if len(found) >= times:
                break
    page.remove_listener("request", note)
    assert len(found) == number, "a first picture doesn't come"
    return found
