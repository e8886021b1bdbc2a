"""The time that players were connected: it counts over sessions, devices, nodes and restarts."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "play_time",
        sa.Column("player", sa.Text(collation="C"), primary_key=True, nullable=False),
        sa.Column("began_ms", sa.BigInteger, primary_key=True, nullable=False, autoincrement=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
    )
