"""Stakes above the maximum are reduced, and the player is notified."""

from croupier.tables.live import inputs as i
from croupier.tables.live.notices import BetAccepted, BetNotCovered
from tests.tables.live.harness import TableHarness


def test_a_stake_above_the_maximum_is_reduced_and_the_player_is_notified() -> None:
    harness = TableHarness()
    harness.join("ann")
    harness.open()
    harness.bet("ann", (0, "main", 600_000), (0, "hot_3", 100))
    notices = [notice.what for notice in harness.notices]
    assert notices == [BetAccepted(500_100, ("main",))]
    harness.bet("ann", (0, "main", 500_000), (0, "hot_3", 500_000))
    harness.balances["ann"] = 0
    harness.bet("ann", (0, "main", 500_000), (0, "hot_3", 500_000), (0, "any_pair", 100))
    notices = [notice.what for notice in harness.notices]
    assert notices[1:] == [BetAccepted(1_000_000, ()), BetNotCovered(1_000_000)]
    assert harness.held["ann"] == 1_000_000


def test_at_two_seats_only_the_stake_above_the_maximum_is_reduced() -> None:
    harness = TableHarness("seven_seat", seats_each=2)
    harness.sit("ann", 0)
    harness.feed(i.SatDown("ann", 1))
    harness.open()
    maximum = harness.state.setup.table.limits_in["EUR"]["main"].max_minor
    harness.bet("ann", (0, "main", maximum + 1), (1, "main", 1_000))
    assert harness.state.players["ann"].bet == ((0, "main", maximum), (1, "main", 1_000))
