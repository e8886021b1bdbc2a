"""Error messages for a database that can't be opened, instead of tracebacks."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.cli.output import refuse
from croupier.cluster.bus import BusUnavailable
from croupier.extras import MODULES
from croupier.ledger.protocol import DatabaseLocked, DatabaseUnreachable, DatabaseUnusable, LedgerBroken
from croupier.ledger.sql.databases import database_errors, is_sqlite_error

OPTIONAL = {module for modules in MODULES.values() for module in modules}
NO_SUCH_TABLE = "42P01"
"""PostgreSQL's code of the error."""


@contextmanager
def report_problems(data: Path) -> Iterator[None]:
    """Exit with status 2 and one sentence if the database in the folder `data` can't be used."""
    try:
        yield
    except (DatabaseUnusable, LedgerBroken, DatabaseLocked, BusUnavailable) as error:
        refuse(_line(error))
    except ModuleNotFoundError as error:
        if error.name not in OPTIONAL:
            raise
        refuse(str(error))
    except OSError as error:
        refuse(f"{error.filename or data} can't be used: {error.strerror or error}")
    except Exception as error:
        cause = _cause(error)
        if not isinstance(cause, database_errors()):
            raise
        if not is_sqlite_error(cause):
            refuse(_postgresql_problem(cause))
        refuse(f"the database in {data} can't be read ({_line(cause)}); see `croupier verify --data {data}`")


def _cause(error: Exception) -> BaseException:
    """Return the database's own error, which SQLAlchemy or the ledger wraps."""
    if isinstance(error, DatabaseUnreachable):
        return error.__cause__ or error
    cause: BaseException = getattr(error, "orig", error)
    return cause


def _postgresql_problem(error: BaseException) -> str:
    if getattr(error, "sqlstate", None) == NO_SUCH_TABLE:
        return f"the PostgreSQL database lacks tables, which `croupier migrate` creates ({_line(error)})"
    return f"the PostgreSQL database can't be used ({_line(error)})"


def _line(error: object) -> str:
    """Return an error's text in one line; PostgreSQL's have several."""
    return " ".join(str(error).split())
