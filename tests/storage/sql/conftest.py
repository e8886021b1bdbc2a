"""Databases of all kinds, for tests of the repositories."""

from pathlib import Path

import pytest

from croupier.app.serve import DATABASE
from croupier.ledger.sql.databases import Database, PostgresqlUrl


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """The place of a new database, of each store."""
    if request.param == "sqlite":
        return tmp_path / DATABASE
    url: PostgresqlUrl = request.getfixturevalue("postgresql")
    return url
