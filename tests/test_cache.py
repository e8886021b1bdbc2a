"""The cache of compiled kernels, and the digest of the sources that they depend on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import croupier.play
from croupier import cache
from croupier.cache import sources_digest

PROGRAM = """
import numba.core.caching as caching
saved, loaded = [], []
for name, results in (("save_overload", saved), ("load_overload", loaded)):
    original = getattr(caching.Cache, name)
    def recorded(self, *args, original=original, results=results):
        result = original(self, *args)
        results.append(result)
        return result
    setattr(caching.Cache, name, recorded)
from croupier.games import published_tables
from croupier.maths.exact.coup_figures import figures_of
from croupier.play.tables.files import with_rules
table = with_rules(published_tables()["classic"], {"splits": "none"})  # with splits, it has more kernels
print(figures_of(table).best.return_per_initial_stake)
print(len(saved), sum(kernel is not None for kernel in loaded))
"""


def run_with_cache(folder: Path) -> list[str]:
    """Run the program with its cache in the folder, and return the words that it prints."""
    env = {**os.environ, "CROUPIER_CACHE": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=env, capture_output=True, check=True, text=True
    )
    return done.stdout.split()


def test_the_second_process_compiles_nothing(tmp_path: Path) -> None:
    first, second = run_with_cache(tmp_path / "cache"), run_with_cache(tmp_path / "cache")
    assert first[0] == second[0]
    assert int(first[1]) > 0
    assert second[1] == "0"
    assert int(second[2]) >= int(first[1])


def test_kernels_are_compiled_when_no_folder_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert run_with_cache(tmp_path / "cache")[1:] == ["0", "0"]


def test_an_edited_source_in_any_folder_changes_the_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package may have several folders, such as the games of `--games`."""
    before, source = sources_digest("play"), tmp_path / "game" / "rules.py"
    source.parent.mkdir()
    monkeypatch.setattr(croupier.play, "__path__", [*croupier.play.__path__, str(tmp_path)])
    digests = {before}
    for text in ("one", "two"):
        source.write_text(text)
        cache._digest.cache_clear()
        digests.add(sources_digest("play"))
    cache._digest.cache_clear()
    source.rename(source.with_name("other.py"))
    digests.add(sources_digest("play"))
    cache._digest.cache_clear()
    assert len(digests) == 4
