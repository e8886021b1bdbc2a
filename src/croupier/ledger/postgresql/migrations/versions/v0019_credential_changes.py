"""The last change of each player's credentials, after which withdrawals are held for a while."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "credential_change",
        sa.Column("player", sa.Text(collation="C"), primary_key=True, nullable=False),
        sa.Column("what", sa.Text(collation="C"), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    for name in ("held_until_ms", "released_ms"):
        op.add_column("payment", sa.Column(name, sa.BigInteger, nullable=False, server_default="0"))
