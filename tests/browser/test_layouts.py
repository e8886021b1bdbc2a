"""The layouts of roulette and Sic Bo: every bet is reached by finger, mouse and keys; call bets."""

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.equipment.wheel import colour
from croupier.games import published_tables
from croupier.games.roulette.rules import pockets
from tests.browser.player import SLOW_MS
from tests.browser.screens import resize
from tests.browser.test_everybody_can_play import violations
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

SIZES = ((1440, 900), (390, 844))
FINGER_PX = 24
"""Minimum side length of a touch target."""
GUIDED_PX = 16
"""A line of the phone layout, where a touch shows its bet before it is placed."""
BETS = "[data-testid^='bet-'][data-spot]"
MISSED = f"""
[...document.querySelectorAll("{BETS}")].filter((bet) => {{
  bet.scrollIntoView({{ block: 'center' }});
  const {{ x, y, width, height }} = bet.getBoundingClientRect();
  return !bet.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}}).map((bet) => bet.dataset.spot)
"""
"""Bets whose centre belongs to another one."""
SIDES = f"""
(guided) => Object.fromEntries([...document.querySelectorAll("{BETS}")]
  .filter((bet) => bet.classList.contains('edge') === guided)
  .map((bet) => [bet.dataset.spot, bet.getBoundingClientRect()])
  .map(([spot, {{ width, height }}]) => [spot, Math.min(width, height)]))
"""
REACHED = f"""
() => {{
  const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
  const reached = new Set([document.querySelector("{BETS}[tabindex='0']")]);
  const focus = HTMLElement.prototype.focus;
  HTMLElement.prototype.focus = function () {{ reached.add(this); }};
  for (const from of reached)
    for (const key of arrows)
      from.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true, cancelable: true }}));
  HTMLElement.prototype.focus = focus;
  return [...reached].map((bet) => bet.dataset.spot);
}}
"""
"""Return all bets that arrow keys reach from the one that Tab reaches.

The focus is noted but not moved: each of 600 moves would lay the table out.
"""
VOISINS = {
    **dict.fromkeys(("street_0_2_3", "corner_25_26_28_29"), 2),
    **dict.fromkeys(("split_4_7", "split_12_15", "split_18_21", "split_19_22", "split_32_35"), 1),
}
TIERS = ("split_5_8", "split_10_11", "split_13_16", "split_23_24", "split_27_30", "split_33_36")
ORPHELINS = ("straight_1", "split_6_9", "split_14_17", "split_17_20", "split_31_34")
CALLS = {"voisins": VOISINS, "tiers": dict.fromkeys(TIERS, 1), "orphelins": dict.fromkeys(ORPHELINS, 1)}
CHIP_MINOR = 500


def sit(page: Page, table: str) -> None:
    page.goto(f"/table/{table}")
    expect(page.locator(BETS).first).to_be_visible(timeout=SLOW_MS)


def names(table: str) -> set[str]:
    found = published_tables()[table]
    return {bet.name for bet in found.game.bets(found.rules)}


def placed(page: Page) -> dict[str, str]:
    """Return the announced stake of each bet with chips."""
    labels = page.locator(BETS).evaluate_all(
        "bets => bets.map((bet) => [bet.dataset.spot, bet.firstChild.textContent])"
    )
    return {bet: name.rpartition(", ")[2] for bet, name in labels if name.endswith(" placed")}


def test_roulette_is_played_by_mouse_arrows_and_call_bets(kept: Page) -> None:
    sit(kept, "roulette")
    every_bet_is_hit_by_the_mouse_and_reached_by_arrows(kept, "roulette")
    assert violations(kept) == []
    the_racetrack_has_the_order_and_the_colours_of_the_wheel(kept, "roulette")

    # call bets place the published chips
    for call, bets in CALLS.items():
        kept.locator(f"[data-spot={call}]").click()
        amounts = {bet: f"GC\u00a0{chips * CHIP_MINOR:,}" for bet, chips in bets.items()}
        assert placed(kept) == {bet: f"{amount} placed" for bet, amount in amounts.items()}
        kept.get_by_test_id("clear").click()

    # a chip is placed and taken back by keys
    kept.get_by_test_id("bet-straight_17").focus()
    kept.keyboard.press("ArrowRight")
    kept.keyboard.press("Enter")
    assert placed(kept) == {"split_17_20": "GC\u00a0500 placed"}
    kept.keyboard.press("Shift+Enter")
    assert placed(kept) == {}


def test_neighbours_on_both_sides_go_through_the_zeros_of_american_roulette(kept: Page) -> None:
    sit(kept, "american_roulette")
    every_bet_is_hit_by_the_mouse_and_reached_by_arrows(kept, "american_roulette")
    the_racetrack_has_the_order_and_the_colours_of_the_wheel(kept, "american_roulette")
    expect(kept.locator("[data-spot=voisins]")).to_have_count(0)
    kept.get_by_role("button", name="Fewer").click()
    kept.locator("[data-spot=near_00]").click()
    assert set(placed(kept)) == {"straight_1", "straight_00", "straight_27"}


def test_every_bet_of_sic_bo_is_hit_by_the_mouse_and_reached_by_arrows(kept: Page) -> None:
    sit(kept, "sic_bo")
    every_bet_is_hit_by_the_mouse_and_reached_by_arrows(kept, "sic_bo")
    assert violations(kept) == []


def every_bet_is_hit_by_the_mouse_and_reached_by_arrows(page: Page, table: str) -> None:
    """Each bet has a name of its own."""
    for size in reversed(SIZES):
        resize(page, size)
        shown = page.locator(BETS).evaluate_all("bets => bets.map((bet) => bet.dataset.spot)")
        assert sorted(shown) == sorted(names(table))
        assert page.evaluate(MISSED) == []
        assert sorted(page.evaluate(REACHED)) == sorted(shown)
        narrow = page.locator(".narrow").count() > 0
        assert min(page.evaluate(SIDES, False).values()) >= FINGER_PX
        lines = page.evaluate(SIDES, True).values()
        assert min(lines, default=FINGER_PX) >= (GUIDED_PX if narrow else FINGER_PX)
    called = page.locator(BETS).evaluate_all("bets => bets.map((bet) => bet.firstChild.textContent)")
    assert all(":1, " in name for name in called)
    assert len(set(called)) == len(names(table))


def the_racetrack_has_the_order_and_the_colours_of_the_wheel(page: Page, table: str) -> None:
    wheel = pockets(published_tables()[table].rules)
    near = page.locator("[data-spot^='near_']")
    assert tuple(near.all_text_contents()) == wheel
    classes = near.evaluate_all("spots => spots.map((spot) => [...spot.classList])")
    for pocket, names_of in zip(wheel, classes, strict=True):
        assert colour(pocket) in names_of, pocket


def test_a_touch_places_the_chip_where_it_ends(chromium: Browser, server: ServerProcess) -> None:
    """Spots on a phone are smaller than a finger: a touch previews its bet and may move."""
    context = chromium.new_context(
        viewport={"width": 844, "height": 390},
        reduced_motion="reduce",
        base_url=server.address,
        has_touch=True,
        is_mobile=True,
    )
    page = context.new_page()
    sit(page, "roulette")
    fingers = context.new_cdp_session(page)
    for size in ((844, 390), (390, 844)):
        resize(page, size)
        page.get_by_test_id("bet-straight_5").tap()
        for step, bet in (("touchStart", "straight_17"), ("touchMove", "corner_17_18_20_21")):
            at = middle(page, bet)
            fingers.send("Input.dispatchTouchEvent", {"type": step, "touchPoints": [at]})
        expect(page.locator(".preview")).to_contain_text("Corner 17/18/20/21")
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(page.locator(".preview")).to_have_count(0)
        assert set(placed(page)) == {"straight_5", "corner_17_18_20_21"}
        page.get_by_test_id("clear").tap()
        assert placed(page) == {}
    context.close()


def middle(page: Page, bet: str) -> dict[str, float]:
    box = page.get_by_test_id(f"bet-{bet}").bounding_box()
    assert box is not None
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
