"""Switches that measure what an optimisation gains, set in the environment of `croupier serve`.

| variable | value |
|---|---|
| `CROUPIER_SPECULATION` | the parts of speculation that are on, such as `plays,transaction`, or `none` |
| `CROUPIER_DELIVERY_BATCH` | deliveries between two looks at the clock; a huge number delivers all at once |
| `CROUPIER_IDLE_TASKS` | `off`: deliveries don't wait for an idle turn of the event loop |
"""

import math
from collections.abc import Mapping

from croupier import idle_tasks
from croupier.dealing.live.broadcast import subscribers
from croupier.dealing.live.speculation.interface import Speculate
from croupier.dealing.live.speculation.round_end import EVERYTHING, speculating


def switch_optimisations(environment: Mapping[str, str]) -> Speculate:
    """Apply the switches; return what makes the speculation of live tables."""
    if batch := environment.get("CROUPIER_DELIVERY_BATCH"):
        subscribers.BATCH_SIZE = int(batch)
    if environment.get("CROUPIER_IDLE_TASKS") == "off":
        idle_tasks.IDLE_S = math.inf
    parts = environment.get("CROUPIER_SPECULATION")
    if parts is None:
        return speculating(EVERYTHING)
    return speculating({part for part in parts.split(",") if part != "none"})
