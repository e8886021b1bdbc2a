"""Jurisdiction profiles: the restrictions on a server's players, and the named profiles to start from."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, to_builtins

from croupier.config.live_table import DelayMs
from croupier.play.tables.toml_blocks import InvalidField, check_known, convert, fields, read_blocks
from croupier.protocol import wire


class ProfileConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The complete block `profile`: what the jurisdiction allows."""

    statistics: bool
    results: bool
    tables_max: Annotated[int, Meta(ge=1, le=4)]
    round_min_ms: DelayMs
    reminder_minutes: Annotated[tuple[Literal[0, 30, 60, 90], ...], Meta(min_length=1)]
    advice: Literal["none", "play_money", "own_tables"]


class NamedProfile(ProfileConfig, frozen=True, forbid_unknown_fields=True):
    """A predefined profile, with the reason for its restrictions."""

    why: str


@cache
def profiles() -> Mapping[str, NamedProfile]:
    """Return the predefined profiles by name; the first has no restrictions."""
    text = (files(__package__) / "profiles.toml").read_text(encoding="utf-8")
    return read_blocks(text, "profiles.toml", lambda _name, block: convert(block, NamedProfile))


def read_profile(block: Mapping[str, Any]) -> wire.JurisdictionProfile:
    """Convert the block `profile`, completed from the profile that its field `like` names."""
    check_known(block, ("like", *fields(ProfileConfig)))
    like = str(block.get("like", next(iter(profiles()))))
    if like not in profiles():
        raise InvalidField("like", f"no such profile; there are: {', '.join(profiles())}")
    values = {**to_builtins(profiles()[like]), **block}
    allowed = convert({name: values[name] for name in fields(ProfileConfig)}, ProfileConfig)
    return convert(to_builtins(allowed), wire.JurisdictionProfile)
