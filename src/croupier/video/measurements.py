"""Counts of the dealers' cameras since the server started, for the metrics."""

from collections import Counter
from collections.abc import Collection

from croupier.measurements import LatencyHistogram


class CameraMeasurements:
    """Counters by table. `first_pictures`: from a player's request until the browser shows a picture."""

    def __init__(self, tables: Collection[str]) -> None:
        none = dict.fromkeys(tables, 0)
        self.pictures = Counter[str](none)
        self.interruptions = Counter[str](none)
        self.lost = Counter[str](none)
        """Pictures that ended because a connection or the media server failed."""
        self.first_pictures = LatencyHistogram()
