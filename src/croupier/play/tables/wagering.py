"""Wagering classes (004 5): the share of a stake that counts towards a wagering requirement."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated

from msgspec import Meta, Struct

from croupier.play.contract.game import Dealing
from croupier.play.tables.toml_blocks import convert, read_blocks


class WageringClass(Struct, frozen=True, forbid_unknown_fields=True):
    """A class of games whose stakes count alike towards a wagering requirement.

    `names` lists the source's games of this class; empty if it has all games not in other classes.
    """

    title: str
    dealing: Dealing
    percent: Annotated[int, Meta(ge=0, le=100)]
    names: tuple[str, ...]


@cache
def wagering_classes() -> Mapping[str, WageringClass]:
    """Return the wagering classes by name."""
    text = (files(__package__) / "wagering.toml").read_text(encoding="utf-8")
    return read_blocks(text, "wagering.toml", lambda _name, block: convert(block, WageringClass))


def wagering_errors(wagering: str, dealing: Dealing) -> Iterator[tuple[str, str]]:
    """Yield an error for a class of the other way of dealing, with the allowed classes."""
    allowed = [name for name, one in wagering_classes().items() if one.dealing == dealing]
    if wagering and wagering not in allowed:
        yield "wagering", f"no class {wagering!r} of tables so dealt; allowed are: {', '.join(allowed)}"


def contribution_minor(wagering: str, stake_minor: int) -> int:
    """Return the amount that counts towards a requirement, rounded down; 0 without a class."""
    return stake_minor * wagering_classes()[wagering].percent // 100 if wagering else 0
