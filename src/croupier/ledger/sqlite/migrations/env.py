"""Run by Alembic: execute the steps over the connection that `upgrade` made."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
