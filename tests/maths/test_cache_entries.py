"""The cache gives back what was put in or nothing, whoever shares its folder, and stays small."""

import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import croupier.play
from croupier import cache
from croupier.cache import sources_digest, uncached
from croupier.maths import cache_entries
from croupier.maths.cache_entries import cached


class Maker:
    """Makes a value, and counts how often."""

    def __init__(self, value: object = 1) -> None:
        self.value, self.times = value, 0

    def __call__(self) -> object:
        self.times += 1
        return self.value


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def entry(folder: Path) -> Path:
    (found,) = folder.iterdir()
    return found


def test_an_existing_entry_is_read() -> None:
    value = {"a": Fraction(10**40, 3), "b": Fraction(-1, 2)}
    make = Maker(value)
    assert [cached("x", ("rules", 1), dict[str, Fraction], make) for _ in range(2)] == [value, value]
    assert make.times == 1
    cached("x", ("rules", 2), dict[str, Fraction], make)
    assert make.times == 2, "made from other things"


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "half written": lambda whole: whole[: len(whole) // 2],
    "empty": lambda whole: whole[:0],
    "a changed digit": lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]),
    "another format": lambda whole: b"{}" + whole,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_entry_is_made_anew(damage: str, folder: Path) -> None:
    make = Maker(0.9946531)
    cached("x", 1, float, make)
    whole = entry(folder).read_bytes()
    entry(folder).write_bytes(DAMAGE[damage](whole))
    assert cached("x", 1, float, make) == cached("x", 1, float, make) == 0.9946531
    assert make.times == 2
    assert entry(folder).read_bytes() == whole


def test_an_entry_of_another_type_is_made_anew() -> None:
    cached("x", 1, str, Maker("text"))
    assert cached("x", 1, int, Maker(7)) == 7


def test_nothing_is_kept_where_nothing_may_be_or_can_be(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = Maker()
    with uncached():
        assert cached("x", 1, int, make) == 1
    assert os.environ["CROUPIER_CACHE"] == str(folder)
    monkeypatch.setenv("CROUPIER_CACHE", "off")
    assert cached("x", 1, int, make) == 1
    folder.write_text("a file where the folder should be")
    monkeypatch.setenv("CROUPIER_CACHE", str(folder))
    assert cached("x", 1, int, make) == 1
    assert make.times == 3


CROWD = """
from croupier.maths.cache_entries import cached
for time in range(120):
    value = time % 3
    made = {str(number): value for number in range(500)}
    found = cached("x", (time // 4, value), dict[str, int], lambda: made)
    assert found == made, (time, found)
"""


def test_processes_at_once_read_and_write_whole_entries(folder: Path) -> None:
    crowd = [subprocess.Popen([sys.executable, "-c", CROWD], stderr=subprocess.PIPE) for _ in range(3)]
    assert [process.communicate()[1].decode() for process in crowd] == [""] * 3
    assert {file.suffix for file in folder.iterdir()} == {".msgpack"}


def test_what_was_unused_for_longest_goes_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_entries, "SIZE_MAX", 2500)
    kernels = folder / "kernels-old"
    kernels.mkdir(parents=True)
    (kernels / "kernel.nbc").write_bytes(b"0" * 2000)
    for name in ("first", "second"):
        cached(name, 1, str, Maker("0" * 1000))
    for age, old in enumerate((kernels, *folder.glob("second-*"), *folder.glob("first-*")), 1):
        os.utime(old, (100_000 - age, 100_000 - age))
    cached("first", 1, str, Maker())
    cached("third", 1, str, Maker("0" * 1000))
    assert {file.name.partition("-")[0] for file in folder.iterdir()} == {"first", "third"}


def test_what_is_in_use_is_never_deleted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_entries, "SIZE_MAX", 0)
    for number in range(3):
        cached("x", number, int, Maker())
    assert len([*folder.iterdir()]) == 3


def test_an_edited_source_in_any_folder_changes_the_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As games that come from `--games`."""
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
