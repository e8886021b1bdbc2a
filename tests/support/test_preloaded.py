"""A copy of the fork server behaves as a new interpreter does."""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from tests.support import preloaded
from tests.support.server_process import CROUPIER

CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
IS_COPY = "import sys; print('croupier.app.serve' in sys.modules)"
REPORT = """
import os, signal, sys
print(sys.argv, os.getcwd(), os.getppid(), os.getpgrp(), os.environ.get("SECRET"))
print(signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), signal.pthread_sigmask(0, ()))
print(__name__, sys.stdin.read(), sys.stdout.line_buffering, sorted(os.listdir("/proc/self/fd"))[:3])
print(sys.path, sys.flags, sys.executable, sys.warnoptions)
print("to standard error", file=sys.stderr)
"""

if sys.platform != "linux":
    pytest.skip("elsewhere no process is forked", allow_module_level=True)


def python(program: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", program, *arguments]


def outcome(popen: type[subprocess.Popen[str]], program: str, *arguments: str, **options: Any) -> object:
    """Return the output and the exit status of a program."""
    with popen(
        python(program, *arguments), stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True, **options
    ) as process:
        return process.communicate("typed", timeout=60), process.returncode


def test_a_program_is_run_in_a_copy() -> None:
    assert preloaded.run(python(IS_COPY)).stdout == "True\n"


def test_a_copy_sees_what_a_new_process_sees(tmp_path: Path) -> None:
    options = {"cwd": tmp_path, "env": {**os.environ, "SECRET": "1"}}
    copied = outcome(preloaded.Popen, REPORT, "a", "b c", **options)
    assert copied == outcome(subprocess.Popen, REPORT, "a", "b c", **options)


@pytest.mark.parametrize(
    ("program", "status"),
    [
        ("", 0),
        ("import sys; sys.exit(3)", 3),
        ("import sys; sys.exit('refused')", 1),
        ("import os; os._exit(4)", 4),
        ("raise KeyError", 1),
        ("1 +", 1),
        ("import os; os.abort()", -signal.SIGABRT),
        (f"{CTRL_C}; signal.raise_signal(signal.SIGINT)", -signal.SIGINT),
    ],
)
def test_the_exit_status_is_that_of_the_program(program: str, status: int) -> None:
    assert preloaded.run(python(program), timeout=60).returncode == status


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_signal_ends_a_copy(number: signal.Signals) -> None:
    with preloaded.Popen(python("print(1, flush=True); input()"), stdin=PIPE, stdout=PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(number)
        assert process.wait(timeout=60) == -number
    assert not Path(f"/proc/{process.pid}").exists()


def test_functions_registered_for_the_exit_run_and_output_is_flushed() -> None:
    done = preloaded.run(python("import atexit; atexit.register(print, 'last'); print('first')"))
    assert (done.returncode, done.stdout) == (0, "first\nlast\n")


def test_a_copy_that_is_killed_leaves_the_others_alone() -> None:
    with preloaded.Popen(python("input()"), stdin=PIPE) as process:
        process.kill()
    assert preloaded.run(python("print('next')")).stdout == "next\n"


def test_random_numbers_differ_between_copies() -> None:
    program = python("import random, uuid; print(random.random(), uuid.uuid4())")
    assert preloaded.run(program).stdout != preloaded.run(program).stdout


def test_a_command_that_takes_too_long_is_killed() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        preloaded.run(python("import time; time.sleep(60)"), timeout=0.1)


def test_a_limit_that_a_program_sets_ends_with_it() -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))"
    read = "import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE))"
    assert preloaded.run(python(f"{limit}; {read}")).stdout == "(64, 64)\n"
    assert preloaded.run(python(read)).stdout == f"{resource.getrlimit(resource.RLIMIT_NOFILE)}\n"


@pytest.mark.parametrize(
    "start",
    [
        lambda command: preloaded.run(command, env={**os.environ, "PYTHONHASHSEED": "1"}).stdout,
        lambda command: preloaded.run(["env", *command]).stdout,
        lambda command: preloaded.Popen(command, stdout=PIPE, text=True, process_group=0).communicate()[0],
    ],
    ids=["other variables of Python", "another command", "other options"],
)
def test_what_a_copy_would_not_have_starts_a_new_process(start: Callable[[list[str]], str]) -> None:
    assert start(python(IS_COPY)) == "False\n"


def test_the_fork_server_has_no_thread_and_no_numerical_library() -> None:
    program = "import sys; print({'llvmlite', 'numba', 'numpy'} & {*sys.modules})"
    assert preloaded.run(python(program)).stdout == "set()\n"
    tasks = Path(f"/proc/{preloaded._client()._process.pid}/task")
    assert len([*tasks.iterdir()]) == 1


def test_croupier_prints_the_same_in_a_copy() -> None:
    command = [*CROUPIER, "serve", "--help"]
    real = subprocess.run(command, capture_output=True, text=True, check=False)
    copied = preloaded.run(command)
    assert (copied.returncode, copied.stdout, copied.stderr) == (real.returncode, real.stdout, real.stderr)
