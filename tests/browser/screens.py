"""Layout checks: nothing extends over the window, and each control can be pressed."""

from playwright.sync_api import Page, ViewportSize

SIZES = ((320, 640), (390, 844), (768, 1024), (1280, 720), (1440, 900))
PHONES = SIZES[:2]
FEW = (SIZES[-1], SIZES[2], SIZES[0])
"""A desktop, a tablet and a small phone, for the later phases of a round."""
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
HEIGHT_PX_MIN = 560
"""A lower window scrolls as a page."""
DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))"
"""Wait two frames: the layout has received the new size and responded."""
FAULTS = """
(tall) => {
  const html = document.documentElement;
  const faults = [];
  const wider = html.scrollWidth - innerWidth;
  const taller = tall ? html.scrollHeight - innerHeight : 0;
  if (wider > 0 || scrollX) faults.push(`the page is ${wider} px wider than the window, at ${scrollX}`);
  if (taller > 0) faults.push(`the page is ${taller} px taller than the window`);
  for (const control of document.querySelectorAll('[data-table-root] button')) {
    if (control.closest('.unseen') || !control.checkVisibility({ visibilityProperty: true })) continue;
    control.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const name = control.dataset.testid ?? control.getAttribute('aria-label') ?? control.textContent.trim();
    if (left < -1 || right > innerWidth + 1) faults.push(`${name} reaches over the window's side`);
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    // A message may cover a control, since it disappears by itself.
    const covered = !control.contains(hit) && !hit?.closest('[data-testid=message]');
    if (covered) faults.push(`${name} is covered by ${hit?.className || hit?.tagName}`);
  }
  for (const hand of document.querySelectorAll('[data-testid^=hand-]')) {
    const { left, right } = hand.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1) faults.push(`${hand.ariaLabel} reaches over the window's side`);
  }
  scrollTo(0, 0);
  return faults;
}
"""


def resize(page: Page, size: tuple[int, int]) -> None:
    """Give the window another size and wait until the page has followed."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(DRAWN)


def faults(page: Page, size: tuple[int, int]) -> list[str]:
    """Return the layout errors at a size; check twice, since a moving part may pass over a control."""
    resize(page, size)
    tall = size[1] >= HEIGHT_PX_MIN
    found: list[str] = page.evaluate(FAULTS, tall)
    if found:
        page.wait_for_timeout(400)
        found = page.evaluate(FAULTS, tall)
    return found


def assert_layout(page: Page, where: str, sizes: tuple[tuple[int, int], ...] = SIZES) -> None:
    """Assert that the page has no layout errors at any size."""
    wrong = {size: found for size in sizes if (found := faults(page, size))}
    assert not wrong, (where, wrong)
