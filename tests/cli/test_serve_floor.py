"""The server configuration file: `croupier serve --help` explains it, and the server rejects a wrong one."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier.cli.main import app
from croupier.config import LiveTableConfig, profiles


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words, env={"COLUMNS": "200"})


def test_help_names_every_field_of_a_table_and_every_profile() -> None:
    told = run("serve", "--help").output
    assert not [word for word in (*LiveTableConfig.__struct_fields__, *profiles()) if word not in told]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[infinite]\nbetting_ms = 0", "line 2: [infinite] betting_ms: Expected `int` >= 1; allowed is: "),
        ('[profile]\nlike = "lax"', "line 2: [profile] like: no such profile; there are: all, "),
        (None, "can't be read: No such file or directory"),
    ],
)
def test_a_server_rejects_a_wrong_file(tmp_path: Path, text: str | None, why: str) -> None:
    file, data = tmp_path / "floor.toml", tmp_path / "data"
    if text is not None:
        file.write_text(text)
    ended = run("serve", "--port", "0", "--data", str(data), "--floor", str(file))
    assert ended.exit_code == 2
    assert why in ended.output
    assert not data.exists()
