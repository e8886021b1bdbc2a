"""Passwords: their rules, and hashes that don't reveal them."""

import pytest
from argon2 import PasswordHasher
from hypothesis import given
from hypothesis import strategies as st

from croupier.accounts.passwords import (
    PASSWORD_MAX,
    PASSWORD_MIN,
    hashed,
    is_outdated,
    new_password,
    verified,
)
from croupier.refusal import Refused

NAME = "ada-lovelace"


@given(st.text(min_size=PASSWORD_MIN, max_size=40).filter(lambda text: text.isascii()))
def test_any_characters_are_allowed(typed: str) -> None:
    assert new_password(typed, NAME) == typed


@pytest.mark.parametrize("length", [PASSWORD_MIN, PASSWORD_MAX])
def test_the_shortest_and_the_longest_password_are_allowed(length: int) -> None:
    assert new_password("x" * length, NAME) == "x" * length


@pytest.mark.parametrize(
    "typed", ["", "x" * (PASSWORD_MIN - 1), "x" * (PASSWORD_MAX + 1), NAME, NAME.upper(), f" {NAME} "]
)
def test_short_long_and_obvious_passwords_are_refused(typed: str) -> None:
    with pytest.raises(Refused) as refused:
        new_password(typed, NAME)
    assert refused.value.code == "weak_password"
    assert refused.value.args_ == {"least": PASSWORD_MIN, "most": PASSWORD_MAX}


def test_a_password_is_verified_by_its_hash_in_any_form() -> None:
    stored = hashed("passwörd with ﬁ")
    assert verified(stored, "passwo\u0308rd with fi"), "another keyboard composes the letters otherwise"
    assert not verified(stored, "password with fi")
    assert not verified(stored, "PASSWÖRD WITH FI")


def test_a_hash_has_its_parameters_and_no_part_of_the_password() -> None:
    stored, again = hashed("correct horse"), hashed("correct horse")
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert stored != again, "each has its own salt"
    assert "correct" not in stored


@pytest.mark.parametrize("stored", ["", "not a hash", "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$"])
def test_no_password_has_an_empty_or_a_damaged_hash(stored: str) -> None:
    assert not verified(stored, "")
    assert not verified(stored, "correct horse")


def test_a_hash_with_weaker_parameters_is_outdated() -> None:
    weaker = PasswordHasher(time_cost=1, memory_cost=8 * 1024, parallelism=1).hash("correct horse")
    assert is_outdated(weaker)
    assert verified(weaker, "correct horse")
    assert not is_outdated(hashed("correct horse"))
