"""Names and passwords of players who aren't guests, and the devices of sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "identity",
        sa.Column("player", sa.Text, sa.ForeignKey("player.id"), primary_key=True, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("added_ms", sa.Integer, nullable=False),
        sa.UniqueConstraint("kind", "name", name="identity_name"),
        sqlite_strict=True,
    )
    for column in ("device TEXT NOT NULL DEFAULT ''", "signed_in_ms", "active_ms"):
        definition = column if " " in column else f"{column} INTEGER NOT NULL DEFAULT 0"
        op.execute(f"ALTER TABLE session ADD COLUMN {definition}")
    op.execute("UPDATE session SET signed_in_ms = created_ms, active_ms = max(created_ms, seen_ms)")
