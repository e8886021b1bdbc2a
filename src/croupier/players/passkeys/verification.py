"""Verification of what authenticators answer. Its library takes long to import, so it is loaded when needed.

Malformed answers raise ValueError, or an error of the parsers below it.
"""

from webauthn import verify_authentication_response, verify_registration_response
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticationCredential,
    AuthenticatorAssertionResponse,
    AuthenticatorAttestationResponse,
    RegistrationCredential,
)

from croupier.accounts.passkeys import Passkey, RelyingParty
from croupier.players.passkeys.encoding import PublicKey, decoded, encoded
from croupier.protocol import wire


def registered(new: wire.NewPasskey, challenge: bytes, party: RelyingParty) -> PublicKey:
    """Return the verified public key of a new passkey."""
    response = AuthenticatorAttestationResponse(decoded(new.client_data), decoded(new.attestation))
    try:
        verified = verify_registration_response(
            credential=RegistrationCredential("", b"", response),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            require_user_verification=True,
        )
    except WebAuthnException as error:
        raise ValueError(str(error)) from error
    return PublicKey(
        encoded(verified.credential_id), encoded(verified.credential_public_key), verified.sign_count
    )


def signed(answer: wire.PasskeySignIn, challenge: bytes, passkey: Passkey, party: RelyingParty) -> int:
    """Verify the signature of a passkey, and return its new count of signatures."""
    response = AuthenticatorAssertionResponse(
        decoded(answer.client_data), decoded(answer.authenticator_data), decoded(answer.signature)
    )
    try:
        return verify_authentication_response(
            credential=AuthenticationCredential(passkey.id, decoded(passkey.id), response),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=decoded(passkey.public_key),
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        ).new_sign_count
    except WebAuthnException as error:
        raise ValueError(str(error)) from error
