"""CSV files (RFC 4180), read in pages.

Each page is one short query in a thread, so that an export delays neither the event loop nor the writer.
"""

import asyncio
import csv
import io
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from litestar.response import Stream

from croupier.play.contract.amounts import Currency

T = TypeVar("T")
READERS = 2
"""Exports that read at the same time; others wait for their next page."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a text that a spreadsheet would take for a formula."""


class PagedCsv:
    """Exports that share the readers."""

    def __init__(self) -> None:
        self._reading = asyncio.Semaphore(READERS)

    async def text(
        self,
        columns: Sequence[str],
        page: Callable[[T | None], Sequence[T]],
        row: Callable[[T], Sequence[str]],
    ) -> AsyncIterator[str]:
        """Yield the columns' names, then the rows of each page; `page` returns the one after a record."""
        yield csv_text([columns])
        last: T | None = None
        while True:
            async with self._reading:
                text, last = await asyncio.to_thread(_page_text, page, row, last)
            if not text:
                return
            yield text


def _page_text(
    page: Callable[[T | None], Sequence[T]], row: Callable[[T], Sequence[str]], last: T | None
) -> tuple[str, T | None]:
    """Return the page after `last` as CSV, empty after the end, and its last record."""
    found = page(last)
    return csv_text([row(each) for each in found]), found[-1] if found else last


def csv_text(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


def csv_file(name: str, text: AsyncIterator[str]) -> Stream:
    """Return the response with a file; `name` is without the extension."""
    attachment = f'attachment; filename="{name}.csv"'
    return Stream(text, media_type="text/csv", headers={"Content-Disposition": attachment})


def guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def plain_amount(currency: Currency, amount_minor: int) -> str:
    """Format 1234567 as `12345.67`, with this currency's decimals and the sign."""
    return currency.text(amount_minor).replace(",", "")


def utc(at_ms: int) -> str:
    """Format a time as in `2026-11-25T12:00:00.000Z`."""
    at = EPOCH + timedelta(milliseconds=at_ms)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at_ms % 1000:03d}Z"
