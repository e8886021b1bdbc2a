"""The cache returns stored values unchanged, tolerates damage and other processes, and stays small."""

import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.cache import uncached
from croupier.maths import cache_entries
from croupier.maths.cache_entries import cached


class Maker:
    """Makes a value and counts the calls."""

    def __init__(self, value: object = 1) -> None:
        self.value, self.calls = value, 0

    def __call__(self) -> object:
        self.calls += 1
        return self.value


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def only_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_an_existing_entry_is_read() -> None:
    value = {"a": Fraction(10**40, 3), "b": Fraction(-1, 2)}
    make = Maker(value)
    assert [cached("x", ("rules", 1), dict[str, Fraction], make) for _ in range(2)] == [value, value]
    assert make.calls == 1
    cached("x", ("rules", 2), dict[str, Fraction], make)
    assert make.calls == 2, "another key makes another value"


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda intact: intact[: len(intact) // 2],
    "empty": lambda intact: intact[:0],
    "a changed digit": lambda intact: intact[:-1] + bytes([intact[-1] ^ 1]),
    "another format": lambda intact: b"{}" + intact,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_entry_is_replaced(damage: str, folder: Path) -> None:
    make = Maker(0.9946531)
    cached("x", 1, float, make)
    intact = only_file(folder).read_bytes()
    only_file(folder).write_bytes(DAMAGE[damage](intact))
    assert cached("x", 1, float, make) == cached("x", 1, float, make) == 0.9946531
    assert make.calls == 2
    assert only_file(folder).read_bytes() == intact


def test_an_entry_of_another_type_is_replaced() -> None:
    cached("x", 1, str, Maker("text"))
    assert cached("x", 1, int, Maker(7)) == 7


def test_nothing_is_stored_when_caching_is_off_or_impossible(
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
    assert make.calls == 3


PROCESS = """
from croupier.maths.cache_entries import cached
for step in range(120):
    value = step % 3
    made = {str(number): value for number in range(500)}
    read = cached("x", (step // 4, value), dict[str, int], lambda: made)
    assert read == made, (step, read)
"""


def test_concurrent_processes_read_and_write_whole_entries(folder: Path) -> None:
    processes = [subprocess.Popen([sys.executable, "-c", PROCESS], stderr=subprocess.PIPE) for _ in range(3)]
    assert [process.communicate()[1].decode() for process in processes] == [""] * 3
    assert {file.suffix for file in folder.iterdir()} == {".msgpack"}


def test_the_least_recently_used_entries_are_deleted_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_entries_in_use_are_never_deleted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_entries, "SIZE_MAX", 0)
    for number in range(3):
        cached("x", number, int, Maker())
    assert len([*folder.iterdir()]) == 3
