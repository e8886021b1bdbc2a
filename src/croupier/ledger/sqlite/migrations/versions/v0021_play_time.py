"""The time that players were connected: it counts over sessions, devices, nodes and restarts."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "play_time",
        sa.Column("player", sa.Text, primary_key=True, nullable=False),
        sa.Column("began_ms", sa.Integer, primary_key=True, nullable=False),
        sa.Column("ended_ms", sa.Integer, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
