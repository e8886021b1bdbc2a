"""Recent attempts to sign in, by the hash of a name, a player or an address."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "attempt",
        sa.Column("key", sa.Text, primary_key=True, nullable=False),
        sa.Column("times", sa.Text, nullable=False),
        sa.Column("until_ms", sa.Integer, nullable=False),
        sa.Index("attempt_until", "until_ms"),
        sqlite_strict=True,
    )
