"""A test that waits beside its server; `test_ending` runs it."""

import os
import threading
import time
from pathlib import Path

from tests.support.server_process import ServerProcess

WAIT_S = 600


def test_waiting(fresh_server: ServerProcess) -> None:
    threading.Thread(target=time.sleep, args=(WAIT_S,)).start()  # not interrupted with the test
    Path(os.environ["CROUPIER_TEST_PID"]).write_text(f"{os.getpid()} {fresh_server.pid}\n")
    time.sleep(WAIT_S)
