"""E-mail addresses: one form for each, and nothing that a header would read otherwise."""

from email.headerregistry import Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.accounts.mail_addresses import LENGTH_MAX, mail_address
from croupier.refusal import Refused

PARTS = st.text("abcXYZ019.-+_'@,<> \n\"ä", max_size=12)


@given(PARTS, PARTS)
def test_an_accepted_address_is_one_recipient(name: str, host: str) -> None:
    try:
        address = mail_address(f"{name}@{host}")
    except Refused as refused:
        assert refused.code == "mail_address"
    else:
        assert address.isascii()
        assert address == address.lower() == mail_address(address)
        assert Address(addr_spec=address).addr_spec == address
        assert address.count("@") == 1
        assert not set(address) & set(' ,<>"\n')


USABLE = ["ada@example.org", " ADA@Example.ORG ", "a.b+c_d'e@mail.example.co.uk", "1@2.3"]


@pytest.mark.parametrize("typed", USABLE)
def test_usable_addresses_are_accepted(typed: str) -> None:
    assert mail_address(typed) == typed.strip().lower()


UNUSABLE = [
    "",
    "ada",
    "ada@example",
    "a..b@example.org",
    ".a@example.org",
    "a@@example.org",
    "a,b@example.org",
]


@pytest.mark.parametrize(
    "typed", [*UNUSABLE, f"{'x' * LENGTH_MAX}@example.org", "a b@example.org", "å@example.org"]
)
def test_unusable_addresses_are_refused(typed: str) -> None:
    with pytest.raises(Refused, match="mail_address"):
        mail_address(typed)
