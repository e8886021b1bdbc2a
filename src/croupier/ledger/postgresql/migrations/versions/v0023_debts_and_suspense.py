"""The database itself forbids negative accounts of money in suspense, and positive ones of debts."""

from alembic import op

revision = "0023"
down_revision = "0022"
CONSTRAINTS = {
    "suspense_never_negative": "balance_minor >= 0 OR kind <> 'suspense'",
    "debt_never_positive": "balance_minor <= 0 OR kind <> 'debt'",
}


def upgrade() -> None:
    """Add checks that servers of the version before keep too."""
    for name, condition in CONSTRAINTS.items():
        op.create_check_constraint(name, "account", condition)
