"""Signed paths of a stream, as nginx's module `secure_link` checks them (docs/guide/nginx-hls.conf)."""

import base64
from hashlib import md5

from croupier.protocol.signatures import Secret


def signed_path(secret: Secret, stream: str, expires_s: int) -> str:
    """Return the path of a stream's folder, which is valid until a time.

    Playlists name their segments relative to it, so these are signed as well.
    """
    # nginx knows only MD5; the secret is at the end, so a signature can't be extended to other paths.
    signed = f"{expires_s}/{stream} {secret.revealed()}".encode()
    digest = md5(signed, usedforsecurity=False).digest()
    token = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    return f"{token}/{expires_s}/{stream}"
