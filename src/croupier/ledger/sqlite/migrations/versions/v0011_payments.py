"""Payments, and accounts of money that is being withdrawn, which can't be negative either."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    _accounts()
    op.create_table(
        "payment",
        sa.Column("id", sa.Text, primary_key=True, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("direction", sa.Text, nullable=False),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("amount_minor", sa.Integer, nullable=False),
        sa.Column("created_ms", sa.Integer, nullable=False),
        sa.Column("expires_ms", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("changed_ms", sa.Integer, nullable=False),
        sa.Column("moved_minor", sa.Integer, nullable=False),
        sa.Column("redirect", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("due_ms", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("payment_by_player", "payment", ["player", "created_ms"])
    op.create_index("payment_due", "payment", ["due_ms"], sqlite_where=sa.text("due_ms > 0"))


def _accounts() -> None:
    """Move the accounts into a new table, since SQLite can't change a constraint."""
    op.execute(
        """CREATE TABLE account_new (
            id INTEGER NOT NULL PRIMARY KEY,
            owner TEXT NOT NULL,
            kind TEXT NOT NULL,
            currency TEXT NOT NULL,
            balance_minor INTEGER NOT NULL,
            CONSTRAINT account_of UNIQUE (owner, kind, currency),
            CONSTRAINT account_never_negative CHECK (
                balance_minor >= 0 OR kind NOT IN ('cash', 'bonus', 'in_play', 'withdrawing'))
        ) STRICT"""
    )
    op.execute("INSERT INTO account_new SELECT id, owner, kind, currency, balance_minor FROM account")
    op.execute("DROP TABLE account")
    op.execute("ALTER TABLE account_new RENAME TO account")
