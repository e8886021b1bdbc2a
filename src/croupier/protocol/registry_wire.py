"""Messages to and from an external self-exclusion registry."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.accounts.responsible_gaming import PERMANENT_MS

Occasion = Literal["account", "sign_in", "deposit"]


class RegistryQuestion(Struct, frozen=True):
    """A question whether a person is listed. `subject` is a pseudonym of the account's name."""

    subject: str
    occasion: Occasion


class RegistryAnswer(Struct, frozen=True):
    """The answer of the exclusion registry.

    `until_ms`: end of the listing; None: it has none.
    """

    excluded: bool
    until_ms: Annotated[int, Meta(ge=0, le=PERMANENT_MS)] | None = None
