"""The random number generator for dealing, with a count of its draws."""

from collections.abc import Iterable, Sequence

from croupier.equipment.rng import OsRandomSource
from croupier.measurements import TableMeasurements


class CountedRandomSource(OsRandomSource):
    """The operating system's random numbers; each draw is counted."""

    def __init__(self, measurements: TableMeasurements) -> None:
        super().__init__()
        self._measurements = measurements

    def each_below(self, bounds: Iterable[int]) -> Sequence[int]:
        drawn = super().each_below(bounds)
        self._measurements.draws += len(drawn)
        return drawn
