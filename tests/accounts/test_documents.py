"""Documents of the operator: what a player has to accept, and which changes they are shown."""

import pytest

from croupier.accounts.documents import Document, Documents, DocumentVersion

TERMS = Document(
    "terms",
    "Terms and conditions",
    "Text.",
    True,
    (
        DocumentVersion("1.2", "2026-11-03", "A misprint is corrected.", ask_again=False),
        DocumentVersion("1.1", "2026-11-02", "Section 4 is new."),
        DocumentVersion("1.0", "2026-11-01", "First version."),
    ),
)
PRIVACY = Document("privacy", "Privacy", "Text.", False, (DocumentVersion("1.0", "2026-11-01", "First."),))
DOCUMENTS = Documents("Play agrees.", "Terms prevail.", {"terms": TERMS, "privacy": PRIVACY})


@pytest.mark.parametrize(
    ("accepted", "changes", "must_accept"),
    [
        ("", (), True),
        ("1.0", ("1.2", "1.1"), True),
        ("1.1", ("1.2",), False),
        ("0.9", ("1.2", "1.1", "1.0"), True),
    ],
)
def test_newer_versions_are_due(accepted: str, changes: tuple[str, ...], must_accept: bool) -> None:
    (due,) = DOCUMENTS.due({"terms": accepted} if accepted else {})
    assert due.document is TERMS
    assert due.accepted == accepted
    assert tuple(each.version for each in due.changes) == changes
    assert due.must_accept == must_accept
    assert DOCUMENTS.unaccepted({"terms": accepted}) == (("terms",) if must_accept else ())


def test_nothing_is_due_after_the_current_version_is_accepted() -> None:
    assert [*DOCUMENTS.due({"terms": "1.2"})] == []


def test_documents_that_need_no_acceptance_are_never_due() -> None:
    only = Documents("", "", {"privacy": PRIVACY})
    assert [*only.due({})] == []
    assert not only.any_to_accept
    assert DOCUMENTS.any_to_accept
