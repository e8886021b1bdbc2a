"""A game server that hangs can end no picture, so Janus ends those that the server has let through."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.support.janus import SECRET, JanusProcess, needs_janus
from tests.support.server_process import ServerProcess
from tools.picture_viewers import seated_viewers
from tools.staffed_table import CONFIG, TABLE, synthetic_dealer

pytestmark = [pytest.mark.anyio, needs_janus]

ENDS_WITHIN_S = 8.0
"""Janus needs seven seconds, and this test a little time to see it."""
SAMPLE_S = 0.2


async def test_pictures_of_a_frozen_server_end(tmp_path: Path) -> None:
    janus = JanusProcess(tmp_path / "janus")
    (tmp_path / "media.secret").write_text(SECRET)
    (config := tmp_path / "croupier.toml").write_text(CONFIG.format(port=janus.port))
    server = ServerProcess(tmp_path / "data", options=("--config", str(config)))
    try:
        janus.start()
        server.start()
        async with (
            synthetic_dealer(server.address, server.data, TABLE),
            seated_viewers(server.address, TABLE, 1) as viewers,
            viewers.watching(),
        ):
            assert (await viewers.arriving(SAMPLE_S)).packets > 0
            os.kill(server.pid, signal.SIGSTOP)
            try:
                async with asyncio.timeout(ENDS_WITHIN_S):
                    while (await viewers.arriving(SAMPLE_S)).packets:
                        pass
            finally:
                os.kill(server.pid, signal.SIGCONT)
    finally:
        server.stop()
        janus.kill()
