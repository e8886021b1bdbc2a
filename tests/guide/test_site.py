"""The documentation site builds, and a dead link stops the build."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def build(root: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(site)]
    return subprocess.run(command, cwd=root, capture_output=True, check=False, text=True)


def test_the_site_builds_without_a_dead_link(tmp_path: Path) -> None:
    done = build(ROOT, tmp_path / "site")
    assert done.returncode == 0, done.stderr
    assert (
        "croupier.maths.study.Study.simulate"
        in (tmp_path / "site" / "reference" / "tables" / "index.html").read_text()
    )


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    """A site of one page is enough: the links of every page are checked alike."""
    settings = (ROOT / "mkdocs.yml").read_text()
    (tmp_path / "mkdocs.yml").write_text(re.sub(r"^nav:\n(?:[ #].*\n)+", "", settings, flags=re.MULTILINE))
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("src", "examples", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    page = tmp_path / "docs" / "README.md"
    page.parent.mkdir()
    page.write_text("# Home\n\n[there](../src/croupier/cache.py)\n")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode == 0, done.stderr
    page.write_text(page.read_text() + "\n[gone](gone.md) [moved](../src/croupier/moved.py)\n")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    assert "'gone.md'" in done.stderr
    assert "../src/croupier/moved.py, which doesn't exist" in done.stderr
