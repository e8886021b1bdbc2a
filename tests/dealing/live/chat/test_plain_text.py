"""Any input becomes a readable line, and disguised addresses are found."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.dealing.live.chat.plain_text import MARKS_MAX, has_address, plain

ODD = st.characters(categories=["Cc", "Cf", "Co", "Mn", "Me", "Mc", "Zs", "Zl", "Zp", "So", "Lo"])
TYPED = st.text(st.one_of(ODD, st.characters(exclude_categories=["Cs"])), max_size=80)
INVISIBLE = st.text(
    st.characters(categories=["Cc", "Cf"], exclude_characters="\t\n\v\f\r\x1c\x1d\x1e\x1f\x85"), max_size=3
)
ADDRESSES = st.sampled_from(
    [
        "http://a.example",
        "https://a.example/x?y",
        "www.a.example",
        "evil.com",
        "a.example/x",
        "me@a.example",
        "10.0.0.1",
    ]
)


@given(TYPED)
@example("\u202egnp.exe")
@example("a\u0300\u0301\u0302\u0303\u0304b")
@example("\u0958\u093c\u093c\u093c")
@example("e\u200d\u0301")
@example("\u1100\u1161\u11a8")
def test_invisible_and_stacked_characters_are_removed(typed: str) -> None:
    line = plain(typed)
    kinds = [unicodedata.category(character) for character in line]
    assert not any(kind.startswith("C") for kind in kinds)
    assert line == " ".join(line.split(" ")).strip()
    assert [character for character in line if character.isspace() and character != " "] == []
    assert "  " not in line
    marks = "".join("m" if kind.startswith("M") else "." for kind in kinds)
    assert "m" * (MARKS_MAX + 1) not in marks
    assert unicodedata.is_normalized("NFC", line)


@given(TYPED)
def test_plain_text_is_unchanged(typed: str) -> None:
    assert plain(plain(typed)) == plain(typed)


@given(st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S", "Zs"])))
@example("<script>alert(1)</script>")
@example("&lt; '\"; --")
def test_ascii_is_unchanged(typed: str) -> None:
    """This includes markup, which is shown as text."""
    assert plain(typed) == " ".join(typed.split())


@pytest.mark.parametrize(
    "typed", ["עוד קלף", "بطاقة أخرى", "もう一枚", "ещё карту", "Grüße", "एक और पत्ता", "👍🏽 ♠️"]
)
def test_every_script_is_kept(typed: str) -> None:
    assert plain(typed) == unicodedata.normalize("NFC", typed)


@given(ADDRESSES, st.data())
def test_invisible_characters_do_not_hide_an_address(address: str, data: st.DataObject) -> None:
    disguised = "".join(character + data.draw(INVISIBLE) for character in address)
    assert has_address(plain(disguised))
    assert has_address(plain(address.upper()))


@given(st.text(max_size=30), ADDRESSES, st.text(max_size=30))
def test_an_address_is_found_anywhere(before: str, address: str, after: str) -> None:
    assert has_address(plain(f"{before} {address} {after}"))


@given(st.text(st.characters(categories=["Lu", "Ll", "Zs"], max_codepoint=0x24F), max_size=60))
def test_words_are_not_an_address(words: str) -> None:
    assert not has_address(plain(words))


@given(st.integers(-(10**6), 10**6), st.integers(0, 99))
def test_amounts_are_not_an_address(whole: int, cents: int) -> None:
    assert not has_address(f"{whole}.{cents:02} or {whole:,}.{cents:02}, at {cents}:{cents:02}")
