"""Signatures of messages between servers: only the right secret, body and time pass."""

import pytest

from croupier.protocol.signatures import (
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    WINDOW_S,
    Secret,
    SignedBody,
    check_signature,
    signed_headers,
)
from croupier.refusal import Refused

SECRET, NOW_S, BODY = Secret(b"a shared secret for tests"), 1_800_000_000, b'{"payment":"pay_1"}'


def signed(secret: Secret = SECRET, body: bytes = BODY, at_s: int = NOW_S) -> SignedBody:
    headers = signed_headers(secret, body, at_s)
    return SignedBody(headers[TIMESTAMP_HEADER], headers[SIGNATURE_HEADER], body)


@pytest.mark.parametrize("age_s", [-WINDOW_S, 0, WINDOW_S])
def test_a_genuine_message_passes_within_the_window(age_s: int) -> None:
    check_signature(SECRET, signed(at_s=NOW_S - age_s), NOW_S)


@pytest.mark.parametrize(
    "forged",
    [
        signed(Secret(b"another secret")),
        signed(at_s=NOW_S - WINDOW_S - 1),
        signed(at_s=NOW_S + WINDOW_S + 1),
        signed()._replace(body=BODY + b" "),
        signed()._replace(timestamp=str(NOW_S + 1)),
        signed()._replace(signature=""),
        signed()._replace(signature="v1=é"),
        signed()._replace(signature=signed().signature.removeprefix("v1=")),
        SignedBody("", "", BODY),
        SignedBody("1e9", SECRET.sign("1e9", BODY), BODY),
        SignedBody("\u0661", SECRET.sign("\u0661", BODY), BODY),
        SignedBody("9" * 5_000, SECRET.sign("9" * 5_000, BODY), BODY),
    ],
)
def test_anything_else_is_refused(forged: SignedBody) -> None:
    with pytest.raises(Refused, match="wrong_signature"):
        check_signature(SECRET, forged, NOW_S)


def test_the_documented_example_is_right() -> None:
    """The manual shows it, so that integrators can check theirs."""
    assert Secret(b"example-secret-0").sign("1800000000", BODY) == (
        "v1=c038797df117415efe188f9f6f8f74143c2b52b96ed23d4eff9cb469fdfe2279"
    )


def test_a_secret_is_never_shown() -> None:
    assert "shared" not in f"{SECRET!r} {SECRET} {[SECRET]}"
