"""Tables that speculate."""

import pytest


@pytest.fixture
def speculate() -> None:
    """All speculation, as by default."""
