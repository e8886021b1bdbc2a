"""What a player has deposited since a time is found without leafing through all that he did."""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.execute("CREATE INDEX journal_deposits ON journal (player, at_ms) WHERE kind = 'deposit'")
