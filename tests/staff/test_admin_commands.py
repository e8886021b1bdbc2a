"""`croupier staff` with a running and with a stopped server."""

import asyncio
import json
from pathlib import Path

import pytest

from croupier.staff.admin_commands import socket_path
from tests.staff.clients import add, staff, staff_client
from tests.staff.conftest import Staffed
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio


def listed(data: Path) -> list[tuple[str, str]]:
    found = json.loads(staff(data, "list", "--json").stdout)
    return [(member["name"], member["role"]) for member in found]


def test_staff_is_added_with_a_stopped_and_a_running_server(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shut = staff(data, "add", "Ada", "--role", "manager")
    assert "once it is running" in shut.stdout
    server = ServerProcess(data).start()
    opened = staff(data, "add", "Ben", "--role", "dealer")
    assert f"{server.address}/staff" in opened.stdout
    assert listed(data) == [("Ada", "manager"), ("Ben", "dealer")]
    assert server.stop() == 0
    assert not socket_path(data).exists()
    assert listed(data) == [("Ada", "manager"), ("Ben", "dealer")]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("add", "ada", "--role", "dealer"), "that name is taken"),
        (("add", " Ben", "--role", "dealer"), "a name has 1 to 40 visible characters"),
        (("add", "Be\u202en", "--role", "dealer"), "1 to 40 visible characters"),
        (("add", "B" * 41, "--role", "dealer"), "a name has 1 to 40 visible characters"),
        (("remove", "Ben"), "no member of staff has that name"),
    ],
)
def test_errors_are_one_line_and_exit_2(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    add(tmp_path, "Ada", "manager")
    refused = staff(tmp_path, *words)
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert message in refused.stderr
    assert listed(tmp_path) == [("Ada", "manager")]


def test_a_folder_without_a_database_is_left_alone(tmp_path: Path) -> None:
    assert "no database in" in staff(tmp_path, "list").stderr
    assert list(tmp_path.iterdir()) == []


def test_the_code_is_nowhere_in_the_folder(tmp_path: Path) -> None:
    code = add(tmp_path, "Ada", "manager")
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Ada" in kept
    assert code.encode() not in kept
    assert code.replace("-", "").encode() not in kept


def test_a_stale_admin_socket_is_ignored(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data").start()
    server.kill()
    assert socket_path(server.data).exists()
    add(server.data, "Ada", "manager")
    server.start()
    assert listed(server.data) == [("Ada", "manager")]
    assert server.stop() == 0


async def test_a_removed_member_is_signed_out_at_once(one_server: Staffed) -> None:
    async with staff_client(one_server.address, "Ben", one_server.ben, "infinite") as ben:
        done = await asyncio.to_thread(staff, one_server.server.data, "remove", "Ben")
        assert done.exit_code == 0
        while not any(type(one).__name__ == "SignedOut" for one in ben.received):
            await ben.next()
        assert (await ben.sign_in("Ben", one_server.ben)).json()["code"] == "wrong_sign_in"


async def test_admin_commands_are_in_the_event_log(one_server: Staffed) -> None:
    async with staff_client(one_server.address, "Ada", one_server.ada) as ada:
        orders = [line for line in await ada.log() if line.role == "operator"]
    assert [(line.what, line.details["name"], line.answer) for line in orders] == [
        ("add_staff", "Ben", "ok"),
        ("add_staff", "Ada", "ok"),
    ]
