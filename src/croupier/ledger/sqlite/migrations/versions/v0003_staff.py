"""Staff members. Their actions are in the journal."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "staff",
        sa.Column("name", sa.Text, primary_key=True, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("code_sha256", sa.Text, nullable=False),
        sa.Column("added_ms", sa.Integer, nullable=False),
        sa.CheckConstraint("role IN ('dealer', 'manager')", name="staff_role"),
        sqlite_strict=True,
    )
