"""An index to find a player's deposits since a time without scanning all their entries."""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.execute("CREATE INDEX journal_deposits ON journal (player, at_ms) WHERE kind = 'deposit'")
