"""Wagering classes (004 5): how much of a stake counts towards a wagering requirement, by its table."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated

from msgspec import Meta, Struct

from croupier.play.contract.game import Dealing
from croupier.play.tables.toml_blocks import convert, read_blocks


class WageringClass(Struct, frozen=True, forbid_unknown_fields=True):
    """`names`: the games of this class in its source; none where it has all that no other class names."""

    title: str
    dealing: Dealing
    percent: Annotated[int, Meta(ge=0, le=100)]
    names: tuple[str, ...]


@cache
def wagering_classes() -> Mapping[str, WageringClass]:
    """By the name that a table's block gives."""
    text = (files(__package__) / "wagering.toml").read_text(encoding="utf-8")
    return read_blocks(text, "wagering.toml", lambda _name, block: convert(block, WageringClass))


def wagering_errors(wagering: str, dealing: Dealing) -> Iterator[tuple[str, str]]:
    """A class that a table so dealt can't be of, with those that it can."""
    allowed = [name for name, one in wagering_classes().items() if one.dealing == dealing]
    if wagering and wagering not in allowed:
        yield "wagering", f"no class {wagering!r} of tables so dealt; allowed are: {', '.join(allowed)}"


def contribution_minor(wagering: str, stake_minor: int) -> int:
    """What a stake counts towards a requirement, rounded down; nothing where the table has no class."""
    return stake_minor * wagering_classes()[wagering].percent // 100 if wagering else 0
