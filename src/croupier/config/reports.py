"""The block `reports` of the configuration file."""

from collections.abc import Mapping
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from croupier.play.tables.toml_blocks import InvalidField, check_known, convert, fields


class ReportsConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The block `reports`."""

    time_zone: str = "UTC"
    """The time zone in which the days of reports begin and end, such as `Europe/Berlin`."""

    @property
    def zone(self) -> tzinfo:
        """The time zone; UTC needs no database of time zones."""
        return UTC if self.time_zone == "UTC" else ZoneInfo(self.time_zone)


def read_reports(block: Mapping[str, Any], _beside: Path) -> ReportsConfig:
    check_known(block, fields(ReportsConfig))
    config = convert(block, ReportsConfig)
    try:
        _ = config.zone
    except (LookupError, ValueError, OSError):
        raise InvalidField(
            "time_zone", f'{config.time_zone!r} is unknown here; write a time zone such as "Europe/Berlin"'
        ) from None
    return config
