"""The index of open rounds in opening order: it grows at one end, and a coup removes neighbours."""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Drop the unique index: the writer and the audit enforce one open round per player and table."""
    op.execute("DROP INDEX round_open")
    op.execute("CREATE INDEX round_open ON round (opened_seq) WHERE status = 'open'")
