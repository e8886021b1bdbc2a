"""Tables that speculate."""

import pytest

from croupier.runtime.live.speculation.interface import Speculate
from croupier.runtime.live.speculation.round_end import speculating


@pytest.fixture
def speculate() -> Speculate:
    return speculating()
