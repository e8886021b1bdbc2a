"""Leases of live tables."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "lease",
        sa.Column("table_id", sa.Text, primary_key=True, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("expires_ms", sa.Integer, nullable=False),
        sqlite_strict=True,
    )
