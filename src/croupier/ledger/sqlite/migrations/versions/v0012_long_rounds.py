"""An index of the few rounds that lasted long, so that a page of a statement reads no others."""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.execute("CREATE INDEX round_long ON round (player, ended_ms) WHERE ended_ms > started_ms + 900000")
