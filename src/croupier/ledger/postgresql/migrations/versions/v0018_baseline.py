"""All tables: the schema of SQLite databases at revision 0018.

Texts compare byte by byte, as in SQLite. The journal and its postings can't be changed. Postings and rounds
have no foreign keys, whose checks would cost more than the rows: the writer derives them, the audit compares.
"""

import secrets
from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from croupier.ledger.chain import START

revision = "0018"
down_revision = None

FILLFACTOR = 80
"""Room in a page, so that a changed balance or round stays in it, and indexes needn't be written."""
APPEND_ONLY = """CREATE FUNCTION forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% is append only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
    END $$"""
NEVER_NEGATIVE = "balance_minor >= 0 OR kind NOT IN ('cash', 'bonus', 'in_play', 'withdrawing', 'owed')"


def upgrade() -> None:
    _journal()
    _accounts()
    _rounds()
    _players()
    _identities()
    _payments()
    _staff()
    _chat()
    op.create_table("lease", *_text("table_id", "owner"), *_number("epoch", "expires_ms"), _key("table_id"))
    _append_only()


def _text(*names: str) -> Sequence[sa.Column[str]]:
    return [sa.Column(name, sa.Text(collation="C"), nullable=False) for name in names]


def _number(*names: str) -> Sequence[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger, nullable=False, autoincrement=False) for name in names]


def _key(*names: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*names)


def _filled(table: str) -> None:
    op.execute(f"ALTER TABLE {table} SET (fillfactor = {FILLFACTOR})")


def _journal() -> None:
    op.create_table(
        "journal",
        *_number("seq"),
        *_text("key", "kind"),
        *_number("at_ms"),
        *_text("player", "table_id", "round", "moves", "shares", "body"),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        _key("seq"),
        sa.UniqueConstraint("key", name="journal_key"),
        sa.Index("journal_by_player", "player"),
        sa.Index("journal_deposits", "player", "at_ms", postgresql_where=sa.text("kind = 'deposit'")),
    )
    meta = op.create_table("meta", *_text("key", "value"), _key("key"))
    rows = {"head": str(START), "database": secrets.token_hex(16)}
    op.bulk_insert(meta, [{"key": key, "value": value} for key, value in rows.items()])
    op.create_table(
        "wallet_call",
        *_text("transaction_id"),
        *_number("opened_seq"),
        *_text("state"),
        _key("transaction_id"),
    )


def _accounts() -> None:
    op.create_table(
        "account",
        *_number("id"),
        *_text("owner", "kind", "currency"),
        *_number("balance_minor"),
        _key("id"),
        sa.UniqueConstraint("owner", "kind", "currency", name="account_of"),
        sa.CheckConstraint(NEVER_NEGATIVE, name="account_never_negative"),
    )
    _filled("account")
    op.create_table(
        "posting",
        *_number("seq", "account_id", "amount_minor", "balance_minor"),
        _key("seq", "account_id"),
    )


def _rounds() -> None:
    op.create_table(
        "round",
        *_text("id", "player", "table_id", "currency", "number"),
        *_number("started_ms", "ended_ms"),
        *_text("status"),
        *_number("staked_minor", "returned_minor", "opened_seq", "ended_seq", "place"),
        *_text("stakes"),
        _key("place"),
        sa.UniqueConstraint("id", name="round_id"),
        sa.CheckConstraint("status IN ('open', 'settled', 'void')", name="round_status"),
        sa.Index("round_open", "opened_seq", postgresql_where=sa.text("status = 'open'")),
        sa.Index(
            "round_long", "player", "ended_ms", postgresql_where=sa.text("ended_ms > started_ms + 900000")
        ),
        sa.Index("round_by_player", "player", "opened_seq", "started_ms"),
    )
    _filled("round")


def _players() -> None:
    op.create_table(
        "player",
        *_text("id", "name"),
        *_number("created_ms"),
        *_text("settings_json"),
        _key("id"),
        sa.Index("player_by_age", "created_ms", "id"),
    )
    op.execute("CREATE INDEX player_by_name ON player (lower(name))")
    op.create_table(
        "session",
        *_text("token_sha256", "player"),
        *_number("created_ms", "seen_ms"),
        *_text("device"),
        *_number("signed_in_ms", "active_ms"),
        _key("token_sha256"),
        sa.ForeignKeyConstraint(["player"], ["player.id"]),
        sa.Index("session_by_player", "player"),
    )
    op.create_table("training", *_text("player", "record"), _key("player"))


def _identities() -> None:
    op.create_table(
        "identity",
        *_text("player", "kind", "name", "password"),
        *_number("added_ms"),
        _key("player"),
        sa.ForeignKeyConstraint(["player"], ["player.id"]),
        sa.UniqueConstraint("kind", "name", name="identity_name"),
    )
    op.create_table(
        "mail_address",
        *_text("player", "address"),
        *_number("verified_ms"),
        _key("player"),
        sa.ForeignKeyConstraint(["player"], ["player.id"]),
        sa.UniqueConstraint("address", name="mail_address_unique"),
    )
    op.create_table(
        "mail_token",
        *_text("player", "purpose", "token_sha256", "address"),
        *_number("expires_ms"),
        _key("player", "purpose"),
        sa.ForeignKeyConstraint(["player"], ["player.id"]),
        sa.UniqueConstraint("token_sha256", name="mail_token_unique"),
    )
    op.create_table(
        "passkey",
        *_text("id", "kind", "owner", "public_key"),
        *_number("sign_count"),
        *_text("name"),
        *_number("added_ms", "used_ms"),
        _key("id"),
        sa.CheckConstraint("kind IN ('player', 'staff')", name="passkey_kind"),
        sa.Index("passkey_by_owner", "kind", "owner"),
    )


def _payments() -> None:
    op.create_table(
        "payment",
        *_text("id", "player", "direction", "currency"),
        *_number("amount_minor", "created_ms", "expires_ms"),
        *_text("state"),
        *_number("changed_ms", "moved_minor"),
        *_text("redirect", "reason"),
        *_number("due_ms", "attempts"),
        _key("id"),
        sa.Index("payment_by_player", "player", "created_ms"),
        sa.Index("payment_due", "due_ms", postgresql_where=sa.text("due_ms > 0")),
    )


def _staff() -> None:
    op.create_table(
        "staff",
        *_text("name", "role", "code_sha256"),
        *_number("added_ms"),
        _key("name"),
        sa.CheckConstraint("role IN ('dealer', 'manager')", name="staff_role"),
    )
    op.create_table(
        "staff_sign_in",
        *_text("name"),
        *_number("issued_ms"),
        *_text("secret"),
        *_number("step"),
        _key("name"),
    )
    op.create_table(
        "approval",
        *_text("id", "kind", "player", "currency"),
        *_number("amount_minor"),
        *_text("reason", "asked_by"),
        *_number("asked_ms", "expires_ms"),
        *_text("state", "decided_by"),
        *_number("decided_ms"),
        _key("id"),
        sa.CheckConstraint("decided_by <> asked_by", name="approval_by_another"),
        sa.Index("approval_waiting", "expires_ms", postgresql_where=sa.text("state = 'waiting'")),
        sa.Index("approval_by_player", "player"),
    )


def _chat() -> None:
    op.create_table(
        "chat",
        sa.Column("seq", sa.BigInteger, sa.Identity(), primary_key=True),
        *_text("table_id"),
        *_number("at_ms"),
        *_text("what", "note"),
        sa.Index("chat_by_table", "table_id", "seq"),
        sa.Index("chat_muted", "table_id", postgresql_where=sa.text("what = 'Muted'")),
    )


def _append_only() -> None:
    op.execute(APPEND_ONLY)
    for table in ("journal", "posting"):
        op.execute(
            f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "EXECUTE FUNCTION forbid_change()"
        )
