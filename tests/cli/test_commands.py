"""The commands as a person and a program call them."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier.cli.main import app
from croupier.games import published_tables
from tests.server.house_process import HouseProcess

COMMANDS = (
    "serve",
    "tables",
    "rules",
    "rtp",
    "strategy",
    "odds",
    "compare",
    "simulate",
    "report",
    "bench",
    "replay",
    "verify",
)


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words, env={"COLUMNS": "200"})


@pytest.mark.parametrize("command", COMMANDS)
def test_help_teaches_and_every_command_speaks_json(command: str) -> None:
    help_ = run(command, "--help")
    assert help_.exit_code == 0
    assert "--json" in help_.output


def test_tables_lists_every_table() -> None:
    listed = run("tables").output
    assert all(table.title in listed for table in published_tables().values())
    told = json.loads(run("tables", "--json").output)
    assert [table["table"] for table in told] == list(published_tables())
    by_id = {table["table"]: table for table in told}
    spin = by_id["live_roulette"]
    assert spin["wagering"] == {"class": "live_casino", "percent": 15}
    assert spin["restrictions"] == {"never_together": [], "covers_at_most_percent": 92}
    assert spin["kind_limits"]["split"]["EUR"] == [50, 40_000]
    assert spin["table_limits"]["EUR"] == [50, 1_000_000]
    assert by_id["classic"]["rules"]["decks"] == 6


@pytest.mark.parametrize("table", published_tables())
def test_rules_prints_the_page(table: str) -> None:
    assert published_tables()[table].title in run("rules", table).output
    assert json.loads(run("rules", table, "--json").output)["page"].startswith("# ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("rules", "nowhere"), "no table 'nowhere'; there are: "),
        (("tables", "--tables", "absent.toml"), "absent.toml can't be read"),
        (("verify", "--data", "absent"), "no books in absent"),
        (("replay", "r1", "--data", "absent"), "no books in absent"),
    ],
)
def test_what_is_wrong_is_one_line_and_exit_2(words: tuple[str, ...], says: str) -> None:
    refused = run(*words)
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert says in refused.stderr


def test_a_published_tables_name_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('[classic]\ngame = "blackjack"\ntitle = "Mine"\ndecks = 1\nlimits = { GC = "1-5" }\n')
    refused = run("tables", "--tables", str(file))
    assert refused.exit_code == 2
    assert "[classic] is the name of a published table" in refused.stderr


def test_the_guides_own_table_opens_and_its_wrong_line_is_named(tmp_path: Path) -> None:
    guide = Path("docs/guide/your-own-table.md").read_text(encoding="utf-8")
    block = re.search(r"```toml\n(.*?)```", guide, re.DOTALL)
    assert block is not None
    file = tmp_path / "late-night.toml"
    file.write_text(block[1])
    assert "Late Night Blackjack" in run("rules", "late_night", "--tables", str(file)).output
    file.write_text(block[1].replace("decks = 2", "decks = 12"))
    message = run("rules", "late_night", "--tables", str(file)).stderr
    assert message.replace(f"{tmp_path}/", "").strip() in guide


def test_the_readmes_python_runs() -> None:
    block = re.search(r"```python\n(.*?)```", Path("README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    exec(compile(block[1], "README.md", "exec"), {})


def test_books_of_a_house_that_was_opened_are_right(tmp_path: Path) -> None:
    house = HouseProcess(tmp_path / "data").start()
    assert run("verify", "--data", str(house.data)).exit_code == 0
    assert house.stop() == 0
    report = json.loads(run("verify", "--data", str(house.data), "--json").output)
    assert (report["bad"], report["rounds"]) == (None, 0)
    assert "no round 'r1'" in run("replay", "r1", "--data", str(house.data)).stderr
    assert run("tables", "--json").exit_code == 0
