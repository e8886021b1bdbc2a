"""An owner of live tables that alone loses its message server: another one runs the tables soon."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from croupier.ledger.leases import LEASE_MS
from tests.faults.nodes import Cluster, open_tables
from tests.support.cut_link import CutLink, cut_link
from tests.support.nats_server import NatsServer, needs_nats
from tests.support.postgresql import database
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.anyio, needs_nats, pytest.mark.campaign]
WITHIN_S = LEASE_MS / 1000 + 3
BACK_S = 20


class Site(NamedTuple):
    cluster: Cluster
    link: CutLink


@asynccontextmanager
async def running_site(folder: Path) -> AsyncIterator[Site]:
    """Start two nodes; the first, which runs the tables, reaches NATS over a link of its own."""
    with ExitStack() as stack:
        url = stack.enter_context(database(f"croupier_cut_{os.getpid()}"))
        nats = stack.enter_context(NatsServer())
        async with cut_link(nats.port) as link:
            own = ("--bus", nats.url.replace(str(nats.port), str(link.port)))
            cluster = Cluster(folder, url, nats, nodes={"one": own, "two": ()})
            stack.callback(cluster.stop)
            await asyncio.to_thread(cluster.start)
            yield Site(cluster, link)
            await asyncio.to_thread(cluster.stop)


async def readiness(node: ServerProcess) -> str:
    async with httpx.AsyncClient(verify=False) as http:
        return (await http.get(f"{node.admin}readyz")).text.strip()


async def until_ready(node: ServerProcess, shown: str, within_s: float) -> None:
    async with asyncio.timeout(within_s):
        while await readiness(node) != shown:  # noqa: ASYNC110 - no event of another process
            await asyncio.sleep(0.05)


async def test_tables_leave_an_owner_that_is_cut_off(tmp_path: Path) -> None:
    async with running_site(tmp_path) as site:
        one, two = site.cluster.nodes
        assert await open_tables(one) >= set(site.cluster.tables)
        site.link.cut()
        began_s = time.monotonic()
        async with asyncio.timeout(WITHIN_S):
            while not await open_tables(two) >= set(site.cluster.tables):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        print(f"after {time.monotonic() - began_s:.1f} s")
        assert (await readiness(one), await readiness(two)) == ("cut_off", "ready")
        assert await open_tables(one) == set()
        site.link.restore()
        await until_ready(one, "ready", BACK_S)
        assert await open_tables(two) >= set(site.cluster.tables)
