"""`croupier staff`: help, JSON output and invalid roles."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier.app.serve import Address
from croupier.cli.main import app
from croupier.gateway.origins import Origin


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["staff", *arguments], env={"COLUMNS": "200"})


@pytest.mark.parametrize("command", ["add", "list", "remove"])
def test_help_describes_the_options(command: str) -> None:
    text = run(command, "--help").output
    assert "--json" in text
    assert "--data" in text
    assert command in run("--help").output


def test_each_command_prints_json(tmp_path: Path) -> None:
    data = ("--json", "--data", str(tmp_path))
    added = json.loads(run("add", "Ada", "--role", "manager", *data).output)
    assert (added["name"], added["role"], added["address"]) == ("Ada", "manager", "")
    assert [len(part) for part in added["code"].split("-")] == [4, 4, 4, 4]
    (listed,) = json.loads(run("list", *data).output)
    assert (listed["name"], listed["role"]) == ("Ada", "manager")
    assert json.loads(run("remove", "Ada", *data).output) == {"removed": "Ada"}
    assert json.loads(run("list", *data).output) == []


def test_an_unknown_role_is_refused(tmp_path: Path) -> None:
    result = run("add", "Ada", "--role", "owner", "--data", str(tmp_path))
    assert result.exit_code == 2
    assert "dealer" in result.output


@pytest.mark.parametrize(
    ("address", "pages"),
    [
        (Address("127.0.0.1"), "http://127.0.0.1:8000/"),
        (Address("0.0.0.0", public_socket="wss://a.example:8443/ws"), "https://a.example:8443/"),
        (
            Address(
                public_socket="wss://ws.example/ws", origins=frozenset({Origin("https", "a.example", 443)})
            ),
            "https://a.example/",
        ),
    ],
)
def test_staff_are_told_the_public_address(address: Address, pages: str) -> None:
    assert address.of_pages(8000) == pages
