"""The server's state for load balancers and supervisors."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from croupier.app.operations.log_counts import LogCounter
from croupier.gateway.connection_limits import ConnectionLimiter
from croupier.gateway.server import Server
from croupier.measurements import LatencyHistogram

ServerPhase = Literal["starting", "ready", "stopping"]


@dataclass(slots=True)
class Health:
    """The state of the process; `server` and `limiter` exist while it accepts players."""

    log_counts: LogCounter
    loop_lag: LatencyHistogram
    phase: ServerPhase = "starting"
    url: str = ""
    """The admin port's address, if there is one."""
    server: Server | None = None
    limiter: ConnectionLimiter | None = None
    table_balances: Mapping[str, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    """Balances of the tables' accounts as last read, by table, currency and kind."""

    def mark_ready(self, server: Server, limiter: ConnectionLimiter) -> None:
        """Note that the server accepts players."""
        self.server, self.limiter, self.phase = server, limiter, "ready"

    @property
    def is_ready(self) -> bool:
        serves = self.phase == "ready" and self.server is not None and not self.server.gateway.broken.is_set()
        return serves and not self.is_cut_off

    @property
    def is_cut_off(self) -> bool:
        """True if other nodes reach the message server, and this one doesn't, so that they serve better."""
        presence = self.server.presence if self.server else None
        return presence is not None and presence.is_replaceable

    @property
    def shown(self) -> str:
        """The state in a word."""
        return "cut_off" if self.phase == "ready" and self.is_cut_off else self.phase
