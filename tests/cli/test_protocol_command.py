"""`croupier protocol` writes what a server publishes."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.app.documents.asyncapi import PLAYERS, asyncapi
from croupier.app.documents.openapi import STAFF, openapi
from croupier.app.documents.page import markdown
from croupier.cli.main import app


def written(*words: str) -> str:
    done = CliRunner().invoke(app, ["protocol", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize(("words", "audience"), [((), "player"), (("--staff",), "staff")])
def test_the_page_is_written(words: tuple[str, ...], audience: str) -> None:
    assert written(*words) == markdown(audience)


def test_the_descriptions_are_written() -> None:
    assert json.loads(written("--format", "asyncapi")) == json.loads(json.dumps(asyncapi(PLAYERS)))
    assert json.loads(written("--format", "openapi", "--staff")) == json.loads(json.dumps(openapi(STAFF)))


def test_a_file_is_written(tmp_path: Path) -> None:
    file = tmp_path / "asyncapi.json"
    assert written("--format", "asyncapi", "--output", str(file)) == ""
    assert json.loads(file.read_text())["asyncapi"] == "3.0.0"
