"""Live tables in a house without a network."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from croupier.runtime.house import House
from tests.runtime.live.in_process import Hands, hands_on, house_in


@pytest.fixture
async def fast(tmp_path: Path) -> AsyncIterator[House]:
    """Its rounds take half a second."""
    async with house_in(tmp_path) as house:
        yield house


@pytest.fixture
async def hands(tmp_path: Path) -> AsyncIterator[Hands]:
    """Its rounds go on only as the test says."""
    async with hands_on(tmp_path) as hands:
        yield hands
