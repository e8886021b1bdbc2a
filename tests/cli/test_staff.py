"""`croupier staff` teaches, and speaks JSON."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier.cli.main import app


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["staff", *words], env={"COLUMNS": "200"})


@pytest.mark.parametrize("command", ["add", "list", "remove"])
def test_help_teaches(command: str) -> None:
    told = run(command, "--help").output
    assert "--json" in told
    assert "--data" in told
    assert command in run("--help").output


def test_what_was_done_as_json(tmp_path: Path) -> None:
    data = ("--json", "--data", str(tmp_path))
    added = json.loads(run("add", "Ada", "--role", "manager", *data).output)
    assert (added["name"], added["role"], added["address"]) == ("Ada", "manager", "")
    assert [len(part) for part in added["code"].split("-")] == [4, 4, 4, 4]
    (listed,) = json.loads(run("list", *data).output)
    assert (listed["name"], listed["role"]) == ("Ada", "manager")
    assert json.loads(run("remove", "Ada", *data).output) == {"removed": "Ada"}
    assert json.loads(run("list", *data).output) == []


def test_a_role_is_a_dealers_or_a_managers(tmp_path: Path) -> None:
    refused = run("add", "Ada", "--role", "owner", "--data", str(tmp_path))
    assert refused.exit_code == 2
    assert "dealer" in refused.output
