"""Each player's training record, which compares their decisions with the best ones."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "training",
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("record", sa.Text, nullable=False),
        sqlite_strict=True,
    )
