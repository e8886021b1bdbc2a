"""`tools.wire_ts` generates the client's types from the message types."""

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
    """The position of
    the cut card."""

    at: int | None = None
    """In cards from the top."""


class Ask(Struct, frozen=True, tag_field="t", tag="ask", forbid_unknown_fields=True):
    cuts: tuple[Cut, ...] = ()
    where: Literal["top", "bottom"] = "top"


class Untyped(Struct, frozen=True):
    anything: Any


def module(*structs: type[Struct]) -> ModuleType:
    generated = ModuleType("generated")
    generated.__dict__.update({struct.__name__: struct for struct in structs}, PROTOCOL=3)
    return generated


def test_fields_with_defaults_are_optional_in_requests() -> None:
    text = typescript(module(Ask))
    assert 'readonly t: "ask";\n  readonly cuts?: ReadonlyArray<Cut>;' in text
    assert 'readonly where?: "bottom" | "top";' in text
    assert "export const PROTOCOL = 3;" in text


def test_fields_of_server_messages_are_never_optional() -> None:
    text = typescript(module(Ask, Cut))
    assert "/** The position of the cut card. */\nexport interface Cut {" in text
    assert "  /** In cards from the top. */\n  readonly at: number | null;" in text


def test_a_type_without_a_typescript_equivalent_is_refused() -> None:
    with pytest.raises(TypeError, match="no TypeScript is known"):
        typescript(module(Untyped))


class Broadcast(Struct, frozen=True):
    """The same for all players. Staff don't receive it."""

    at: int


def test_the_word_players_in_a_docstring_adds_no_import() -> None:
    assert "import" not in typescript(module(Broadcast))


def test_types_of_the_player_protocol_are_imported_from_it() -> None:
    text = typescript(module(Ask, Cut), players=module(Cut))
    assert "readonly cuts?: ReadonlyArray<players.Cut>;" in text
    assert "interface Cut" not in text
