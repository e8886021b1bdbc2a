"""The start of the server imports no heavy module that its configuration doesn't need."""

import subprocess
import sys
from pathlib import Path

from croupier.ledger.sqlite.migrations import upgrade

NOT_AT_START = (
    *("alembic", "asyncpg", "jinja2", "markdown_it", "nats", "numba", "numpy", "opentelemetry", "psycopg"),
    *("croupier.app.documents.asyncapi", "croupier.app.documents.openapi", "croupier.app.documents.page"),
    "croupier.ledger.postgresql",
)
"""Modules of other databases, of several servers, of traces and of pages that are requested later."""
START = """
import sys
from pathlib import Path
import croupier.cli.main, croupier.app.serve
from croupier.ledger.stores import open_ledger

open_ledger(Path(sys.argv[1])).close()
print(*sys.modules)
"""


def test_the_start_with_an_existing_database_imports_no_heavy_module(tmp_path: Path) -> None:
    path = tmp_path / "croupier.db"
    upgrade(path)
    started = subprocess.run([sys.executable, "-c", START, path], capture_output=True, text=True, check=True)
    imported = started.stdout.split()
    assert "croupier.app.site" in imported
    assert [name for name in NOT_AT_START if name in imported] == []
