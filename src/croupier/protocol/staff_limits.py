"""Limits of a table, as managers see and change them."""

from typing import Annotated

from msgspec import Meta, Struct


class LimitRange(Struct, frozen=True, forbid_unknown_fields=True):
    """Smallest and largest stake."""

    min_minor: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    max_minor: Annotated[int, Meta(ge=1, le=2**53 - 1)]


class CurrencyLimitRanges(Struct, frozen=True):
    """Limits of a table in one currency."""

    currency: str
    span: LimitRange
    """Smallest to largest stake of any main bet, as shown in the lobby."""
    main: LimitRange
    side: LimitRange | None
    kinds: dict[str, LimitRange]
    """Limits of those kinds of bets that have their own."""
    table: LimitRange | None
    """Limits on a player's total stake in a round."""
