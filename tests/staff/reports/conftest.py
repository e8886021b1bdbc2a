"""A manager's client of the server that tests share."""

from collections.abc import AsyncIterator

import pytest

from tests.staff.clients import StaffBrowser
from tests.staff.conftest import Staffed


@pytest.fixture
async def ada(shared_server: Staffed) -> AsyncIterator[StaffBrowser]:
    async with StaffBrowser(shared_server.address) as client:
        await client.sign_in("Ada", shared_server.ada)
        yield client
