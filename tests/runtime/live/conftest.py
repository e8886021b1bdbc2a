"""Live tables in a house without a network, with speculation and without."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from croupier.runtime.house import House
from croupier.runtime.live.speculation.interface import Speculate
from croupier.runtime.live.speculation.round_end import EVERYTHING, speculating
from tests.runtime.live.in_process import Hands, hands_on, house_in


@pytest.fixture(params=[EVERYTHING, ()], ids=["speculation", "no_speculation"])
def speculate(request: pytest.FixtureRequest) -> Speculate:
    return speculating(request.param)


@pytest.fixture
async def fast(tmp_path: Path, speculate: Speculate) -> AsyncIterator[House]:
    """Its rounds take half a second."""
    async with house_in(tmp_path, speculate=speculate) as house:
        yield house


@pytest.fixture
async def hands(tmp_path: Path, speculate: Speculate) -> AsyncIterator[Hands]:
    """Its rounds go on only as the test says."""
    async with hands_on(tmp_path, speculate=speculate) as hands:
        yield hands
