"""Changes that a second member of staff approves, and indexes by which staff find players."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "approval",
        sa.Column("id", sa.Text, primary_key=True, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("amount_minor", sa.Integer, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("asked_by", sa.Text, nullable=False),
        sa.Column("asked_ms", sa.Integer, nullable=False),
        sa.Column("expires_ms", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("decided_by", sa.Text, nullable=False),
        sa.Column("decided_ms", sa.Integer, nullable=False),
        sa.CheckConstraint("decided_by <> asked_by", name="approval_by_another"),
        sa.Index("approval_waiting", "expires_ms", sqlite_where=sa.text("state = 'waiting'")),
        sa.Index("approval_by_player", "player"),
        sqlite_strict=True,
    )
    op.create_index("player_by_age", "player", ["created_ms", "id"])
    op.execute("CREATE INDEX player_by_name ON player (lower(name))")
