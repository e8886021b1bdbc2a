"""A cached automaton is used until its rules or the sources of the compiler change."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.games import published_tables
from croupier.maths.exact import compiled_cache
from croupier.maths.exact.automaton import Automaton, Ends
from croupier.maths.exact.compile import compile_automaton
from croupier.maths.exact.compiled_cache import cached_automaton

TABLE = published_tables()["premium"]
COMPILATIONS: list[Any] = []


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty cache, and record the calls of the compiler."""
    COMPILATIONS.clear()

    def recorded(*args: Any, **options: Any) -> Automaton[Ends]:
        COMPILATIONS.append(args)
        return compile_automaton(*args, **options)

    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compiled_cache, "compile_automaton", recorded)
    return tmp_path / "cache"


def mimic(rules: Any = TABLE.rules) -> Automaton[Ends]:
    return cached_automaton(TABLE.game, rules, "mimic")


def test_a_second_call_reads_the_cache() -> None:
    assert mimic() == mimic()
    assert len(COMPILATIONS) == 1


def test_other_rules_are_compiled() -> None:
    assert mimic() != mimic(replace(TABLE.rules, dealer_hits_soft_17=True))
    assert len(COMPILATIONS) == 2


def test_an_edited_source_is_recompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    for digest in ("one", "one", "two"):
        monkeypatch.setattr(compiled_cache, "sources_digest", lambda *_packages, digest=digest: digest)
        mimic()
    assert len(COMPILATIONS) == 2


def test_a_truncated_file_is_replaced(empty_cache: Path) -> None:
    intact = mimic()
    (file,) = empty_cache.iterdir()
    file.write_bytes(file.read_bytes()[:100])
    assert mimic() == intact == mimic()
    assert len(COMPILATIONS) == 2


def test_every_call_compiles_when_no_folder_can_be_made(empty_cache: Path) -> None:
    empty_cache.write_text("a file where the folder should be")
    assert mimic() == mimic()
    assert len(COMPILATIONS) == 2


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(ValueError, match="allowed are: optimal, basic, mimic, never_bust"):
        cached_automaton(TABLE.game, TABLE.rules, "hunch")
