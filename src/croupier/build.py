"""The build of this software: version, commit, date and lock file.

The build hook records it in `build.json`. A checkout has no such file: git is asked, and without git, whether
the files differ from the commit stays unknown. The hook also loads this module, so it needs only the standard
library.
"""

import hashlib
import json
import os
import subprocess
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Literal

PACKAGE = Path(__file__).parent
CHECKOUT = PACKAGE.parents[1]
RECORD = "build.json"
LOCK = "requirements.lock"
SOURCES = ("src", LOCK, "pyproject.toml")
"""The files that determine the behaviour of the server, apart from its data."""
GIT_TIMEOUT_S = 5
COMMIT_SHORT = 10
UNKNOWN = "unknown"

FilesState = Literal["clean", "changed", "unchecked"]


@dataclass(frozen=True)
class Build:
    """Empty texts: unknown. `state`: whether the files differ from the commit."""

    version: str
    commit: str = ""
    committed: str = ""
    lock: str = ""
    """The SHA-256 of the lock file."""
    state: FilesState = "unchecked"

    @property
    def id(self) -> str:
        """The version with the commit, such as `0.1.0+4ba3d5d5d0`, which each round names.

        Other files than the commit's may have another lock file, so the name has part of its digest.
        """
        name = f"{self.version}+{self.commit[:COMMIT_SHORT] or UNKNOWN}"
        if self.commit and self.state == "clean":
            return name
        return f"{name}.{self.state}.{self.lock[:COMMIT_SHORT] or UNKNOWN}"

    def describe(self) -> str:
        """Return a line for people."""
        commit = f"commit {self.commit}" if self.commit else "commit unknown"
        state = "" if self.state == "clean" or not self.commit else f" ({self.state})"
        date = f" of {self.committed}" if self.committed else ""
        lock = f"lock sha256:{self.lock}" if self.lock else "lock unknown"
        return f"{commit}{state}{date}, {lock}"


@cache
def current_build() -> Build:
    """Return the build that is running."""
    from croupier import __version__

    record = PACKAGE / RECORD
    if record.exists():
        return Build(__version__, **json.loads(record.read_text()))
    return read_checkout(CHECKOUT, __version__) if _is_checkout() else Build(__version__)


def _is_checkout() -> bool:
    return PACKAGE == CHECKOUT / "src" / "croupier" and (CHECKOUT / "pyproject.toml").exists()


def read_checkout(root: Path, version: str) -> Build:
    """Return the build of a checkout's files as they are now."""
    lock = root / LOCK
    digest = hashlib.sha256(lock.read_bytes()).hexdigest() if lock.exists() else ""
    if not (root / ".git").exists():
        return Build(version, lock=digest)
    shown = _git(root, "log", "-1", "--format=%H %cI")
    if not shown:
        return Build(version, _head(root), lock=digest)
    commit, committed = shown.split()
    changes = _git(root, "status", "--porcelain", "--", *SOURCES)
    state: FilesState = "unchecked" if changes is None else "changed" if changes else "clean"
    return Build(version, commit, committed, digest, state)


def write_record(build: Build, file: Path) -> None:
    """Write what the package doesn't know itself: all but the version."""
    record = {name: value for name, value in asdict(build).items() if name != "version"}
    file.write_text(json.dumps(record, indent=2) + "\n")


def _git(root: Path, *words: str) -> str | None:
    """Return the output of git; None if it fails or isn't installed."""
    environment = os.environ | {"GIT_OPTIONAL_LOCKS": "0"}
    command = ("git", "-C", str(root), *words)
    try:
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, check=False, text=True, timeout=GIT_TIMEOUT_S, env=environment
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _head(root: Path) -> str:
    """Return the commit that the files of a git folder name; empty if they don't."""
    try:
        git = root / ".git"
        if git.is_file():  # a worktree
            git = root / git.read_text().removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text().strip()
        if not head.startswith("ref: "):
            return head
        common = git / "commondir"
        shared = git / common.read_text().strip() if common.exists() else git
        return _commit_of(shared, head.removeprefix("ref: "))
    except OSError:
        return ""


def _commit_of(git: Path, ref: str) -> str:
    loose = git / ref
    if loose.exists():
        return loose.read_text().strip()
    packed = git / "packed-refs"
    lines = packed.read_text().splitlines() if packed.exists() else []
    return next((line.split()[0] for line in lines if line.endswith(f" {ref}")), "")
