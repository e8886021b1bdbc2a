"""The random number generator for dealing, with a count of its draws."""

from croupier.equipment.rng import OsRandomSource
from croupier.runtime.measurements import TableMeasurements


class CountedRandomSource(OsRandomSource):
    """The operating system's random numbers; each draw is counted."""

    def __init__(self, measurements: TableMeasurements) -> None:
        super().__init__()
        self._measurements = measurements

    def below(self, n: int) -> int:
        self._measurements.draws += 1
        return super().below(n)
