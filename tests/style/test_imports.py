"""The import contracts hold, and each detects a planted violation."""

import os
import shutil
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import grimp
import pytest

ROOT = Path(__file__).parents[2]
CONTRACTS = [
    contract["id"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
]


class Violation(NamedTuple):
    """A forbidden import: `line`, in a new module at `path` in the package."""

    contract: str
    path: str
    line: str


VIOLATIONS = [
    Violation("one-way", "equipment/planted.py", "import croupier.games.blackjack"),
    Violation("one-way", "play/planted.py", "import croupier.ledger.entries"),
    Violation("one-way", "tables/planted.py", "import croupier.ledger.entries"),
    Violation("one-way", "players/planted.py", "import croupier.money.cashier"),
    Violation("one-way", "money/planted.py", "import croupier.dealing.own.player_tables"),
    Violation("one-way", "dealing/planted.py", "import croupier.video.cameras"),
    Violation("one-way", "outside/planted.py", "import croupier.cluster.bus"),
    Violation("one-way", "planted.py", "import croupier.protocol.wire"),
    Violation("games-apart", "games/planted/__init__.py", "import croupier.games.blackjack"),
    Violation("games-by-name", "tables/planted.py", "import croupier.games.blackjack.rules"),
    Violation("games-by-name", "money/planted.py", "import croupier.games.blackjack.view"),
    Violation("live-path", "games/blackjack/planted.py", "import numpy"),
    Violation("live-path", "money/planted.py", "from numba import njit"),
    Violation("sql-in-stores", "accounts/planted.py", "from sqlite3 import Connection"),
    Violation("sql-in-stores", "money/planted.py", "import sqlalchemy"),
    Violation("no-clock-no-chance", "equipment/planted.py", "from os import urandom"),
    Violation("no-clock-no-chance", "games/blackjack/planted.py", "import time"),
    Violation("no-clock-no-chance", "tables/planted.py", "import asyncio"),
    Violation("no-clock-no-chance", "play/planted.py", "import random"),
]


def lint(folder: Path, *contracts: str) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the package in `folder`/src."""
    chosen = [word for contract in contracts for word in ("--contract", contract)]
    command = [
        *(sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"),
        *("--no-logo", "--no-cache", "--config", str(ROOT / "pyproject.toml"), *chosen),
    ]
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "COLUMNS": "200"}
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, check=False, text=True)


@pytest.fixture
def source_copy(tmp_path: Path) -> Path:
    shutil.copytree(
        ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("static", "__pycache__", "*.egg-info")
    )
    return tmp_path


def test_every_contract_has_a_planted_violation() -> None:
    assert {violation.contract for violation in VIOLATIONS} == set(CONTRACTS)


def test_every_contract_holds() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout
    assert f"{len(CONTRACTS)} kept, 0 broken" in done.stdout


@pytest.mark.parametrize(
    "violation", VIOLATIONS, ids=lambda violation: f"{violation.contract}-{violation.path}"
)
def test_a_planted_violation_is_detected(violation: Violation, source_copy: Path) -> None:
    module = source_copy / "src" / "croupier" / violation.path
    module.parent.mkdir(exist_ok=True)
    module.write_text(violation.line + "\n")
    done = lint(source_copy, violation.contract)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "0 kept, 1 broken" in done.stdout
    assert "planted" in done.stdout


def test_no_imports_form_a_cycle() -> None:
    """Imports inside functions count too. `croupier` imports its API lazily, for types."""
    graph = grimp.build_graph("croupier")
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    imports["croupier"] = set()
    TopologicalSorter(imports).prepare()


def loaded_modules(program: str) -> set[str]:
    """Return the top-level modules that Python has loaded after running a program."""
    listing = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; {listing}"], capture_output=True, check=True, text=True
    )
    return set(done.stdout.split())


def test_the_server_starts_without_array_libraries() -> None:
    """The contract allows array libraries in a game's exact analysis, which the server must not load."""
    names = loaded_modules(
        "import croupier.cli.main, croupier.app.serve; from croupier.games import games; games()"
    )
    assert {"croupier", "sqlalchemy"} <= names
    assert not {"numpy", "numba"} & names


def test_loaded_array_libraries_are_detected() -> None:
    assert "numpy" in loaded_modules("import numpy")
