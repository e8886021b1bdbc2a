"""The tables' chat and its moderation, kept for a limited time and not part of the ledger."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "chat",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("at_ms", sa.Integer, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("chat_by_table", "chat", ["table_id", "seq"])
    op.create_index("chat_muted", "chat", ["table_id"], sqlite_where=sa.text("what = 'Muted'"))
