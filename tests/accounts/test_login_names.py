"""Names of accounts: one form for each name, whatever keyboard it was typed on, and nothing invisible."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.accounts.login_names import NAME_MAX, NAME_MIN, is_address, login_name, normalised
from croupier.refusal import Refused

TEXTS = st.text(max_size=60)


@given(TEXTS)
@example("ǅ ﬁ ẞ İ ς")
@example("ͅα")
def test_the_form_of_a_name_is_stable(typed: str) -> None:
    assert normalised(normalised(typed)) == normalised(typed)


@given(TEXTS)
def test_case_form_and_outer_spaces_make_no_difference(typed: str) -> None:
    for other in (typed.casefold(), f" {typed}\n"):
        assert normalised(other) == normalised(typed)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Ada-Lovelace", "ada-lovelace"),
        (" ADA@EXAMPLE.ORG ", "ada@example.org"),
        ("ada", "ada"),
        ("STRASSE", "strasse"),
        ("straße", "strasse"),
        ("A\u030ada", "åda"),
        ("\u017fada", "sada"),
    ],
)
def test_names_are_normalised(typed: str, name: str) -> None:
    assert login_name(typed) == name


@given(TEXTS)
def test_an_accepted_name_has_neither_spaces_nor_invisible_characters(typed: str) -> None:
    try:
        name = login_name(typed)
    except Refused as refused:
        assert (refused.code, refused.args_) == ("login_name", {"least": NAME_MIN, "most": NAME_MAX})
    else:
        assert NAME_MIN <= len(name) <= NAME_MAX
        assert name.isprintable()
        assert not any(letter.isspace() for letter in name)
        assert "@" not in name or is_address(name)
        assert login_name(name) == name


@pytest.mark.parametrize(
    "typed", ["", "ab", "x" * (NAME_MAX + 1), "ada lovelace", "a@b", "ada@exämple.org", "ad\u200da"]
)
def test_unusable_names_are_refused(typed: str) -> None:
    with pytest.raises(Refused, match="login_name"):
        login_name(typed)
