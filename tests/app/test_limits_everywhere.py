"""The lobby, the rules page, the data of a table and the command line show the same limits."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import msgspec
import pytest
from typer.testing import CliRunner

from croupier.cli.main import app
from croupier.protocol import wire
from tests.support.server_process import ServerProcess

CONFIG_TOML = """
[currencies.JPY]
name = "Japanese yen"
decimals = 0
symbol = "\u00a5"

[currencies.EUR]

[currencies.KWD]
name = "Kuwaiti dinar"
decimals = 3
symbol = "KD"
"""
TABLES_TOML = """
[late]
game = "blackjack"
title = "Late"
limits = { JPY = "100-50000", EUR = "0.50-1234.50", KWD = "0.125-1234.5" }
decks = 2
dealer_hits_soft_17 = false
peek = "ace_or_ten"
insurance = "without_blackjack"
"""


class Shown(NamedTuple):
    """The limits of one currency in every form."""

    code: str
    symbol: str
    minor: tuple[int, int]
    least: str
    most: str


SHOWN = (
    Shown("JPY", "\u00a5", (100, 50_000), "100", "50,000"),
    Shown("EUR", "\u20ac", (50, 123_450), "0.50", "1,234.50"),
    Shown("KWD", "KD", (125, 1_234_500), "0.125", "1,234.500"),
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    folder = tmp_path_factory.mktemp("limits")
    (folder / "croupier.toml").write_text(CONFIG_TOML, encoding="utf-8")
    (folder / "tables.toml").write_text(TABLES_TOML, encoding="utf-8")
    return "--config", str(folder / "croupier.toml"), "--tables", str(folder / "tables.toml")


@pytest.fixture(scope="module")
def server(files: tuple[str, ...]) -> Iterator[ServerProcess]:
    process = ServerProcess(Path(files[1]).parent / "data", options=files).start()
    yield process
    process.stop()


def printed(*words: str) -> str:
    result = CliRunner().invoke(app, words, env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


def test_the_lobby_has_the_limits_in_smallest_units(server: ServerProcess) -> None:
    answer = httpx.get(f"{server.address}/api/tables")
    tables = msgspec.json.decode(answer.content, type=list[wire.LobbyTable])
    (late,) = (table for table in tables if table.table == "late")
    found = {each.currency: (each.min_minor, each.max_minor) for each in late.limits}
    assert found == {each.code: each.minor for each in SHOWN}
    info = msgspec.json.decode(httpx.get(f"{server.address}/api/server").content, type=wire.ServerInfo)
    assert [(each.code, each.symbol) for each in info.currencies] == [
        (each.code, each.symbol) for each in SHOWN
    ]


def test_pages_and_commands_show_the_same_limits(server: ServerProcess, files: tuple[str, ...]) -> None:
    page = httpx.get(f"{server.address}/api/tables/late/rules").json()["html"]
    rules, listed = printed("rules", "late", *files), printed("tables", *files)
    for each in SHOWN:
        assert f"{each.least} to {each.most}" in page
        assert f"{each.least} to {each.most}" in rules
        assert f"{each.code} {each.least}-{each.most}" in listed
