"""Problems at the start of the server are reported in one sentence with exit 2."""

import os
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.server_process import CROUPIER, HouseProcess

IGNORES_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"


def command(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*CROUPIER, *words], capture_output=True, text=True, timeout=60, check=False)


def serve(data: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return command("serve", "--port", "0", "--socket-port", "0", "--data", str(data), *words)


def refused(ran: "subprocess.CompletedProcess[str]", *said: str) -> None:
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1), ran.stderr
    for words in said:
        assert words in ran.stderr


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a server that was started and stopped."""
    house = HouseProcess(tmp_path_factory.mktemp("stopped") / "data").start()
    assert house.stop() == 0
    return house.data


@pytest.fixture
def data(stopped: Path, tmp_path: Path) -> Path:
    """A copy of the data folder of a server that was started and stopped."""
    return Path(shutil.copytree(stopped, tmp_path / "data"))


def test_a_new_database_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    house = HouseProcess(tmp_path / "data").start()
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in house.data.iterdir()}
    house.stop()
    assert {"croupier.db", "croupier.db-wal", "croupier.db-shm", "shoes.key"} <= modes.keys()
    assert [name for name, mode in modes.items() if mode & 0o077] == []
    assert stat.S_IMODE(house.data.stat().st_mode) == 0o700


def test_an_older_database_is_made_readable_by_its_owner_only(data: Path) -> None:
    database = data / "croupier.db"
    database.chmod(0o644)
    house = HouseProcess(data).start()
    modes = [stat.S_IMODE(data.joinpath(f"croupier.db{end}").stat().st_mode) for end in ("", "-wal", "-shm")]
    house.stop()
    assert modes == [0o600] * 3


@pytest.mark.parametrize("option", ["--port", "--socket-port"])
def test_a_port_in_use_is_named_in_a_sentence(tmp_path: Path, option: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        refused(serve(tmp_path, option, str(other.getsockname()[1])), "ddress already in use", option)


def test_a_database_of_a_newer_program_is_refused_in_a_sentence(data: Path) -> None:
    with sqlite3.connect(data / "croupier.db") as books:
        books.execute("UPDATE alembic_version SET version_num = '9999'")
    books.close()
    refused(serve(data), "newer version", "9999")


@pytest.mark.parametrize("words", [("serve", "--port", "0"), ("staff", "list"), ("replay", "r1")])
@pytest.mark.parametrize("kept", [0.07, 0.5])
def test_a_truncated_database_is_refused_in_a_sentence(
    data: Path, words: tuple[str, ...], kept: float
) -> None:
    database = data / "croupier.db"
    os.truncate(database, int(database.stat().st_size * kept))
    refused(command(*words, "--data", str(data)), "croupier verify")


@pytest.mark.parametrize("words", [("serve", "--port", "0"), ("staff", "list"), ("replay", "r1")])
def test_a_file_that_is_no_database_is_refused_in_a_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    tmp_path.joinpath("croupier.db").write_bytes(b"no database at all " * 1_000)
    refused(command(*words, "--data", str(tmp_path)), "not a database")


def test_a_server_started_in_the_background_ignores_ctrl_c(tmp_path: Path) -> None:
    program = (sys.executable, "-c", f"{IGNORES_CTRL_C}; from croupier.cli.main import main; main()")
    house = HouseProcess(tmp_path / "data", program=program).start()
    os.kill(house.pid, signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):
        house._process.wait(timeout=2)  # type: ignore[union-attr]
    assert house.stop() == 0
