"""Compiled kernels are kept between commands, under a digest of all sources that they depend on."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import numba.core.caching as caching
saved, loaded = [], []
for name, found in (("save_overload", saved), ("load_overload", loaded)):
    right = getattr(caching.Cache, name)
    def noted(self, *args, right=right, found=found):
        result = right(self, *args)
        found.append(result)
        return result
    setattr(caching.Cache, name, noted)
from croupier.games import published_tables
from croupier.maths.exact.coup_figures import figures_of
print(figures_of(published_tables()["classic"]).best.return_per_initial_stake)
print(len(saved), sum(one is not None for one in loaded))
"""


def exact(cache: Path) -> list[str]:
    """Return what the program prints, with its cache in that folder."""
    env = {**os.environ, "CROUPIER_CACHE": str(cache)}
    run = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, check=True, text=True)
    return run.stdout.split()


def test_the_second_process_compiles_nothing(tmp_path: Path) -> None:
    first, second = exact(tmp_path / "cache"), exact(tmp_path / "cache")
    assert first[0] == second[0]
    assert int(first[1]) > 0
    assert second[1] == "0"
    assert int(second[2]) >= int(first[1])


def test_without_a_folder_it_is_compiled(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert exact(tmp_path / "cache")[1:] == ["0", "0"]
