"""The blocks of the jurisdictions in the server configuration file: help, and questions about limits."""

import re
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct, to_builtins

from croupier.accounts.payment_rules import DepositQuestion
from croupier.config.blocks import (
    HelplineConfig,
    Helplines,
    MinimumAge,
    PolicyAddress,
    ResponsibleGamingConfig,
)
from croupier.play.tables.toml_blocks import (
    InvalidField,
    check_known,
    convert,
    fields,
    read_blocks,
)

JURISDICTION_BLOCKS = "jurisdictions"
Months = Annotated[int, Meta(ge=0, le=24)]
_CODE = re.compile(r"[A-Z]{2}(-[A-Z0-9]{1,3})?")


class JurisdictionConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A block `jurisdictions.CODE`. Omitted fields are those of the block `responsible_gaming`."""

    minimum_age: MinimumAge | None = None
    policy: PolicyAddress | None = None
    helplines: Helplines | None = None
    ask_deposit_limit: bool | None = None
    """True: players are asked for a deposit limit before their first deposit."""
    ask_again_months: Months | None = None
    """Months after which they are asked again; 0: never."""


class NamedJurisdiction(Struct, frozen=True, forbid_unknown_fields=True):
    """A predefined jurisdiction, with the reason for its rules."""

    why: str
    ask_deposit_limit: bool
    ask_again_months: Months


class Help(NamedTuple):
    """Help for players of a jurisdiction, and the age that they must have."""

    minimum_age: int
    policy: str
    helplines: tuple[HelplineConfig, ...]


@cache
def named_jurisdictions() -> Mapping[str, NamedJurisdiction]:
    """Return the predefined jurisdictions by code."""
    text = (files(__package__) / "jurisdictions.toml").read_text(encoding="utf-8")
    return read_blocks(text, "jurisdictions.toml", lambda _code, block: convert(block, NamedJurisdiction))


def read_jurisdictions(block: Any) -> Mapping[str, JurisdictionConfig]:
    """Convert the block `jurisdictions`; InvalidField for an invalid jurisdiction."""
    if not isinstance(block, dict):
        raise InvalidField("", "write [jurisdictions.CODE] above the fields of a jurisdiction")
    return {code: _read(code, each) for code, each in block.items()}


def _read(code: str, block: Any) -> JurisdictionConfig:
    if not isinstance(block, dict):
        raise InvalidField(code, f"a jurisdiction is a block: write [jurisdictions.{code}] above its fields")
    if not _CODE.fullmatch(code):
        raise InvalidField("", 'a code is a country such as "GB", or a part of one such as "US-NJ"', code)
    try:
        check_known(block, (*fields(JurisdictionConfig), "like"))
        rules = _like(code, block)
        return convert({**rules, **block}, JurisdictionConfig)
    except InvalidField as error:
        raise InvalidField(error.field, str(error), code) from None


def _like(code: str, block: dict[str, Any]) -> Mapping[str, Any]:
    """Return the rules of the predefined jurisdiction that `like` names; take that field out of the block."""
    like = block.pop("like", code)
    known = named_jurisdictions()
    if like != code and like not in known:
        raise InvalidField("like", f"no predefined jurisdiction {like!r}; there are: {', '.join(known)}")
    rules = to_builtins(known[like]) if like in known else {}
    return {name: rule for name, rule in rules.items() if name != "why"}


def check_default(default: str, known: Collection[str]) -> None:
    """Raise InvalidField for a default jurisdiction that has no block."""
    if default and default not in known:
        raise InvalidField("jurisdiction", f"add a block [jurisdictions.{default}]")


def deposit_question_of(jurisdiction: JurisdictionConfig) -> DepositQuestion:
    """Return how a jurisdiction asks for deposit limits."""
    return DepositQuestion(bool(jurisdiction.ask_deposit_limit), jurisdiction.ask_again_months or 0)


def help_of(jurisdiction: JurisdictionConfig, otherwise: ResponsibleGamingConfig) -> Help:
    """Return the help of a jurisdiction, completed from the block `responsible_gaming`."""
    age, policy, helplines = jurisdiction.minimum_age, jurisdiction.policy, jurisdiction.helplines
    return Help(
        otherwise.minimum_age if age is None else age,
        otherwise.policy if policy is None else policy,
        otherwise.helplines if helplines is None else helplines,
    )
