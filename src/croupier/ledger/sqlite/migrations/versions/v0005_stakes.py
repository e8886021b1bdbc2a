"""The opening order of rounds, since one entry of stakes can open many."""

from alembic import op

revision = "0005"
down_revision = "0004"

MOVE = """INSERT INTO round_new SELECT id, player, table_id, currency, number, started_ms, ended_ms, status,
    staked_minor, returned_minor, opened_seq, ended_seq, opened_seq * 1048576, '[]' FROM round"""


def upgrade() -> None:
    """Move the rounds into a new table, since SQLite can't change a primary key."""
    op.execute(
        """CREATE TABLE round_new (
            id TEXT NOT NULL,
            player TEXT NOT NULL,
            table_id TEXT NOT NULL,
            currency TEXT NOT NULL,
            number TEXT NOT NULL,
            started_ms INTEGER NOT NULL,
            ended_ms INTEGER NOT NULL,
            status TEXT NOT NULL,
            staked_minor INTEGER NOT NULL,
            returned_minor INTEGER NOT NULL,
            opened_seq INTEGER NOT NULL REFERENCES journal (seq),
            ended_seq INTEGER NOT NULL,
            place INTEGER NOT NULL PRIMARY KEY,
            stakes TEXT NOT NULL,
            CONSTRAINT round_id UNIQUE (id),
            CONSTRAINT round_status CHECK (status IN ('open', 'settled', 'void'))
        ) STRICT"""
    )
    op.execute(MOVE)
    op.execute("DROP TABLE round")
    op.execute("ALTER TABLE round_new RENAME TO round")
    op.execute("CREATE UNIQUE INDEX round_open ON round (player, table_id) WHERE status = 'open'")
    op.execute("CREATE INDEX round_by_player ON round (player, opened_seq, started_ms)")
