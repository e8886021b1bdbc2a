"""Enrolment codes and authenticator apps of staff. Codes of earlier members can't enrol."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "staff_sign_in",
        sa.Column("name", sa.Text, primary_key=True, nullable=False),
        sa.Column("issued_ms", sa.Integer, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sqlite_strict=True,
    )
