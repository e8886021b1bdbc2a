"""The client's types are the wire's."""

from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import pytest
from msgspec import Struct

from tools.wire_ts import FILES, of_file, typescript


@pytest.mark.parametrize("file", FILES, ids=lambda file: "/".join(file.parts[-2:]))
def test_the_committed_file_is_current(file: Path) -> None:
    assert file.read_text() == of_file(file), "run `python -m tools.wire_ts`"


class Cut(Struct, frozen=True):
    """Where the shoe
    is cut."""

    at: int | None = None
    """Cards from the top."""


class Ask(Struct, frozen=True, tag_field="t", tag="ask", forbid_unknown_fields=True):
    cuts: tuple[Cut, ...] = ()
    where: Literal["top", "bottom"] = "top"


class Loose(Struct, frozen=True):
    anything: Any


def module(*structs: type[Struct]) -> ModuleType:
    made = ModuleType("made")
    made.__dict__.update({struct.__name__: struct for struct in structs}, PROTOCOL=3)
    return made


def test_the_browser_may_leave_out_what_has_a_default() -> None:
    text = typescript(module(Ask))
    assert 'readonly t: "ask";\n  readonly cuts?: ReadonlyArray<Cut>;' in text
    assert 'readonly where?: "bottom" | "top";' in text
    assert "export const PROTOCOL = 3;" in text


def test_the_server_leaves_nothing_out() -> None:
    text = typescript(module(Ask, Cut))
    assert "/** Where the shoe is cut. */\nexport interface Cut {" in text
    assert "  /** Cards from the top. */\n  readonly at: number | null;" in text


def test_a_type_without_a_translation_is_refused() -> None:
    with pytest.raises(TypeError, match="no TypeScript is known"):
        typescript(module(Loose))


class Told(Struct, frozen=True):
    """The same for all players. Nobody else gets it."""

    at: int


def test_a_sentence_about_players_imports_nothing() -> None:
    assert "import" not in typescript(module(Told))


def test_what_the_players_have_too_is_theirs() -> None:
    text = typescript(module(Ask, Cut), players=module(Cut))
    assert "readonly cuts?: ReadonlyArray<players.Cut>;" in text
    assert "interface Cut" not in text
