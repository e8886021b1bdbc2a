"""Databases by their place: a path is an SQLite file, a URL a PostgreSQL database."""

import re
import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path

from croupier.ledger.protocol import DatabaseUnusable

FORM = re.compile(r"postgres(?:ql)?://(?:[^@/?#]*@)?(?P<host>[\w.:,%\[\]-]*)/(?P<name>[\w.%-]+)(?:\?[^#]*)?")


@dataclass(frozen=True, slots=True, repr=False)
class PostgresqlUrl:
    """The URL of a PostgreSQL database; shown without user, password and options."""

    text: str

    def __str__(self) -> str:
        parts = FORM.fullmatch(self.text)
        return f"postgresql://{parts['host']}/{parts['name']}" if parts else "postgresql:"

    def __repr__(self) -> str:
        return str(self)


Database = Path | PostgresqlUrl


def postgresql_url(text: str) -> PostgresqlUrl:
    """Return the URL; DatabaseUnusable, without its text, which may have a password, if it isn't one."""
    if not FORM.fullmatch(text):
        raise DatabaseUnusable("the database isn't of the form postgresql://USER@HOST/NAME")
    return PostgresqlUrl(text)


def database_errors() -> tuple[type[Exception], ...]:
    """Return the errors of the stores that have been imported."""
    psycopg = sys.modules.get("psycopg")
    return (sqlite3.Error, psycopg.Error) if psycopg else (sqlite3.Error,)


def is_sqlite_error(error: object) -> bool:
    return isinstance(error, sqlite3.Error)
