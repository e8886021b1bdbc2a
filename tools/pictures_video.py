"""Screenshots of tables whose dealer is on camera, through a real Janus. Drawings replace the cameras."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import launch
from tests.browser.player import SLOW_MS
from tests.browser.test_staff import scan, sign_in
from tests.staff.clients import add
from tests.support.janus import SECRET, JanusProcess
from tests.support.server_process import ServerProcess
from tools.camera import DESKTOP, PHONE, open_page, screenshot
from tools.janus import INSTALL, find_janus, own_address

CONFIG_TOML = """
[infinite]
dealer = "person"
betting_ms = 30000
decision_ms = 60000

[live_roulette]
dealer = "person"
betting_ms = 20000
pause_ms = 12000

[media]
url = "janus://127.0.0.1:{port}"
secret_file = "media.secret"
"""
DRAWN_DEALER = Path(__file__).parent / "drawn_dealer.svg"
FOUR = "infinite+live_roulette+classic+live_baccarat"
LARGE_WHEEL = """
<body style="display: grid; place-items: center; height: 100vh; margin: 0; background: #0a3a28">
<img width="660" src="data:image/png;base64,{}">
"""


@contextmanager
def filming(browser: Browser, image: bytes, folder: Path, name: str) -> Iterator[Browser]:
    """Launch a browser whose camera shows an image."""
    file = folder / f"{name}.mjpeg"
    file.write_bytes(image)
    args = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
    opened = launch(browser.browser_type, *args, f"--use-file-for-fake-video-capture={file}")
    yield opened
    opened.close()


def drawn_dealer(browser: Browser) -> bytes:
    return _image(browser, f"<body style='margin: 0'>{DRAWN_DEALER.read_text()}")


def drawn_wheel(browser: Browser, server: ServerProcess) -> bytes:
    """Return the client's own wheel, large."""
    page = open_page(browser, server.address, (1920, 1080))
    page.goto("/table/roulette")
    wheel = page.locator(".bowl").screenshot(type="png")
    page.close()
    return _image(browser, LARGE_WHEEL.format(base64.b64encode(wheel).decode()))


def _image(browser: Browser, html: str) -> bytes:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_content(html)
    image = page.screenshot(type="jpeg", quality=90)
    page.close()
    return image


def staff_page(browser: Browser, server: ServerProcess, name: str, role: str, table: str) -> Page:
    page = open_page(browser, server.address, DESKTOP)
    page.goto(f"/staff/table/{table}")
    sign_in(page, name, add(server.data, name, role))
    return page


def switch_on(page: Page, view: str) -> None:
    section = page.get_by_test_id(f"camera-{view}")
    section.get_by_test_id("camera-on").click()
    expect(section.get_by_test_id("camera-state")).to_contain_text("Players see", timeout=2 * SLOW_MS)


def player_page(browser: Browser, server: ServerProcess, size: tuple[int, int], tables: str) -> Page:
    page = open_page(browser, server.address, size)
    page.goto(f"/table/{tables}")
    page.get_by_test_id("picture-state").first.wait_for(timeout=2 * SLOW_MS)
    return page


def photograph(browser: Browser, folder: Path) -> None:
    """Take the pictures; without Janus, say how to install it."""
    if not find_janus() or not own_address():
        print(INSTALL)
        return
    janus = JanusProcess(folder / "janus")
    janus.start()
    (folder / "media.secret").write_text(SECRET)
    config = folder / "filmed.toml"
    config.write_text(CONFIG_TOML.format(port=janus.port))
    server = ServerProcess(folder / "filmed", options=("--config", str(config))).start()
    wheel, dealer = drawn_wheel(browser, server), drawn_dealer(browser)
    with (
        filming(browser, dealer, folder, "dealer") as dealers,
        filming(browser, wheel, folder, "wheel") as wheels,
    ):
        _play(browser, server, dealers, wheels)
    server.stop()
    janus.kill()


def _play(browser: Browser, server: ServerProcess, dealers: Browser, wheels: Browser) -> None:
    ada = staff_page(dealers, server, "Ada", "dealer", "infinite")
    ben = staff_page(dealers, server, "Ben", "dealer", "live_roulette")
    for shoe in range(ada.locator("[data-testid^='shuffled-']").count()):
        ada.get_by_test_id(f"shuffled-{shoe}").click()
    switch_on(ada, "dealer")
    switch_on(ben, "dealer")
    switch_on(staff_page(wheels, server, "Mona", "manager", "live_roulette"), "equipment")
    screenshot(ben, "video/dealers-page")
    _spin(ben, player_page(browser, server, DESKTOP, "live_roulette"))
    for name, size, tables in (
        ("desktop", DESKTOP, "infinite"),
        ("phone", PHONE, "infinite"),
        ("four-tables", DESKTOP, FOUR),
        ("roulette-phone", PHONE, "live_roulette"),
    ):
        page = player_page(browser, server, size, tables)
        page.wait_for_timeout(4_000)  # a sharp layer of each picture
        screenshot(page, f"video/{name}")
        page.context.close()


def _spin(dealer: Page, player: Page) -> None:
    """Show the wheel while the ball runs."""
    player.locator("[data-table-root][data-phase=betting]").wait_for(timeout=5 * SLOW_MS)
    player.get_by_test_id("bet-red").click()
    expect(dealer.get_by_test_id("wanted")).to_contain_text("pocket", timeout=5 * SLOW_MS)
    player.wait_for_timeout(2_000)
    screenshot(player, "video/wheel")
    scan(dealer, "17")
    player.context.close()
