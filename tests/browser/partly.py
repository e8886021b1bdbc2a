"""What takes long: `make test` tries some of it, `make campaign` the rest."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def partly(cases: Iterable[tuple[Any, ...]], now: Collection[Any]) -> list[Any]:
    """For parametrize: cases whose first argument isn't among `now` wait for the campaign."""
    return [pytest.param(*case, marks=() if case[0] in now else pytest.mark.campaign) for case in cases]
