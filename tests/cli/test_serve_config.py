"""The server configuration file: `croupier serve --help` documents it, and an invalid file is refused."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier.cli.main import app
from croupier.config import CurrencyConfig, LiveTableConfig, profiles

SAMPLE = Path(__file__).parents[2] / "docs" / "guide" / "croupier.toml"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})


def test_help_names_every_table_field_currency_field_and_profile() -> None:
    text, blocks = run("serve", "--help").output, (LiveTableConfig, CurrencyConfig)
    assert not [name for block in blocks for name in block.__struct_fields__ if name not in text]
    assert not [name for name in profiles() if name not in text]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[infinite]\nbetting_ms = 0", "line 2: [infinite] betting_ms: Expected `int` >= 1; allowed is: "),
        ('[profile]\nlike = "lax"', "line 2: [profile] like: no such profile; there are: all, "),
        (None, "can't be read: No such file or directory"),
    ],
)
def test_an_invalid_file_is_refused(tmp_path: Path, text: str | None, message: str) -> None:
    file, data = tmp_path / "croupier.toml", tmp_path / "data"
    if text is not None:
        file.write_text(text)
    result = run("serve", "--port", "0", "--data", str(data), "--config", str(file))
    assert result.exit_code == 2
    assert message in result.output
    assert not data.exists()


YEN = '[currencies.JPY]\nname = "Japanese yen"\ndecimals = 0\n'
TABLE = """
[late]
game = "blackjack"
title = "Late"
limits = LIMITS
decks = 2
dealer_hits_soft_17 = false
peek = "ace_or_ten"
insurance = "without_blackjack"
"""


@pytest.mark.parametrize("command", ["tables", "rules"])
def test_limits_are_in_the_currencies_of_the_server(tmp_path: Path, command: str) -> None:
    own, config = tmp_path / "own.toml", tmp_path / "croupier.toml"
    own.write_text(TABLE.replace("LIMITS", '{ JPY = "100-50000", EUR = "1-5" }'))
    config.write_text(YEN)
    arguments = ("late",) if command == "rules" else ()
    result = run(command, *arguments, "--tables", str(own), "--config", str(config))
    assert result.exit_code == 0
    assert "100-50,000" in result.output or "100 to 50,000" in result.output
    assert ("Japanese yen" if command == "rules" else "JPY") in result.output
    assert "Euro" not in result.output
    assert "EUR" not in result.output


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (
            '{ JPI = "1-5" }',
            "own.toml, line 5: [late] limits: no currency 'JPI'; allowed are: GC, SC, EUR, USD, GBP",
        ),
        (
            '{ JPY = "0.50-5" }',
            "own.toml, line 5: [late] limits: JPY: '0.50' isn't a whole number of JPY's smallest",
        ),
        (
            '{ JPY = "1,000-5,000" }',
            "own.toml, line 5: [late] limits: JPY: '1,000' isn't an amount: write digits and",
        ),
    ],
)
def test_limits_in_unknown_currencies_or_invalid_amounts_are_refused(
    tmp_path: Path, limits: str, message: str
) -> None:
    own, config = tmp_path / "own.toml", tmp_path / "croupier.toml"
    own.write_text(TABLE.replace("LIMITS", limits))
    config.write_text(YEN)
    result = run(
        "serve",
        "--port",
        "0",
        "--data",
        str(tmp_path / "data"),
        "--tables",
        str(own),
        "--config",
        str(config),
    )
    assert result.exit_code == 2
    assert message in result.output
    assert not (tmp_path / "data").exists()


def test_a_file_is_checked_without_a_server(tmp_path: Path) -> None:
    file = tmp_path / "croupier.toml"
    file.write_text("[currencies.EUR]\n[infinite]\nbetting_ms = 20000\n")
    result = run("config", "check", str(file))
    assert (result.exit_code, "is valid: " in result.output) == (0, True), result.output
    file.write_text("[infinite]\nbetting = 20000\n")
    result = run("config", "check", str(file))
    assert (result.exit_code, "line 2: [infinite] betting: " in result.output) == (2, True), result.output


def test_the_sample_of_the_guide_is_valid() -> None:
    result = run("config", "check", str(SAMPLE), "--json")
    assert result.exit_code == 0, result.output
