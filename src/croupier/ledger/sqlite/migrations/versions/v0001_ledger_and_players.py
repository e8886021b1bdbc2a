"""The first tables: the ledger's, and players with their sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    _journal()
    _accounts()
    _rounds()
    _players()
    for table in ("journal", "posting"):
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append only'); END"
            )


def _journal() -> None:
    op.create_table(
        "journal",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("at_ms", sa.Integer, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("round", sa.Text, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("shares", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("key", name="journal_key"),
        sqlite_strict=True,
    )
    op.create_index("journal_by_player", "journal", ["player"])
    op.create_table(
        "meta",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _accounts() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("balance_minor", sa.Integer, nullable=False),
        sa.UniqueConstraint("owner", "kind", "currency", name="account_of"),
        sa.CheckConstraint(
            "balance_minor >= 0 OR kind NOT IN ('cash', 'bonus', 'in_play')", name="account_never_negative"
        ),
        sqlite_strict=True,
    )
    op.create_table(
        "posting",
        sa.Column("seq", sa.Integer, sa.ForeignKey("journal.seq"), primary_key=True),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id"), primary_key=True),
        sa.Column("amount_minor", sa.Integer, nullable=False),
        sa.Column("balance_minor", sa.Integer, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _rounds() -> None:
    op.create_table(
        "round",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("number", sa.Text, nullable=False),
        sa.Column("started_ms", sa.Integer, nullable=False),
        sa.Column("ended_ms", sa.Integer, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("staked_minor", sa.Integer, nullable=False),
        sa.Column("returned_minor", sa.Integer, nullable=False),
        sa.Column("opened_seq", sa.Integer, sa.ForeignKey("journal.seq"), primary_key=True),
        sa.Column("ended_seq", sa.Integer, nullable=False),
        sa.UniqueConstraint("id", name="round_id"),
        sa.CheckConstraint("status IN ('open', 'settled', 'void')", name="round_status"),
        sqlite_strict=True,
    )
    open_only = sa.text("status = 'open'")
    op.create_index("round_open", "round", ["player", "table_id"], unique=True, sqlite_where=open_only)
    op.create_index("round_by_player", "round", ["player", "opened_seq", "started_ms"])


def _players() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.Text, primary_key=True, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_ms", sa.Integer, nullable=False),
        sa.Column("settings_json", sa.Text, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "session",
        sa.Column("token_sha256", sa.Text, primary_key=True, nullable=False),
        sa.Column("player", sa.Text, sa.ForeignKey("player.id"), nullable=False),
        sa.Column("created_ms", sa.Integer, nullable=False),
        sa.Column("seen_ms", sa.Integer, nullable=False),
        sqlite_strict=True,
    )
    op.create_index("session_by_player", "session", ["player"])
