"""A test that waits beside its server; `test_ending` runs it."""

import os
import time
from pathlib import Path

from tests.support.server_process import ServerProcess


def test_waiting(fresh_server: ServerProcess) -> None:
    Path(os.environ["CROUPIER_TEST_PID"]).write_text(f"{fresh_server.pid}\n")
    time.sleep(60)
