"""What is told again and again is written once for each bet, and never another's."""

from croupier.play.contract.bets import Wager
from croupier.runtime.live.broadcast.encoded_stakes import Kept

Wagers = tuple[Wager, ...]
NONE: Wagers = ()
FIRST, SECOND, THIRD = ((Wager(0, "main", stake),) for stake in (100, 200, 300))


def test_a_bet_and_the_last_round_s_are_written_once_each() -> None:
    written: list[Wagers] = []

    def writes(wagers: Wagers) -> bytes:
        written.append(wagers)
        return str(wagers).encode()

    kept = Kept(writes)
    told = [(NONE, NONE), (FIRST, NONE), (FIRST, FIRST), (NONE, FIRST), (SECOND, FIRST), (THIRD, FIRST)]
    for pair in told:
        for _ in range(3):
            for wagers in pair:
                assert bytes(kept(wagers)) == str(wagers).encode()
    assert written == [NONE, FIRST, SECOND, THIRD]
