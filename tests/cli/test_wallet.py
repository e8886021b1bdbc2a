"""`croupier wallet`: the examples in the help, failed checks, and invalid options."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier.cli import wallet
from croupier.cli.main import app
from croupier.cli.wallet import PLAYERS
from croupier.integration.wallet_check.checks import CHECKS
from tests.support.wallet_operator import OperatorProcess, operator_process


@pytest.fixture(scope="module")
def operator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OperatorProcess]:
    with operator_process(tmp_path_factory.mktemp("operator"), *PLAYERS) as running:
        yield running


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["wallet", *arguments], env={"COLUMNS": "160"})


def check(operator: OperatorProcess, *more: str) -> Result:
    account = ("--player", "test", "--currency", "EUR", "--secret-file", str(operator.secret_file))
    return run("check", operator.url, *account, *more)


def test_the_examples_of_the_help_run_as_written(operator: OperatorProcess) -> None:
    examples = re.findall(r"`croupier wallet ([^`]+)`", str(wallet.check.__doc__))
    assert len(examples) == 2
    for example in examples:
        written = example.replace("http://127.0.0.1:8200", operator.url)
        result = run(*shlex.split(written.replace("wallet.secret", str(operator.secret_file))))
        assert result.exit_code == 0, result.output
        assert "The balance of test is as before: 100000." in result.output
    assert not operator.log.differing_ends


def test_json_has_every_result(operator: OperatorProcess) -> None:
    result = check(operator, "--other-player", "other", "--only", "W7", "--json")
    report = json.loads(result.output)
    assert result.exit_code == 0
    assert [each["name"] for each in report["results"]] == [
        "balance",
        *(each.name for each in CHECKS if each.clause == "W7"),
        "answer_time",
    ]


@pytest.mark.parametrize("only", ["W5", "answer_time"])
def test_the_answer_time_can_be_checked_alone(operator: OperatorProcess, only: str) -> None:
    result = check(operator, "--only", only)
    assert result.exit_code == 0, result.output
    assert "2 checks: 2 passed; 21 messages." in result.output


def test_the_check_that_runs_is_shown(operator: OperatorProcess) -> None:
    result = check(operator, "--only", "rollback", "--only", "late_debit")
    assert "1/2 rollback" in result.output
    assert "2/2 late_debit" in result.output


@pytest.mark.parametrize(("command", "status"), [("true", 0), ("false", 1)])
def test_the_wallet_is_restarted_by_the_operator_s_command(
    operator: OperatorProcess, command: str, status: int
) -> None:
    result = check(operator, "--only", "memory_after_restart", "--restart", command)
    assert result.exit_code == status, result.output
    assert ("exit status 1 of 'false'" in result.output) == bool(status)


def test_a_failed_check_says_what_was_found_and_what_to_do(operator: OperatorProcess) -> None:
    operator.misbehave("error_500", paths=("/rollback",), times=1)
    result = check(operator, "--only", "rollback", "--only", "rollback_of_other_player")
    assert result.exit_code == 1
    for part in ("✗", "expected /rollback: done", "found    status 500", "→ Find the debit", "1 skipped"):
        assert part in result.output


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (("--player", "nobody"), "refused (no such account)"),
        (("--currency", "USD"), "refused (no such account)"),
        (("--other-player", "nobody"), "refused (no such account)"),
    ],
)
def test_nothing_is_moved_without_a_test_player(
    operator: OperatorProcess, options: tuple[str, ...], found: str
) -> None:
    before = operator.log
    result = check(operator, *options)
    assert result.exit_code == 1
    assert found in result.output
    assert operator.log == before


def test_a_wallet_that_isnt_there_is_told_at_once(tmp_path: Path) -> None:
    secret = tmp_path / "wallet.secret"
    secret.write_text("sixteen letters!")
    account = ("--player", "test", "--currency", "EUR", "--secret-file", str(secret))
    result = run("check", "http://127.0.0.1:9", *account)
    assert result.exit_code == 1
    assert "no answer: All connection attempts failed" in result.output
    assert "isn't known" in result.output


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("check", "http://127.0.0.1:9", "--player", "a", "--currency", "E", "--only", "W9"), "no check"),
        (("serve", "--player", "anna:EUR:-1"), "isn't like anna:EUR:50000"),
        (("serve", "--player", "EUR:1"), "isn't like anna:EUR:50000"),
    ],
)
def test_invalid_options_are_refused(
    operator: OperatorProcess, arguments: tuple[str, ...], reason: str
) -> None:
    result = run(*arguments, "--secret-file", str(operator.secret_file))
    assert result.exit_code == 2
    assert reason in result.output


def test_a_short_secret_is_refused(tmp_path: Path) -> None:
    secret = tmp_path / "wallet.secret"
    secret.write_text("short")
    result = run("serve", "--secret-file", str(secret))
    assert result.exit_code == 2
    assert "shorter than 16" in result.output
