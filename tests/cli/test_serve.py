"""Problems at the start of the server are reported in one line with exit status 2; file modes are private."""

import os
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import NamedTuple

import pytest

from tests.support import preloaded
from tests.support.server_process import CROUPIER, ServerProcess

IGNORES_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"


def command(*arguments: str) -> CompletedProcess[str]:
    return preloaded.run([*CROUPIER, *arguments], timeout=60)


def serve(data: Path, *arguments: str) -> CompletedProcess[str]:
    return command("serve", "--port", "0", "--socket-port", "0", "--data", str(data), *arguments)


def check_refused(done: CompletedProcess[str], *messages: str) -> None:
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    for message in messages:
        assert message in done.stderr


class Stopped(NamedTuple):
    """A server that was started and stopped; `modes`: those of its files, by name, while it ran."""

    data: Path
    folder_mode: int
    modes: dict[str, int]


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Stopped:
    server = ServerProcess(tmp_path_factory.mktemp("stopped") / "data", popen=subprocess.Popen).start()
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in server.data.iterdir()}
    found = Stopped(server.data, stat.S_IMODE(server.data.stat().st_mode), modes)
    assert server.stop() == 0
    return found


@pytest.fixture
def data(stopped: Stopped, tmp_path: Path) -> Path:
    """Return a copy of the data folder of a server that was started and stopped."""
    return Path(shutil.copytree(stopped.data, tmp_path / "data"))


def test_a_new_database_is_readable_by_its_owner_only(stopped: Stopped) -> None:
    assert {"croupier.db", "croupier.db-wal", "croupier.db-shm", "shoes.key"} <= stopped.modes.keys()
    assert [name for name, mode in stopped.modes.items() if mode & 0o077] == []
    assert stopped.folder_mode == 0o700


def test_an_older_database_is_made_readable_by_its_owner_only(data: Path) -> None:
    database = data / "croupier.db"
    database.chmod(0o644)
    server = ServerProcess(data).start()
    modes = [stat.S_IMODE(data.joinpath(f"croupier.db{end}").stat().st_mode) for end in ("", "-wal", "-shm")]
    server.stop()
    assert modes == [0o600] * 3


@pytest.mark.parametrize("option", ["--port", "--socket-port"])
def test_a_port_in_use_is_refused(tmp_path: Path, option: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        check_refused(serve(tmp_path, option, str(other.getsockname()[1])), "ddress already in use", option)


def test_a_database_of_a_newer_version_is_refused(data: Path) -> None:
    with sqlite3.connect(data / "croupier.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    check_refused(serve(data), "newer version", "9999")


@pytest.mark.parametrize("arguments", [("serve", "--port", "0"), ("staff", "list"), ("replay", "r1")])
@pytest.mark.parametrize("fraction", [0.07, pytest.param(0.5, marks=pytest.mark.campaign)])
def test_a_truncated_database_is_refused(data: Path, arguments: tuple[str, ...], fraction: float) -> None:
    database = data / "croupier.db"
    os.truncate(database, int(database.stat().st_size * fraction))
    check_refused(command(*arguments, "--data", str(data)), "croupier verify")


@pytest.mark.parametrize("arguments", [("serve", "--port", "0"), ("staff", "list"), ("replay", "r1")])
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    tmp_path.joinpath("croupier.db").write_bytes(b"no database at all " * 1_000)
    check_refused(command(*arguments, "--data", str(tmp_path)), "not a database")


def test_a_server_started_in_the_background_ignores_ctrl_c(tmp_path: Path) -> None:
    program = (sys.executable, "-c", f"{IGNORES_CTRL_C}; from croupier.cli.main import main; main()")
    server = ServerProcess(tmp_path / "data", program=program).start()
    os.kill(server.pid, signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):
        server._process.wait(timeout=1)  # type: ignore[union-attr]
    assert server.stop() == 0


@pytest.mark.parametrize("words", [("serve", "--port", "0"), ("migrate",), ("copy-database", "{data}")])
def test_a_missing_driver_is_named(data: Path, words: tuple[str, ...]) -> None:
    start = "import sys; sys.modules['psycopg'] = None; from croupier.cli.main import main; main()"
    target = "postgresql:///none"
    options = (target,) if words[0] == "copy-database" else ("--database", target)
    arguments = [word.format(data=data) for word in words]
    program = [sys.executable, "-c", start, *arguments, *options, "--data", str(data)]
    done = preloaded.run(program, timeout=60)
    check_refused(done, "psycopg isn't installed; run: pip install 'croupier[postgresql]'")


def test_a_postgresql_database_out_of_reach_is_named_as_such(tmp_path: Path) -> None:
    done = command("replay", "r1", "--database", "postgresql://127.0.0.1:1/none", "--data", str(tmp_path))
    check_refused(done, "PostgreSQL", "port 1 failed: Connection refused")
    assert str(tmp_path) not in done.stderr


def test_several_servers_need_a_database_of_several(tmp_path: Path) -> None:
    check_refused(serve(tmp_path, "--bus", "nats://127.0.0.1:1"), "--bus needs --database")


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        (("--roles", "tables"), "--roles needs --bus"),
        (("--roles", "tables,cellar", "--bus", "nats://127.0.0.1:1", "--insecure-bus"), "no role 'cellar'"),
        (("--roles", "gateway,", "--bus", "nats://127.0.0.1:1", "--insecure-bus"), "no role ''"),
    ],
)
def test_roles_are_those_of_one_of_several_servers(
    tmp_path: Path, options: tuple[str, ...], refusal: str
) -> None:
    nowhere = ("--database", "postgresql://127.0.0.1:1/none")
    check_refused(serve(tmp_path, *options, *(nowhere if "--bus" in options else ())), refusal)


POSTGRESQL = ("--database", "postgresql://127.0.0.1:1/none")
SAFE_URL = "tls://user:password@127.0.0.1:1"


@pytest.mark.parametrize(
    ("options", "refusals"),
    [
        (("--bus", SAFE_URL), ("needs the key of the cluster", "--insecure-bus")),
        (
            ("--bus", "tls://127.0.0.1:1", "--cluster-key", "long.key"),
            ("needs credentials", "--insecure-bus"),
        ),
        (("--bus", f"{SAFE_URL},tls://h:1", "--cluster-key", "long.key"), ("needs credentials",)),
        (("--bus", SAFE_URL, "--cluster-key", "short.key"), ("fewer than 32 characters",)),
        (("--bus", SAFE_URL, "--cluster-key", "no.key"), ("no.key can't be read",)),
        (("--bus", "nats://u:p@h", "--bus-ca", "long.key", "--cluster-key", "long.key"), ("needs tls://",)),
        (("--bus", SAFE_URL, "--bus-ca", "no.pem", "--cluster-key", "long.key"), ("no such file",)),
        (("--bus", SAFE_URL, "--bus-credentials", "no.creds", "--insecure-bus"), ("no such file",)),
    ],
)
def test_a_bus_needs_a_key_and_credentials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], refusals: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("long.key").write_text("0123456789abcdef" * 2)
    Path("short.key").write_text("0123456789abcdef")
    done = serve(tmp_path, *POSTGRESQL, *options)
    check_refused(done, *refusals)
    assert "password" not in done.stderr.replace("PASSWORD", "")
    assert "0123456789abcdef" not in done.stderr


def test_a_bus_may_be_insecure_if_that_is_said(tmp_path: Path) -> None:
    done = serve(tmp_path, *POSTGRESQL, "--bus", "nats://127.0.0.1:1", "--insecure-bus")
    check_refused(done, "port 1 failed: Connection refused")  # that of the database
