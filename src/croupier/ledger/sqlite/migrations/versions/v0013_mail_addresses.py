"""Verified e-mail addresses of accounts, and the tokens sent to addresses."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "mail_address",
        sa.Column("player", sa.Text, sa.ForeignKey("player.id"), primary_key=True, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("verified_ms", sa.Integer, nullable=False),
        sa.UniqueConstraint("address", name="mail_address_unique"),
        sqlite_strict=True,
    )
    op.create_table(
        "mail_token",
        sa.Column("player", sa.Text, sa.ForeignKey("player.id"), primary_key=True, nullable=False),
        sa.Column("purpose", sa.Text, primary_key=True, nullable=False),
        sa.Column("token_sha256", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("expires_ms", sa.Integer, nullable=False),
        sa.UniqueConstraint("token_sha256", name="mail_token_unique"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
