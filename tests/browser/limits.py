"""A player at the page for safer play."""

from playwright.sync_api import Page


def set_limit(page: Page, what: str, period: str, most: str) -> None:
    page.get_by_test_id("limit-what").select_option(what)
    if period:
        page.get_by_test_id("limit-period").select_option(period)
    page.get_by_test_id("limit-most").fill(most)
    page.get_by_role("button", name="Set limit").click()
