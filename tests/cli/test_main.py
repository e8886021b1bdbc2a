"""The commands `tables`, `rules` and `verify`, the help, and the errors of all commands."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier import __date__, __version__
from croupier.build import current_build
from croupier.cli.main import app
from croupier.equipment.rng import RNG_DATE, RNG_VERSION
from croupier.games import published_tables
from tests.support.server_process import ServerProcess

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


def run(*arguments: str, columns: int = 200) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": str(columns)})


def test_without_arguments_the_commands_are_listed() -> None:
    for arguments in ((), ("staff",)):
        result = run(*arguments)
        assert (result.exit_code, result.stderr) == (2, "")
        assert "Commands" in result.stdout


def test_the_version_option_prints_versions_and_dates() -> None:
    result = run("--version")
    assert result.exit_code == 0
    build = current_build()
    assert result.output.splitlines() == [
        f"croupier {__version__}, {__date__}",
        f"build {build.id}: {build.describe()}",
        f"RNG {RNG_VERSION}, {RNG_DATE}",
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_a_json_option(command: str) -> None:
    help_ = run(command, "--help")
    assert help_.exit_code == 0
    assert "--json" in help_.output


def test_tables_lists_every_published_table() -> None:
    narrow, wide, widest = (run("tables", columns=columns).output for columns in (80, 120, 160))
    for table in published_tables().values():
        for listed in (narrow, wide, widest):
            assert f"│ {table.id} " in listed
            assert "…" not in listed
        assert table.title in widest
    lines = len(published_tables()) + 4 + sum(len(table.published) for table in published_tables().values())
    assert len(wide.splitlines()) == lines
    assert len(narrow.splitlines()) < 2.2 * lines


@pytest.mark.parametrize("arguments", [("rtp", "baccarat"), ("odds", "baccarat")])
def test_a_fraction_is_never_wrapped(arguments: tuple[str, ...]) -> None:
    for columns in (80, 100, 160):
        output = run(*arguments, columns=columns).output
        assert "619306544887/" in output
        assert all("/" not in line.split("│")[-2][-2:] for line in output.splitlines() if "│" in line)
    tie = "619306544887/723147898655" if arguments[0] == "rtp" else "619306544887/6508331087895"
    assert all(tie in run(*arguments, columns=columns).output for columns in (80, 100, 160))


def test_tables_prints_json() -> None:
    tables = json.loads(run("tables", "--json").output)
    assert [table["table"] for table in tables] == list(published_tables())
    by_id = {table["table"]: table for table in tables}
    roulette = by_id["live_roulette"]
    assert roulette["wagering"] == {"class": "live_casino", "percent": 15}
    assert roulette["restrictions"] == {"never_together": [], "covers_at_most_percent": 92}
    assert roulette["kind_limits"]["split"]["EUR"] == [50, 40_000]
    assert roulette["table_limits"]["EUR"] == [50, 1_000_000]
    assert by_id["classic"]["rules"]["decks"] == 6


@pytest.mark.parametrize("table", published_tables())
def test_rules_prints_the_page(table: str) -> None:
    assert published_tables()[table].title in run("rules", table).output
    assert json.loads(run("rules", table, "--json").output)["page"].startswith("# ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rules", "nowhere"), "no table 'nowhere'; there are: "),
        (("tables", "--tables", "absent.toml"), "absent.toml can't be read"),
        (("verify", "--data", "absent"), "no database in absent"),
        (("replay", "r1", "--data", "absent"), "no database in absent"),
        (("simulate", "infinite", "--rounds", "0"), "--rounds: allowed is: a whole number from 1, "),
        (
            ("simulate", "infinite", "--rounds", "many"),
            "--rounds: allowed is: a whole number from 1, ",
        ),
        (("simulate", "infinite", "--device", "tpu"), "--device: allowed is: cpu, gpu"),
        (("staff", "add", "Ada", "--role", "boss"), "--role: allowed is: dealer, manager"),
        (("staff", "add", "Ada"), "--role: allowed is: dealer, manager"),
        (("serve", "--port", "99999"), "--port: allowed is: a whole number from 0 to 65535"),
        (("serve", "--port", "65535"), "--socket-port would be above 65535; choose another"),
        (("serve", "--socket-port", "-1"), "--socket-port: allowed is: a whole number from 0 to 65535"),
        (("--games", "absent", "tables"), "--games: dir 'absent' does not exist"),
        (("rtp",), "TABLE: missing (see `croupier rtp --help`)"),
        (("rtp", "infinite", "--set"), "'--set' requires an argument"),
        (("rtp", "--nothing"), "--nothing (see `croupier rtp --help`)"),
        (("rtp", "infinite", "classic"), "(classic) (see `croupier rtp --help`)"),
        (("nothing",), "'nothing' (see `croupier --help`)"),
    ],
)
def test_an_error_is_one_line_with_exit_status_2(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert message in result.stderr


def test_a_binary_tables_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_bytes(b"\x89PNG")
    result = run("tables", "--tables", str(file))
    assert (result.exit_code, result.stderr) == (
        2,
        f"croupier: {file} isn't UTF-8 text\n",
    )


def test_the_name_of_a_published_table_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('[classic]\ngame = "blackjack"\ntitle = "Mine"\ndecks = 1\nlimits = { GC = "1-5" }\n')
    result = run("tables", "--tables", str(file))
    assert result.exit_code == 2
    assert "[classic] is the name of a published table" in result.stderr


def test_the_guides_custom_table_and_its_error_are_current(tmp_path: Path) -> None:
    guide = Path("docs/guide/custom-tables.md").read_text(encoding="utf-8")
    block = re.search(r"```toml\n(.*?)```", guide, re.DOTALL)
    assert block is not None
    file = tmp_path / "late-night.toml"
    file.write_text(block[1])
    assert "Late Night Blackjack" in run("rules", "late_night", "--tables", str(file)).output
    file.write_text(block[1].replace("decks = 2", "decks = 12"))
    message = run("rules", "late_night", "--tables", str(file)).stderr
    assert message.replace(f"{tmp_path}/", "").strip() in guide


def test_the_readmes_python_example_runs() -> None:
    block = re.search(r"```python\n(.*?)```", Path("README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    exec(compile(block[1], "README.md", "exec"), {})


def test_the_database_of_a_stopped_server_verifies(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data").start()
    assert run("verify", "--data", str(server.data)).exit_code == 0
    assert server.stop() == 0
    report = json.loads(run("verify", "--data", str(server.data), "--json").output)
    assert (report["bad"], report["rounds"]) == (None, 0)
    assert run("replay", "r1", "--data", str(server.data)).stderr == (
        "croupier: no round 'r1' in this database; the table and History show a round's number\n"
    )
    assert run("tables", "--json").exit_code == 0
