"""What is kept of a compiled automaton is used while nothing it was made from has changed."""

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
COMPILED: list[Any] = []


@pytest.fixture(autouse=True)
def empty_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shelf of its own, and the compiler watched."""
    COMPILED.clear()

    def watched(*args: Any, **options: Any) -> Automaton[Ends]:
        COMPILED.append(args)
        return compile_automaton(*args, **options)

    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "shelf"))
    monkeypatch.setattr(compiled_cache, "compile_automaton", watched)
    return tmp_path / "shelf"


def mimic(rules: Any = TABLE.rules) -> Automaton[Ends]:
    return cached_automaton(TABLE.game, rules, "mimic")


def test_the_second_time_it_is_taken_from_the_shelf() -> None:
    assert mimic() == mimic()
    assert len(COMPILED) == 1


def test_other_rules_are_compiled() -> None:
    assert mimic() != mimic(replace(TABLE.rules, dealer_hits_soft_17=True))
    assert len(COMPILED) == 2


def test_an_edited_source_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    for digest in ("one", "one", "two"):
        monkeypatch.setattr(compiled_cache, "sources_digest", lambda *_packages, digest=digest: digest)
        mimic()
    assert len(COMPILED) == 2


def test_a_torn_file_is_made_again(empty_shelf: Path) -> None:
    whole = mimic()
    (kept,) = empty_shelf.iterdir()
    kept.write_bytes(kept.read_bytes()[:100])
    assert mimic() == whole == mimic()
    assert len(COMPILED) == 2


def test_where_nothing_can_be_kept_it_is_compiled(empty_shelf: Path) -> None:
    empty_shelf.write_text("a file where the folder should be")
    assert mimic() == mimic()
    assert len(COMPILED) == 2


def test_a_wrong_name_is_refused() -> None:
    with pytest.raises(ValueError, match="allowed are: optimal, basic, mimic, never_bust"):
        cached_automaton(TABLE.game, TABLE.rules, "hunch")
