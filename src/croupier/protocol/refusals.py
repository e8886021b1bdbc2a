"""Registry of refusal codes, with their arguments, meanings and recipients."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

Audience = Literal["player", "staff", "operator", "provider", "library"]
ArgType = Literal["string", "integer", "string?", "integer?"]


class RefusalCode(Struct, frozen=True, forbid_unknown_fields=True):
    """A registered code. An argument whose type ends in `?` is optional."""

    meaning: str
    received_by: tuple[Audience, ...]
    args: dict[str, ArgType] = {}

    @property
    def required(self) -> tuple[str, ...]:
        """Return the names of the required arguments."""
        return tuple(name for name, kind in self.args.items() if not kind.endswith("?"))

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments."""
        return {
            "type": "object",
            "properties": {name: {"type": kind.rstrip("?")} for name, kind in self.args.items()},
            "required": list(self.required),
            "additionalProperties": False,
        }


@cache
def refusal_codes() -> Mapping[str, RefusalCode]:
    """Return all codes by name."""
    text = (files(__package__) / "refusals.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, RefusalCode])


def codes_for(audience: Audience) -> dict[str, RefusalCode]:
    """Return the codes that this audience may receive."""
    return {name: code for name, code in refusal_codes().items() if audience in code.received_by}
