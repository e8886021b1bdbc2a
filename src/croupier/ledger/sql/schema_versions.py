"""Versions of a database's schema, and Alembic's steps between them. Each store has its own steps."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Engine
from sqlalchemy.exc import DatabaseError

from croupier.ledger.protocol import DatabaseUnusable

if TYPE_CHECKING:
    from alembic.config import Config


class SchemaStep(NamedTuple):
    """A step to a version, and what it adds."""

    version: str
    adds: str


class Migration(NamedTuple):
    """A database's version (empty: it has no tables), the program's, and the steps between them."""

    current: str
    target: str
    steps: tuple[SchemaStep, ...]


def newest_version(scripts: Path) -> str:
    """Return the newest version among the steps in a folder, without importing Alembic, which is slow."""
    return max(step.stem[1:5] for step in (scripts / "versions").glob("v*.py"))


def needed_migration(scripts: Path, engine: Engine) -> Migration:
    """Return what brings a database to the newest version; CommandError if the steps don't know its own."""
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    with engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision() or ""
    found = ScriptDirectory.from_config(_config(scripts)).walk_revisions(current or "base", "head")
    steps = (SchemaStep(step.revision, step.doc.partition("\n")[0]) for step in found)
    lacking = (step for step in steps if step.version != current)
    return Migration(current, newest_version(scripts), tuple(lacking)[::-1])


def execute_steps(scripts: Path, engine: Engine, version: str) -> None:
    """Bring a database to a version."""
    from alembic import command

    config = _config(scripts)
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)


@contextmanager
def migration_errors(database: object, problem: str) -> Iterator[None]:
    """Raise DatabaseUnusable for errors of Alembic and of the database; `problem` takes their text."""
    from alembic.util import CommandError

    try:
        yield
    except CommandError as error:
        raise DatabaseUnusable(
            f"{database} was written by a newer version of croupier ({error}); open it with that version"
        ) from error
    except DatabaseError as error:
        raise DatabaseUnusable(f"{database} {problem.format(error.orig)}") from error


def _config(scripts: Path) -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    return config
