"""Actions on the page for safer play."""

from playwright.sync_api import Page


def set_limit(page: Page, what: str, period: str, maximum: str) -> None:
    page.get_by_test_id("limit-what").select_option(what)
    if period:
        page.get_by_test_id("limit-period").select_option(period)
    page.get_by_test_id("limit-most").fill(maximum)
    page.get_by_role("button", name="Set limit").click()
