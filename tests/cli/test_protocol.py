"""`croupier protocol` writes the protocol documents that a server publishes."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.app.documents.asyncapi import PLAYERS, asyncapi
from croupier.app.documents.openapi import STAFF, openapi
from croupier.app.documents.page import markdown
from croupier.cli.main import app


def output_of(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["protocol", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize(("arguments", "audience"), [((), "player"), (("--staff",), "staff")])
def test_the_page_of_each_audience_is_written(arguments: tuple[str, ...], audience: str) -> None:
    assert output_of(*arguments) == markdown(audience)


def test_asyncapi_and_openapi_are_written() -> None:
    assert json.loads(output_of("--format", "asyncapi")) == json.loads(json.dumps(asyncapi(PLAYERS)))
    assert json.loads(output_of("--format", "openapi", "--staff")) == json.loads(json.dumps(openapi(STAFF)))


def test_the_output_option_writes_a_file(tmp_path: Path) -> None:
    file = tmp_path / "asyncapi.json"
    assert output_of("--format", "asyncapi", "--output", str(file)) == ""
    assert json.loads(file.read_text())["asyncapi"] == "3.0.0"
