"""Messages of one moment at a live table, encoded once for each group that sees the same."""

from collections.abc import Callable, Mapping

from croupier.play.contract.live import Path
from croupier.runtime.live.broadcast.events import Did
from croupier.runtime.live.broadcast.player_views import Part
from croupier.runtime.live.broadcast.snapshot import Scene
from croupier.runtime.live.broadcast.subscribers import Told

Own = bytes | Part
"""A player's own part of the table at one state, which may be written already."""


class News:
    """What everybody is told, encoded once for each group of those who see the same.

    The players in `own` are told their own part too, and then `told_own` is called with them.
    """

    def __init__(
        self, scene: Scene, did: tuple[Did, ...], own: Mapping[str, Own], told_own: Callable[[str], None]
    ) -> None:
        self._scene = scene
        self._did = did
        self._own = own
        self._told_own = told_own
        self._frames: dict[Path, bytes] = {}

    def told(self) -> Told:
        return self if self._own else self._scene.each(self._shared)

    def __call__(self, player: str) -> bytes:
        of = self._scene.group(player)
        shared = self._frames.get(of) or self._shared(of)
        own = self._own.get(player)
        if own is None:
            return shared
        self._told_own(player)
        return shared + (own if isinstance(own, bytes) else self._scene.mine_now(own, player))

    def _shared(self, of: Path) -> bytes:
        if of not in self._frames:
            did = tuple([did.what for did in self._did if did.concerns(of)])
            self._frames[of] = self._scene.event(of, did)
        return self._frames[of]


class Pulses:
    """The pulses of one moment; a group is told only what differs from the pulse `before`."""

    def __init__(self, scene: Scene, before: "Pulses | None") -> None:
        self._scene = scene
        self._before = before.frames if before else {}
        self.frames: dict[Path, bytes] = {}

    def told(self) -> Told:
        return self._scene.each(self._changed)

    def _changed(self, of: Path) -> bytes:
        now = self.frames.get(of)
        if now is None:
            now = self.frames[of] = self._scene.pulse(of)
        return b"" if now == self._before.get(of) else now
