"""Changes on this node that follow from entries of other nodes."""

from croupier.dealing.nodes.journal_changes import changes_in
from croupier.ledger.sql.audited_rows import Digests, digests_note


def test_a_member_whose_row_is_deleted_is_signed_out() -> None:
    """Their sessions may have begun after the command was recorded, and before it was carried out."""
    rows: Digests = {"staff": {"Ada": None, "Ben": "a digest"}, "staff_sign_in": {"Ada": None}}
    assert changes_in([digests_note(rows, 1)]).staff == {"Ada"}
