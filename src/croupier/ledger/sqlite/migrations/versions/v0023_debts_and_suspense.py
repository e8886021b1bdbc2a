"""The database itself forbids negative accounts of money in suspense, and positive ones of debts."""

from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Move the accounts into a new table, since SQLite can't change a constraint."""
    op.execute(
        """CREATE TABLE account_new (
            id INTEGER NOT NULL PRIMARY KEY,
            owner TEXT NOT NULL,
            kind TEXT NOT NULL,
            currency TEXT NOT NULL,
            balance_minor INTEGER NOT NULL,
            balance_high INTEGER DEFAULT '0' NOT NULL,
            CONSTRAINT account_of UNIQUE (owner, kind, currency),
            CONSTRAINT account_never_negative CHECK (
                balance_minor >= 0 OR kind NOT IN ('cash', 'bonus', 'in_play', 'withdrawing', 'owed')),
            CONSTRAINT suspense_never_negative CHECK (balance_minor >= 0 OR kind <> 'suspense'),
            CONSTRAINT debt_never_positive CHECK (balance_minor <= 0 OR kind <> 'debt')
        ) STRICT"""
    )
    columns = "id, owner, kind, currency, balance_minor, balance_high"
    op.execute(f"INSERT INTO account_new ({columns}) SELECT {columns} FROM account")  # noqa: S608
    op.execute("DROP TABLE account")
    op.execute("ALTER TABLE account_new RENAME TO account")
