"""Long parametrized tests: `make test` runs some cases, `make campaign` the rest."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def partly(cases: Iterable[tuple[Any, ...]], now: Collection[Any]) -> list[Any]:
    """Return parameters whose cases outside `now` run in the campaign only."""
    return [pytest.param(*case, marks=() if case[0] in now else pytest.mark.campaign) for case in cases]
