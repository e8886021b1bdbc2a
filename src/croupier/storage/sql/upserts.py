"""Statements that add a row or replace the one with its key."""

from collections.abc import Sequence


def upsert(table: str, columns: Sequence[str], key: Sequence[str] = ()) -> str:
    """Return the statement for values of `columns`; the key is the first column unless given."""
    key = key or columns[:1]
    changes = ", ".join(f"{column} = excluded.{column}" for column in columns if column not in key)
    marks = ", ".join("?" * len(columns))
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks}) "  # noqa: S608 - names from code
        f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}"
    )
