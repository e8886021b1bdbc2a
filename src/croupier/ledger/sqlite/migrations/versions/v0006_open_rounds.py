"""The index of open rounds in the order of opening: it grows at one end, and a coup takes a run away."""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """That a player has one open round at a table is from now on the writer's to hold, and the audit's."""
    op.execute("DROP INDEX round_open")
    op.execute("CREATE INDEX round_open ON round (opened_seq) WHERE status = 'open'")
