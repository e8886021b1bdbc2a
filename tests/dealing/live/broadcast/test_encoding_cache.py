"""A bet that is sent repeatedly is encoded once, and never confused with another."""

import json

from croupier.dealing.live.broadcast.encoding_cache import EncodingCache
from croupier.play.contract.bets import Wager

Wagers = tuple[Wager, ...]
NONE: Wagers = ()
FIRST, SECOND, THIRD = ((Wager(0, "main", stake),) for stake in (100, 200, 300))


def test_a_bet_and_the_last_rounds_bet_are_encoded_once_each() -> None:
    converted: list[Wagers] = []

    def convert(wagers: Wagers) -> str:
        converted.append(wagers)
        return str(wagers)

    cache = EncodingCache(convert)
    sent = [(NONE, NONE), (FIRST, NONE), (FIRST, FIRST), (NONE, FIRST), (SECOND, FIRST), (THIRD, FIRST)]
    for pair in sent:
        for _ in range(3):
            for wagers in pair:
                assert bytes(cache(wagers)) == json.dumps(str(wagers)).encode()
    assert converted == [NONE, FIRST, SECOND, THIRD]
