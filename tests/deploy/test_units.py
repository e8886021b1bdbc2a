"""The systemd units, by systemd's own tool."""

import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd isn't installed")
UNITS = sorted((Path(__file__).parents[2] / "deploy" / "systemd").iterdir())
PROGRAMS = ("/opt/croupier/bin/croupier", "/usr/bin/janus")
"""Not installed everywhere; systemd-analyze looks for them."""


def complaints(unit: Path, folder: Path, added: str = "") -> list[str]:
    """Return what systemd-analyze says about a unit, to which a setting is `added` in its last section."""
    text = unit.read_text(encoding="utf-8")
    for program in PROGRAMS:
        text = text.replace(program, "/bin/true")
    for other in UNITS:  # a timer needs its service
        shutil.copy(other, folder)
    checked = folder / unit.name
    checked.write_text(text + added)
    command = ["systemd-analyze", "verify", "--man=no", str(checked)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    return [line for line in done.stderr.splitlines() if unit.name in line]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_are_valid(unit: Path, tmp_path: Path) -> None:
    assert complaints(unit, tmp_path) == []


def test_back_ups_run_as_a_user_of_their_own_who_can_t_see_the_keys_and_are_pruned() -> None:
    unit = next(unit for unit in UNITS if unit.name == "croupier-backup.service").read_text()
    settings = dict(line.split("=", 1) for line in unit.splitlines() if "=" in line and line[0] != "#")
    assert settings["User"] == "croupier-backup"
    assert settings["ProtectSystem"] == "strict"
    assert settings["ReadWritePaths"].split() == [
        "/var/backups/croupier",
        "-/var/lib/croupier/croupier.db-shm",
    ]
    assert {"-/var/lib/croupier/shoes.key", "-/var/lib/croupier/anchor.key"} < {
        *settings["InaccessiblePaths"].split()
    }
    assert "--keep " in settings["ExecStart"]


def test_a_wrong_setting_is_found(tmp_path: Path) -> None:
    (found,) = complaints(UNITS[-1], tmp_path, "WantedBi=multi-user.target\n")
    assert "WantedBi" in found
