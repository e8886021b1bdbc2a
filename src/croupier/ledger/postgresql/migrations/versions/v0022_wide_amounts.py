"""Second columns for balances of the operator and of tables that exceed 64 bits."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
COLUMNS = (("account", "balance_high"), ("posting", "amount_high"), ("posting", "balance_high"))


def upgrade() -> None:
    for table, column in COLUMNS:
        op.add_column(table, sa.Column(column, sa.BigInteger, nullable=False, server_default="0"))
