"""Run by Alembic: execute the steps over the connection that `upgrade` made, one server at a time."""

from alembic import context
from sqlalchemy import text

LOCK = text("SELECT pg_advisory_xact_lock(7262931)")

connection = context.config.attributes["connection"]
context.configure(connection=connection)
with context.begin_transaction():
    connection.execute(LOCK)
    context.run_migrations()
