"""ICE servers for browsers, with credentials of TURN servers that expire.

The server and its TURN servers share a secret, as coturn's `use-auth-secret` has it: a user name begins with
the time at which it expires, and its password is its HMAC.
"""

from base64 import b64encode

from croupier import clock
from croupier.config.ice import ConfiguredIce, is_turn
from croupier.protocol.signatures import Secret
from croupier.protocol.wire import IceServer

NAME_BYTES = 8


class IceServers:
    """The configured servers, if there are any."""

    def __init__(self, config: ConfiguredIce) -> None:
        self._config = config
        stun = tuple(url for url in config.urls if not is_turn(url))
        self._stun = (IceServer(stun),) if stun else ()
        self._turn = tuple(url for url in config.urls if is_turn(url))

    def of(self, user: str) -> tuple[IceServer, ...]:
        """Return the servers of a player or a member of staff, whose id TURN servers don't learn."""
        secret = self._config.turn_secret
        return (*self._stun, self._turn_server(user, secret)) if secret else self._stun

    def _turn_server(self, user: str, secret: Secret) -> IceServer:
        expires_s = clock.now_ms() // 1000 + self._config.turn_hours * 3600
        name = f"{expires_s}:{secret.derived(b'user ' + user.encode())[:NAME_BYTES].hex()}"
        return IceServer(self._turn, name, b64encode(secret.sha1_tag(name.encode())).decode())
