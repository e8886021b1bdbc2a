"""An authenticator in software: it creates passkeys and signs with them, as a browser's would."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from croupier.players.passkeys.encoding import decoded, encoded
from croupier.protocol import wire

PRESENT, VERIFIED, NEW_KEY = 0x01, 0x04, 0x40
"""Flags of authenticator data."""


@dataclass
class Credential:
    """A passkey in the authenticator; `count` is how often it signed."""

    rp: str
    user: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    count: int = 0

    @property
    def public_key(self) -> bytes:
        """Return the public key in COSE's form."""
        numbers = self.key.public_key().public_numbers()
        coordinates = {-2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        return cbor2.dumps({1: 2, 3: -7, -1: 1, **coordinates})


class Authenticator:
    """The authenticator and the browser of a page at `origin`; tests change its fields to misbehave."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.flags = PRESENT | VERIFIED
        self.credentials: list[Credential] = []

    def create_credential(self, rp: str, user: str) -> Credential:
        self.credentials.append(Credential(rp, user))
        return self.credentials[-1]

    def create(
        self, wanted: wire.PasskeyCreation, name: str = "", credential: Credential | None = None
    ) -> wire.NewPasskey:
        """Create a passkey, or claim to have created this one."""
        credential = credential or self.create_credential(wanted.rp, wanted.user)
        attested = bytes(15) + b"\1" + len(credential.id).to_bytes(2, "big") + credential.id
        data = self._data(credential, NEW_KEY) + attested + credential.public_key
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = self._client_data("webauthn.create", wanted.challenge)
        return wire.NewPasskey(encoded(client_data), encoded(attestation), name)

    def sign(self, wanted: wire.PasskeyChallenge, credential: Credential | None = None) -> wire.PasskeySignIn:
        """Sign a challenge with a passkey, by default the newest."""
        credential = credential or self.credentials[-1]
        credential.count += 1
        data, client_data = self._data(credential), self._client_data("webauthn.get", wanted.challenge)
        signature = credential.key.sign(data + sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return wire.PasskeySignIn(
            encoded(credential.id), encoded(client_data), encoded(data), encoded(signature), credential.user
        )

    def _data(self, credential: Credential, flags: int = 0) -> bytes:
        rp, count = sha256(credential.rp.encode()).digest(), credential.count.to_bytes(4, "big")
        return rp + bytes([self.flags | flags]) + count

    def _client_data(self, kind: str, challenge: str) -> bytes:
        data: Mapping[str, object] = {"type": kind, "challenge": challenge, "origin": self.origin}
        return json.dumps({**data, "crossOrigin": False}).encode()


def changed(text: str, bit: int) -> str:
    """Return base64url with one bit of its bytes flipped."""
    raw = bytearray(decoded(text))
    raw[bit // 8 % len(raw)] ^= 1 << bit % 8
    return encoded(bytes(raw))
