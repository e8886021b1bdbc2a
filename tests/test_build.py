"""The build is named rightly, or not at all: commit, date, lock file, and whether the files differ."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier import __version__, build
from croupier.build import Build, read_checkout
from tests.test_packaging import hook

SHA = "4ba3d5d5d1514f906b4df161f9072076a00b8bab"
CLEAN = Build("1.2.0", SHA, "2026-11-28T15:37:16+00:00", "bad4b07e0f35cf33", "clean")


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "dealer.py").write_text("card = 1\n")
    (tmp_path / "requirements.lock").write_text("one==1\n")
    git(tmp_path, "init", "--initial-branch=main")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--message=First")
    return tmp_path


@pytest.mark.parametrize(
    ("found", "name"),
    [
        (CLEAN, "1.2.0+4ba3d5d5d1"),
        (replace(CLEAN, state="changed"), "1.2.0+4ba3d5d5d1.changed.bad4b07e0f"),
        (replace(CLEAN, state="unchecked"), "1.2.0+4ba3d5d5d1.unchecked.bad4b07e0f"),
        (Build("1.2.0"), "1.2.0+unknown.unchecked.unknown"),
    ],
)
def test_the_name_says_what_is_known(found: Build, name: str) -> None:
    assert found.id == name


def test_a_checkout_has_a_commit_a_date_and_a_lock(checkout: Path) -> None:
    found = read_checkout(checkout, "1.2.0")
    assert (len(found.commit), len(found.lock), found.state) == (40, 64, "clean")
    assert found.committed.startswith("20")
    assert found.id == f"1.2.0+{found.commit[:10]}"


@pytest.mark.parametrize(
    ("file", "state"),
    [
        ("src/dealer.py", "changed"),
        ("src/new.py", "changed"),
        ("requirements.lock", "changed"),
        ("notes", "clean"),
    ],
)
def test_other_files_than_the_commits_are_noticed(checkout: Path, file: str, state: str) -> None:
    (checkout / file).write_text("card = 2\n")
    assert read_checkout(checkout, "1.2.0").state == state


def test_without_git_the_commit_is_unchecked(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_git = read_checkout(checkout, "1.2.0")
    monkeypatch.setenv("PATH", "")
    without = read_checkout(checkout, "1.2.0")
    assert without == replace(with_git, committed="", state="unchecked")


def test_without_git_packed_references_are_read(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(checkout, "pack-refs", "--all")
    commit = read_checkout(checkout, "1.2.0").commit
    monkeypatch.setenv("PATH", "")
    assert read_checkout(checkout, "1.2.0").commit == commit


def test_without_git_a_worktree_is_read(
    checkout: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path_factory.mktemp("worktree") / "other"
    git(checkout, "worktree", "add", "-b", "other", str(other))
    commit = read_checkout(checkout, "1.2.0").commit
    monkeypatch.setenv("PATH", "")
    assert read_checkout(other, "1.2.0").commit == commit


def test_a_folder_without_git_is_unknown(tmp_path: Path) -> None:
    assert read_checkout(tmp_path, "1.2.0") == Build("1.2.0")


def test_an_installed_package_reads_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build.write_record(CLEAN, tmp_path / build.RECORD)
    monkeypatch.setattr(build, "PACKAGE", tmp_path)
    assert build.current_build.__wrapped__() == replace(CLEAN, version=__version__)


def test_a_package_outside_a_checkout_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "PACKAGE", tmp_path)
    assert build.current_build.__wrapped__().commit == ""


def test_the_hook_adds_the_record(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_SKIP_CLIENT", "1")
    data: dict[str, Any] = {}
    hook(checkout).initialize("standard", data)
    ((record, target),) = data["force_include"].items()
    assert target == "croupier/build.json"
    recorded = json.loads(Path(record).read_text())
    assert recorded["commit"] == read_checkout(checkout, "").commit
    assert recorded["state"] == "clean"
