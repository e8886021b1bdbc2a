"""One-time codes are those of RFC 6238, each accepted once, within a step of the server's clock."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.accounts.one_time_codes import (
    SECRET_BYTES,
    STEP_MS,
    accepted_step,
    code_at,
    secret_text,
    secret_uri,
    step_of,
)

SECRET = b"12345678901234567890"
SECRETS = st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES)
TIMES = st.integers(10 * STEP_MS, 2**42)


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
def test_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    """RFC 6238, appendix B, which shows eight digits."""
    assert code_at(SECRET, step_of(seconds * 1000)) == code[-6:]


@given(SECRETS, TIMES, st.integers(-3, 3))
def test_a_code_is_accepted_within_a_step(secret: bytes, now_ms: int, drift: int) -> None:
    now = step_of(now_ms)
    accepted = accepted_step(secret, code_at(secret, now + drift), now_ms, 0)
    if abs(drift) <= 1:
        assert accepted is not None
        assert accepted >= now + drift
    elif accepted is not None:
        assert code_at(secret, accepted) == code_at(secret, now + drift), "two steps with the same code"


@given(SECRETS, TIMES, st.lists(st.tuples(st.integers(0, 2 * STEP_MS), st.integers(-1, 1)), max_size=20))
def test_no_step_is_accepted_twice(secret: bytes, now_ms: int, typed: list[tuple[int, int]]) -> None:
    last, accepted = 0, []
    for later, drift in typed:
        now_ms += later
        step = accepted_step(secret, code_at(secret, step_of(now_ms) + drift), now_ms, last)
        if step is not None:
            accepted.append(step)
            last = step
    assert accepted == sorted(set(accepted))


@given(SECRETS, TIMES, st.text(max_size=12))
def test_other_text_is_refused(secret: bytes, now_ms: int, text: str) -> None:
    right = [code_at(secret, step_of(now_ms) + drift) for drift in (-1, 0, 1)]
    assert (accepted_step(secret, text, now_ms, 0) is not None) == ("".join(text.split()) in right)


def test_spaces_make_no_difference() -> None:
    code = code_at(SECRET, 100)
    assert accepted_step(SECRET, f" {code[:3]} {code[3:]} ", 100 * STEP_MS, 0) == 100


def test_the_address_for_an_app_has_the_secret_and_the_name() -> None:
    address = urlsplit(secret_uri(SECRET, "Ada & Ben/2"))
    assert (address.scheme, address.netloc) == ("otpauth", "totp")
    assert address.path == "/croupier:Ada%20%26%20Ben%2F2"
    assert parse_qs(address.query) == {"secret": [secret_text(SECRET)], "issuer": ["croupier"]}
    assert secret_text(SECRET) == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
