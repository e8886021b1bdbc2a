"""Tests of speculation run once, with all of it."""

import pytest


@pytest.fixture
def speculate() -> None:
    """All speculation, as by default."""
