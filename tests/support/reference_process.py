"""A reference server in a process of its own: the payment provider, or the operator with a wallet."""

import re
import subprocess
import sys
from pathlib import Path
from typing import TypeVar

import httpx
import msgspec
from msgspec import Struct

from tests.support import preloaded
from tests.support.server_process import CROUPIER

T = TypeVar("T")
KEY = b"shared by tests only"


class ReferenceProcess:
    """A process that listens on a free port, and is controlled over HTTP."""

    def __init__(self, *command: str, secret_file: Path) -> None:
        self.secret_file = secret_file
        secret_file.write_bytes(KEY)
        arguments = [*CROUPIER, *command, "--port", "0", "--secret-file", str(secret_file)]
        self._process: subprocess.Popen[bytes] = preloaded.Popen(
            arguments, stdout=subprocess.PIPE, stderr=sys.stderr
        )
        assert self._process.stdout is not None
        found = re.search(rb"http://[0-9.:]+", self._process.stdout.readline())
        assert found, "the reference server hasn't started"
        self.url = found[0].decode()

    def get(self, path: str, kind: type[T]) -> T:
        return msgspec.json.decode(httpx.get(self.url + path).content, type=kind)

    def post(self, path: str, body: Struct) -> None:
        httpx.post(self.url + path, content=msgspec.json.encode(body)).raise_for_status()

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
