"""The blocks of the jurisdictions in the server configuration file: where their players find help."""

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from msgspec import Struct

from croupier.config.blocks import (
    HelplineConfig,
    Helplines,
    MinimumAge,
    PolicyAddress,
    ResponsibleGamingConfig,
)
from croupier.play.tables.toml_blocks import InvalidField, InvalidFile, check_known, convert, fields

JURISDICTION_BLOCKS = "jurisdictions"
_CODE = re.compile(r"[A-Z]{2}(-[A-Z0-9]{1,3})?")


class JurisdictionConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A block `jurisdictions.CODE`. Omitted fields are those of the block `responsible_gaming`."""

    minimum_age: MinimumAge | None = None
    policy: PolicyAddress | None = None
    helplines: Helplines | None = None


class Help(NamedTuple):
    """Help for players of a jurisdiction, and the age that they must have."""

    minimum_age: int
    policy: str
    helplines: tuple[HelplineConfig, ...]


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
        check_known(block, fields(JurisdictionConfig))
        return convert(block, JurisdictionConfig)
    except InvalidField as error:
        raise InvalidField(error.field, str(error), code) from None


def check_default(default: str, known: Collection[str], file: str) -> None:
    """Raise InvalidFile for a default jurisdiction that has no block."""
    if default and default not in known:
        raise InvalidFile(f"{file}: [responsible_gaming] jurisdiction: add a block [jurisdictions.{default}]")


def help_of(jurisdiction: JurisdictionConfig, otherwise: ResponsibleGamingConfig) -> Help:
    """Return the help of a jurisdiction, completed from the block `responsible_gaming`."""
    age, policy, helplines = jurisdiction.minimum_age, jurisdiction.policy, jurisdiction.helplines
    return Help(
        otherwise.minimum_age if age is None else age,
        otherwise.policy if policy is None else policy,
        otherwise.helplines if helplines is None else helplines,
    )
