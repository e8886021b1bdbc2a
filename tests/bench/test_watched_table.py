"""Tables of the load test of live tables: planned bets, and the receipts of results."""

from croupier.bench.growing_load import PlayedTable
from croupier.bench.watched_table import DueBets, PostedLine, WatchedTable

RESULT = b'{"t":"mine","mine":{"result":{"round":"r1","staked_minor":100}}}'


def table_with_bettors(*players: int) -> WatchedTable:
    table = WatchedTable(PlayedTable("bench_0", "red", 100))
    table.begin("r1")
    table.bettors.update(players)
    return table


def test_results_are_timed_from_the_first_player_to_the_last() -> None:
    table = table_with_bettors(1, 2)
    table.receive(1, RESULT, 10.0)
    table.receive(3, RESULT, 10.5)  # didn't bet
    table.receive(2, RESULT, 11.0)
    table.receive(1, RESULT, 15.0)  # again, in the view of the next round
    assert table.begin("r2") == 1.0


def test_a_round_without_every_result_has_no_time() -> None:
    table = table_with_bettors(1, 2)
    table.receive(1, RESULT, 10.0)
    assert table.begin("r2") is None
    assert table.begin("r3") is None


def test_a_line_is_received_by_its_last_player() -> None:
    line = PostedLine(due=1.0, waiting=2)
    assert [line.receive(), line.receive()] == [False, True]


def test_bets_are_due_in_the_order_of_their_times() -> None:
    placed = list[tuple[float, int, str]]()
    bets = DueBets(lambda *bet: placed.append(bet))
    bets.add(2.0, 1, "r1")
    bets.add(1.0, 2, "r1")
    while bets.next < 10:
        bets.act(bets.next)
        bets.step()
    assert placed == [(1.0, 2, "r1"), (2.0, 1, "r1")]
    assert bets.next == float("inf")
