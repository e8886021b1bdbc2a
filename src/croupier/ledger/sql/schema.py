"""The ledger's tables, for the infrequent queries; migrations create them and the triggers that protect them.

The journal is authoritative. The writer derives `posting`, `account`, `round` and `wallet_call` from
it, and the audit derives them again.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

METADATA = MetaData()

INTEGER = BigInteger().with_variant(Integer(), "sqlite")
"""64 bits in both stores: the other's name of the type is unknown to one, and too short in the other."""

DEPOSITS = text("journal.kind = 'deposit'")
"""Spelled out like OPEN, so that SQLite uses the partial index."""

journal = Table(
    "journal",
    METADATA,
    Column("seq", INTEGER, primary_key=True),
    Column("key", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("at_ms", INTEGER, nullable=False),
    Column("player", Text, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("round", Text, nullable=False),
    Column("moves", Text, nullable=False),
    Column("shares", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("key", name="journal_key"),
    Index("journal_by_player", "player"),
    Index("journal_deposits", "player", "at_ms", sqlite_where=text("kind = 'deposit'")),
    sqlite_strict=True,
)

account = Table(
    "account",
    METADATA,
    Column("id", INTEGER, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("currency", Text, nullable=False),
    Column("balance_minor", INTEGER, nullable=False),
    Column("balance_high", INTEGER, nullable=False, server_default="0"),
    UniqueConstraint("owner", "kind", "currency", name="account_of"),
    CheckConstraint(
        "balance_minor >= 0 OR kind NOT IN ('cash', 'bonus', 'in_play', 'withdrawing', 'owed')",
        name="account_never_negative",
    ),
    CheckConstraint("balance_minor >= 0 OR kind <> 'suspense'", name="suspense_never_negative"),
    CheckConstraint("balance_minor <= 0 OR kind <> 'debt'", name="debt_never_positive"),
    sqlite_strict=True,
)

posting = Table(
    "posting",
    METADATA,
    Column("seq", ForeignKey("journal.seq"), primary_key=True),
    Column("account_id", ForeignKey("account.id"), primary_key=True),
    Column("amount_minor", INTEGER, nullable=False),
    Column("balance_minor", INTEGER, nullable=False),
    Column("amount_high", INTEGER, nullable=False, server_default="0"),
    Column("balance_high", INTEGER, nullable=False, server_default="0"),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""`amount_minor` is signed; `balance_minor` is the balance after it. For `..._high` see `wide_amounts`.

A coup posts the table's win and what each player is paid; what it takes from `in_play` is in its shares.
"""

OPEN = text("status = 'open'")
"""Spelled out, not bound, so that SQLite uses the partial index of open rounds."""

LONG_ROUND_MS = 900_000
LONG = text("ended_ms > started_ms + 900000")
"""Rounds that began long before they ended, which are few; spelled out like OPEN."""

round_ = Table(
    "round",
    METADATA,
    Column("id", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("table_id", Text, nullable=False),
    Column("currency", Text, nullable=False),
    Column("number", Text, nullable=False),
    Column("started_ms", INTEGER, nullable=False),
    Column("ended_ms", INTEGER, nullable=False),
    Column("status", Text, nullable=False),
    Column("staked_minor", INTEGER, nullable=False),
    Column("returned_minor", INTEGER, nullable=False),
    Column("opened_seq", ForeignKey("journal.seq"), nullable=False),
    Column("ended_seq", INTEGER, nullable=False),
    Column("place", INTEGER, primary_key=True),
    Column("stakes", Text, nullable=False),
    UniqueConstraint("id", name="round_id"),
    CheckConstraint("status IN ('open', 'settled', 'void')", name="round_status"),
    Index("round_open", "opened_seq", sqlite_where=OPEN),
    Index("round_long", "player", "ended_ms", sqlite_where=LONG),
    Index("round_by_player", "player", "opened_seq", "started_ms"),
    sqlite_strict=True,
)

wallet_call = Table(
    "wallet_call",
    METADATA,
    Column("transaction_id", Text, primary_key=True, nullable=False),
    Column("opened_seq", INTEGER, nullable=False),
    Column("state", Text, nullable=False),
    sqlite_strict=True,
)
"""The open calls to an operator's wallet, which the writer derives from the journal too."""

meta = Table(
    "meta",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)
"""`head` is the journal's last seq and hash, which shows if the journal is cut short."""
