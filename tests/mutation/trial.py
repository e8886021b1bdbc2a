"""Run tests on a copy of the sources, in which one file at a time is changed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec

from tests.mutation import plugin as plugin_module
from tests.mutation.tests_of_lines import Choice, Measured

OPTIONS = ("-q", "-p", "no:cacheprovider", "-p", "mutation_plugin")
ADDED = "addopts=--import-mode=importlib -p no:faker -p no:xdist -m 'not campaign'"
"""In place of the project's options: no test is run again."""
CPU_SECONDS_MIN = 30
CPU_FACTOR = 5
"""A mutant that uses so many times the processor time of the unchanged program counts as killed."""


class Outcome(NamedTuple):
    """The outcome of a mutant, and the test that killed it."""

    killed: bool
    seconds: float
    killer: str = ""


class Trial:
    """A copy of a checkout's sources, and the tests of that checkout.

    The copy comes before an editable installation on the path of the tests, so that the checkout itself is
    never changed.
    """

    def __init__(self, checkout: Path, folder: Path) -> None:
        self.folder = folder
        self.checkout = checkout
        self._environment = {
            **os.environ,
            "CI": "1",  # the same examples of each property every time
            "PYTHONPATH": str(folder),
            "CROUPIER_CACHE": str(folder / "cache"),
        }

    def imports(self, path: str) -> bool:
        """Return whether a file can be imported from the copy."""
        module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        program = f"import {module}; assert {module}.__file__.startswith({str(self.folder)!r})"
        done = subprocess.run(
            [sys.executable, "-B", "-c", program], env=self._environment, capture_output=True, check=False
        )
        return done.returncode == 0

    @contextmanager
    def change(self, path: str, source: str) -> Iterator[None]:
        """Replace a file of the copy meanwhile."""
        file = self.folder / path
        before = file.read_bytes()
        times = file.stat()
        file.write_text(source, encoding="utf-8")
        os.utime(file, (1, 1))  # so that no compiled file of the original fits
        try:
            yield
        finally:
            file.write_bytes(before)
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

    def measure(self, folders: Sequence[str]) -> Measured:
        """Run all tests once and return what they cover."""
        measured = self.folder / "measured.json"
        code = self._run([*folders], {"MUTATION_MEASURED": str(measured)}, None)
        if not measured.exists():
            raise RuntimeError(f"pytest ended with {code} before the tests were measured")
        return msgspec.json.decode(measured.read_bytes(), type=Measured)

    def test(self, choice: Choice) -> Outcome:
        """Run the chosen tests until one fails."""
        chosen = self.folder / "chosen.json"
        killer = self.folder / "killer.txt"
        chosen.write_text(json.dumps(choice.tests))
        killer.unlink(missing_ok=True)
        files = dict.fromkeys(name.partition("::")[0] for name in choice.tests)
        variables = {
            "MUTATION_CHOSEN": str(chosen),
            "MUTATION_KILLER": str(killer),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        started = time.monotonic()
        code = self._run(
            ["-x", "-o", "timeout=60", *files],
            variables,
            CPU_SECONDS_MIN + round(CPU_FACTOR * choice.seconds),
        )
        seconds = time.monotonic() - started
        if code in (0, 5):  # passed, or renamed by the mutant
            return Outcome(False, seconds)
        return Outcome(True, seconds, killer.read_text() if killer.exists() else f"pytest ended with {code}")

    def _run(self, arguments: Sequence[str], variables: dict[str, str], cpu_seconds: int | None) -> int:
        """Run pytest and return its exit code; end what it leaves behind."""
        command = [sys.executable, "-m", "pytest", *OPTIONS, "-o", ADDED, *arguments]
        limit = [] if cpu_seconds is None else ["prlimit", f"--cpu={cpu_seconds}"]
        with subprocess.Popen(
            [*limit, *command],
            cwd=self.checkout,
            env={**self._environment, **variables},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                return process.wait()
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def trial_of(checkout: Path) -> Iterator[Trial]:
    """Copy the sources of a checkout meanwhile."""
    with TemporaryDirectory(prefix="mutation-") as name:
        folder = Path(name)
        shutil.copytree(checkout / "src" / "croupier", folder / "croupier")
        shutil.copy(plugin_module.__file__, folder / "mutation_plugin.py")
        yield Trial(checkout, folder)
