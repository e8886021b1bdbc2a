"""Whatever is sent, the verification refuses it in words, and only the passkey's own signature passes."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.accounts.passkeys import Passkey, PasskeyOwner, RelyingParty
from croupier.players.passkeys.ceremonies import PasskeyCeremonies
from croupier.players.passkeys.encoding import decoded, encoded
from croupier.protocol import wire
from croupier.refusal import Refused
from tests.support.authenticator import Authenticator, changed

ORIGIN = "https://casino.example"
PARTY = RelyingParty("casino.example", ORIGIN)
ADA = PasskeyOwner("player", "p_ada")
SLOW = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
BITS = st.integers(0, 8 * 2_000)


class Site:
    """A site's ceremonies, and an authenticator with a passkey of Ada's."""

    def __init__(self) -> None:
        self.ceremonies = PasskeyCeremonies()
        self.authenticator = Authenticator(ORIGIN)
        key = self.ceremonies.created("add", self.new(), PARTY)
        self.passkey = Passkey(key.id, ADA, key.key, key.sign_count, "Phone", 0)

    def new(self) -> wire.NewPasskey:
        return self.authenticator.create(self.ceremonies.creation("add", ADA, "ada", (), PARTY))

    def signed(self) -> wire.PasskeySignIn:
        return self.authenticator.sign(
            self.ceremonies.challenge("sign in", PARTY), self.authenticator.credentials[0]
        )


@SLOW
@given(st.sampled_from(["client_data", "authenticator_data", "signature", "user"]), BITS)
def test_no_changed_bit_signs_in(field: str, bit: int) -> None:
    site = Site()
    signed = site.signed()
    wrong = replace(signed, **{field: changed(getattr(signed, field), bit)})
    with pytest.raises(Refused, match="wrong_sign_in"):
        site.ceremonies.used("sign in", wrong, site.passkey, PARTY)
    use = site.ceremonies.used("sign in", site.signed(), site.passkey, PARTY)
    assert (use.owner, use.sign_count) == (ADA, 2)


@SLOW
@given(st.sampled_from(["client_data", "attestation"]), st.lists(BITS, min_size=1, max_size=3, unique=True))
def test_a_changed_passkey_is_added_or_refused_in_words(field: str, bits: list[int]) -> None:
    """Nothing signs an attestation: a changed key is another key, which its authenticator can't use."""
    site = Site()
    new = site.new()
    for bit in bits:
        new = replace(new, **{field: changed(getattr(new, field), bit)})
    try:
        key = site.ceremonies.created("add", new, PARTY)
    except Refused as refused:
        assert refused.code == "passkey_failed"
    else:
        assert decoded(key.id)


@SLOW
@given(st.binary(max_size=300), st.binary(max_size=300))
def test_any_bytes_are_refused_in_words(first: bytes, second: bytes) -> None:
    site = Site()
    with pytest.raises(Refused, match="passkey_failed"):
        site.ceremonies.created("add", wire.NewPasskey(encoded(first), encoded(second)), PARTY)
    good = site.signed()
    for wrong in (
        replace(good, client_data=encoded(first), signature=encoded(second)),
        replace(good, authenticator_data=encoded(first), signature=encoded(second)),
    ):
        with pytest.raises(Refused, match="wrong_sign_in"):
            site.ceremonies.used("sign in", wrong, site.passkey, PARTY)


@given(st.binary())
def test_base64url_is_read_as_it_is_written(raw: bytes) -> None:
    assert decoded(encoded(raw)) == raw


def test_an_unknown_passkey_uses_up_its_challenge() -> None:
    site = Site()
    signed = site.signed()
    for passkey in (None, site.passkey):
        with pytest.raises(Refused, match="wrong_sign_in"):
            site.ceremonies.used("sign in", signed, passkey, PARTY)


def test_the_stored_handle_reveals_no_name_and_differs_by_kind() -> None:
    player, member = PasskeyOwner("player", "Ada").handle, PasskeyOwner("staff", "Ada").handle
    assert b"Ada" not in player
    assert player != member
    assert len(player) <= 64, "the limit of WebAuthn"
