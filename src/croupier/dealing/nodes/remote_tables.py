"""The live tables of other nodes, as a gateway knows them from the owners' announcements."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Collection, Mapping
from time import monotonic
from typing import NamedTuple, Protocol

import msgspec

from croupier.cluster.bus import Bus, Unsubscribe
from croupier.dealing.nodes.owner_link import SILENT_S, OwnerLink
from croupier.dealing.nodes.seat_messages import (
    ASK_OWNERS,
    OWNERS,
    TableLimits,
    decode_of_owner,
    decode_owner,
    gateway_subject,
)
from croupier.protocol.wire import LiveTableStatus
from croupier.refusal import Refused

BEAT_S = 1.0

log = logging.getLogger(__name__)


class Location(NamedTuple):
    """The owner of a table; a later one has a higher epoch."""

    owner: str
    epoch: int
    status: LiveTableStatus
    limits: TableLimits | None


class TableWatcher(Protocol):
    """Something that depends on the owner of a table."""

    def moved(self) -> None:
        """Another owner runs the table."""

    def moved_here(self) -> None:
        """This node runs the table."""

    def availability_changed(self, *, available: bool) -> None:
        """The table's owner isn't heard any more, or is heard again."""


class RemoteTables:
    """Without a bus there are none. `live`: the tables of this node, which are reached directly."""

    def __init__(self, bus: Bus | None, node: str, live: Collection[str]) -> None:
        self.node = node
        self._bus = bus
        self._live = live
        self._locations: dict[str, Location] = {}
        self._heard_s: dict[str, float] = {}
        """The time of each owner's last message, by the monotonic clock."""
        self._links: dict[str, OwnerLink] = {}
        self.losses = 0
        """Number of times that a link lost messages, and began anew."""
        self._watchers: defaultdict[str, dict[TableWatcher, None]] = defaultdict(dict)
        self._unavailable: set[str] = set()
        """Tables whose watchers know that their owner isn't heard."""
        self._unsubscribe: list[Unsubscribe] = []
        self._beating: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Hear of the owners, and ask them for their tables."""
        if self._bus is None:
            return
        self._unsubscribe = [
            await self._bus.subscribe(OWNERS, self._announced),
            await self._bus.subscribe(gateway_subject(self.node), self._received),
        ]
        self._bus.watch(lambda connected: self._ask() if connected else None)
        self._ask()
        self._beating = asyncio.create_task(self._beat())

    def stop(self) -> None:
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        if self._beating:
            self._beating.cancel()

    # --- where tables are

    @property
    def seats(self) -> int:
        """Number of players' seats at tables of other nodes."""
        return sum(len(link) for link in self._links.values())

    def is_reachable(self, table: str) -> bool:
        """Return whether a node that is heard runs the table."""
        found = self._locations.get(table)
        return found is not None and not self._is_silent(found.owner)

    def owner_of(self, table: str) -> str:
        """Return the node that runs the table, if it is heard; otherwise an empty text."""
        return self._locations[table].owner if self.is_reachable(table) else ""

    def hears(self, node: str) -> bool:
        """Return whether a node that runs live tables is heard."""
        return not self._is_silent(node)

    def statuses(self) -> Mapping[str, LiveTableStatus]:
        """Return the statuses of the reachable tables of other nodes, at most a second old."""
        return {
            table: found.status
            for table, found in self._locations.items()
            if table not in self._live and not self._is_silent(found.owner)
        }

    def found(self, table: str) -> Location | None:
        """Return the owner that was last heard to run a table, and what it said about it."""
        return self._locations.get(table)

    def link_to(self, table: str) -> OwnerLink:
        """Return the link to the table's owner; refuse `server_unavailable` while there is none."""
        if not self.is_reachable(table):
            raise Refused("server_unavailable")
        return self._link(self._locations[table].owner)

    def watch(self, table: str, watcher: TableWatcher) -> None:
        """Tell a watcher what changes from now on."""
        self._watchers[table][watcher] = None

    def unwatch(self, table: str, watcher: TableWatcher) -> None:
        self._watchers[table].pop(watcher, None)

    def _is_silent(self, owner: str) -> bool:
        return monotonic() - self._heard_s.get(owner, 0.0) > SILENT_S

    def _link(self, owner: str) -> OwnerLink:
        assert self._bus is not None, "an owner was heard"
        if owner not in self._links:
            self._links[owner] = OwnerLink(self._bus, self.node, owner, self._lost)
        return self._links[owner]

    def _lost(self) -> None:
        self.losses += 1

    # --- messages

    def _ask(self) -> None:
        if self._bus:
            self._bus.publish(ASK_OWNERS, b"")

    def _announced(self, payload: bytes) -> None:
        try:
            owner = decode_owner(payload)
        except msgspec.MsgspecError as error:
            log.warning("an announcement of live tables is malformed: %s", error)
            return
        self._heard_s[owner.node] = monotonic()
        for owned in owner.tables:
            self._located(owned.table, Location(owner.node, owned.epoch, owned.status, owned.limits))
        self._look()

    def _located(self, table: str, location: Location) -> None:
        known = self._locations.get(table)
        if known and known.epoch > location.epoch:
            return
        self._locations[table] = location
        if known and known.epoch < location.epoch and table not in self._live:
            log.info("table %s is run by node %s now", table, location.owner)
            for watcher in tuple(self._watchers[table]):
                watcher.moved()

    def _look(self) -> None:
        """Tell watchers whose table this node has taken over, can't be reached any more, or can again."""
        for table in [table for table in self._watchers if table in self._live]:
            for watcher in tuple(self._watchers[table]):
                watcher.moved_here()
        unavailable = {
            table for table, watchers in self._watchers.items() if watchers and not self.is_reachable(table)
        }
        for table in unavailable ^ self._unavailable:
            for watcher in tuple(self._watchers[table]):
                watcher.availability_changed(available=table not in unavailable)
        self._unavailable = unavailable

    def _received(self, payload: bytes) -> None:
        try:
            batch = decode_of_owner(payload)
        except msgspec.MsgspecError as error:
            log.warning("a message of an owner is malformed: %s", error)
            return
        if link := self._links.get(batch.sender):
            link.receive(batch)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            self._look()
            for owner, link in tuple(self._links.items()):
                if len(link) or not self._is_silent(owner):
                    link.beat()
                else:
                    del self._links[owner]
