"""The database itself forbids negative accounts of money in suspense, and positive ones of debts."""

from alembic import op

revision = "0023"
down_revision = "0022"
CONSTRAINTS = {
    "account_never_negative": (
        "balance_minor >= 0 OR kind NOT IN ('cash', 'bonus', 'in_play', 'withdrawing', 'suspense', 'owed')"
    ),
    "account_never_positive": "balance_minor <= 0 OR kind <> 'debt'",
}


def upgrade() -> None:
    op.drop_constraint("account_never_negative", "account", type_="check")
    for name, condition in CONSTRAINTS.items():
        op.create_check_constraint(name, "account", condition)
