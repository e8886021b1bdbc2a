"""No file has notes of unfinished work or outside paths, and lock files name no registry."""

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Each word has a letter in brackets, so that this file doesn't match itself.
UNFINISHED = r"\b([T]ODO|[F]IXME|[X]XX+)\b"
OUTSIDE = r"(?<![\w.])/([w]ork|[r]oot|tmp/[b]rief)/|\.\./[s]hared\b"
FORBIDDEN = re.compile(f"{UNFINISHED}|{OUTSIDE}")


def texts() -> list[Path]:
    """Return every text file that is tracked or would be."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    paths = [ROOT / name for name in names.rstrip("\0").split("\0")]
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()[:8192]]


def test_no_file_has_forbidden_text() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in texts()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if FORBIDDEN.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("word", ["TO-DO", "FIX-ME: now", "X-XX", "/wo-rk/main", "../sha-red/notes"])
def test_forbidden_text_is_detected(word: str) -> None:
    assert FORBIDDEN.search("# " + word.replace("-", ""))


@pytest.mark.parametrize("lock", sorted(ROOT.glob("requirements*.lock")), ids=lambda lock: lock.name)
def test_python_lock_files_name_no_registry_and_pin_every_file(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    pins = re.findall(r"^[a-z][^\n]*\\\n    --hash=sha256:[0-9a-f]{64}", text, re.MULTILINE)
    assert len(pins) == len(re.findall(r"^[a-z]", text, re.MULTILINE)) > 10


def test_the_npm_lock_file_names_no_registry_and_pins_every_file() -> None:
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    installed = {name: package for name, package in packages.items() if name and not package.get("link")}
    assert len(installed) > 10
    assert all("resolved" not in package and "integrity" in package for package in installed.values())
