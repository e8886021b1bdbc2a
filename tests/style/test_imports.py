"""The contracts on imports hold, and each of them can fail."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
CONTRACTS = [
    contract["id"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
]


class Plant(NamedTuple):
    """A forbidden import: `line`, in a module of its own at `path` under `croupier/`."""

    contract: str
    path: str
    line: str


PLANTS = [
    Plant("one-way", "equipment/planted.py", "import croupier.games.blackjack"),
    Plant("one-way", "play/planted.py", "import croupier.ledger.entries"),
    Plant("one-way", "tables/planted.py", "import croupier.ledger.entries"),
    Plant("one-way", "planted.py", "import croupier.protocol.wire"),
    Plant("games-apart", "games/planted/__init__.py", "import croupier.games.blackjack"),
    Plant("games-by-name", "tables/planted.py", "import croupier.games.blackjack.rules"),
    Plant("games-by-name", "runtime/planted.py", "import croupier.games.blackjack.view"),
    Plant("live-path", "games/blackjack/planted.py", "import numpy"),
    Plant("live-path", "runtime/planted.py", "from numba import njit"),
    Plant("sql-in-stores", "accounts/planted.py", "from sqlite3 import Connection"),
    Plant("sql-in-stores", "runtime/planted.py", "import sqlalchemy"),
    Plant("no-clock-no-chance", "equipment/planted.py", "from os import urandom"),
    Plant("no-clock-no-chance", "games/blackjack/planted.py", "import time"),
    Plant("no-clock-no-chance", "tables/planted.py", "import asyncio"),
    Plant("no-clock-no-chance", "play/planted.py", "import random"),
]


def lint(folder: Path, contract: str) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the package in `folder`/src."""
    command = [
        *(sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"),
        *("--no-logo", "--no-cache", "--config", str(ROOT / "pyproject.toml"), "--contract", contract),
    ]
    surroundings = {**os.environ, "PYTHONPATH": str(folder / "src"), "COLUMNS": "200"}
    return subprocess.run(command, env=surroundings, cwd=folder, capture_output=True, check=False, text=True)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(
        ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("static", "__pycache__", "*.egg-info")
    )
    return tmp_path


def test_every_contract_has_a_plant() -> None:
    assert {plant.contract for plant in PLANTS} == set(CONTRACTS)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_contract_is_kept(contract: str) -> None:
    said = lint(ROOT, contract)
    assert said.returncode == 0, said.stdout
    assert "1 kept, 0 broken" in said.stdout


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: f"{plant.contract}-{plant.path}")
def test_a_planted_import_is_caught(plant: Plant, copy: Path) -> None:
    planted = copy / "src" / "croupier" / plant.path
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(plant.line + "\n")
    said = lint(copy, plant.contract)
    assert said.returncode == 1, said.stdout + said.stderr
    assert "0 kept, 1 broken" in said.stdout
    assert "planted" in said.stdout


def loaded(program: str) -> set[str]:
    """The top-level modules that Python has loaded after `program`."""
    listing = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; {listing}"], capture_output=True, check=True, text=True
    )
    return set(done.stdout.split())


def test_a_server_starts_without_arrays() -> None:
    """The contract above allows arrays in a game's exact analysis; starting the server must not load them."""
    names = loaded("import croupier.cli.main, croupier.app.serve; from croupier.games import games; games()")
    assert {"croupier", "sqlalchemy"} <= names
    assert not {"numpy", "numba"} & names


def test_loaded_arrays_are_seen() -> None:
    assert "numpy" in loaded("import numpy")
