"""Open calls to an operator's wallet, and accounts of money owed to it, which can't be negative either."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    _accounts()
    op.create_table(
        "wallet_call",
        sa.Column("transaction_id", sa.Text, primary_key=True, nullable=False),
        sa.Column("opened_seq", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sqlite_strict=True,
    )


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
                balance_minor >= 0 OR kind NOT IN ('cash', 'bonus', 'in_play', 'withdrawing', 'owed'))
        ) STRICT"""
    )
    op.execute("INSERT INTO account_new SELECT id, owner, kind, currency, balance_minor FROM account")
    op.execute("DROP TABLE account")
    op.execute("ALTER TABLE account_new RENAME TO account")
