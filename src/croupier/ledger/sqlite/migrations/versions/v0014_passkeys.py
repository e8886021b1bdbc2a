"""Passkeys of players and staff."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "passkey",
        sa.Column("id", sa.Text, primary_key=True, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("public_key", sa.Text, nullable=False),
        sa.Column("sign_count", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("added_ms", sa.Integer, nullable=False),
        sa.Column("used_ms", sa.Integer, nullable=False),
        sa.CheckConstraint("kind IN ('player', 'staff')", name="passkey_kind"),
        sa.Index("passkey_by_owner", "kind", "owner"),
        sqlite_strict=True,
    )
