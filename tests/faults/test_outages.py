"""PostgreSQL or NATS is stopped and started in play: players see a notice, and play goes on."""

from pathlib import Path

import pytest

from tests.faults.nodes import SHORT_ROUNDS
from tests.faults.outages import Outage, run_outage, running_site, visits
from tests.support.nats_server import needs_nats
from tests.support.postgresql_server import needs_postgresql_programs

DATABASE_STOPPED_S, NATS_STOPPED_S = 3, 5


@pytest.mark.anyio
@needs_nats
@needs_postgresql_programs
async def test_players_wait_for_the_database_and_at_other_nodes_tables_for_the_message_server(
    tmp_path: Path,
) -> None:
    with running_site(tmp_path, SHORT_ROUNDS) as site:
        async with visits(site) as played:
            await run_outage(site, Outage("postgresql", "stop", DATABASE_STOPPED_S), played)
            for visit in played:
                await visit.told([True, False])
                visit.longest_s = 0.0
            await run_outage(site, Outage("nats", "stop", NATS_STOPPED_S), played)
            local = [visit for visit in played if not visit.is_remote]
            assert all(visit.longest_s < NATS_STOPPED_S / 2 for visit in local)
        assert all(visit.database_notices == [True, False] for visit in played)
        assert [visit.table_notices for visit in played if visit.is_remote] == [[False, True]]
        assert not any(visit.table_notices for visit in local)
        site.cluster.stop()
        assert "No errors" in site.cluster.verify()
