"""Players who bet and decide at random at a live table."""

from random import Random

from croupier.play.contract.wants import Decision
from croupier.tables.live import inputs as i
from tests.tables.live.harness import TableHarness

SIDE_BETS = {
    "infinite": ("any_pair", "twenty_one_plus_three", "hot_3", "bust_it"),
    "seven_seat": ("perfect_pairs", "twenty_one_plus_three"),
}
STAKES = {"infinite": (100, 101, 250, 5_000), "seven_seat": (500, 501, 2_000, 50_000)}


def bet_at_random(harness: TableHarness, table: str, player: str, draw: Random) -> None:
    boxes = [seat for seat, name in harness.state.seats.items() if name == player] or [0]
    wagers = []
    for box in boxes:
        wagers.append((box, "main", draw.choice(STAKES[table])))
        wagers += [
            (box, side, draw.choice(STAKES[table])) for side in SIDE_BETS[table] if draw.random() < 0.3
        ]
    harness.bet(player, *wagers)


def open_decisions(harness: TableHarness, player: str) -> tuple[Decision, ...]:
    """Return the decisions that a player still has to make."""
    state = harness.state
    record = state.players.get(player)
    if state.play is None or state.window is None or record is None:
        return ()
    decided = {made.at for made in record.decisions}
    wants = state.play.decisions(player)
    return tuple(want for want in wants if want.to not in decided)


def decide_at_random(harness: TableHarness, player: str, draw: Random) -> None:
    for want in open_decisions(harness, player):
        option = draw.choice(want.options)
        for_less = option.cost_min_minor < option.cost_minor and draw.random() < 0.5
        stake = draw.randint(option.cost_min_minor, option.cost_minor) if for_less else None
        harness.feed(i.Decided(player, want.to, option.action, stake))


def play_round(harness: TableHarness, table: str, players: list[str], draw: Random) -> None:
    """Play from the opening of the bets to the next one; some players let their decisions time out."""
    for player in players:
        if draw.random() < 0.8:
            bet_at_random(harness, table, player, draw)
    harness.wait(harness.state.setup.timings.betting_ms)
    while harness.state.phase in ("offer", "decisions"):
        window = (harness.state.phase, harness.state.deadline_ms)
        for player in draw.sample(players, len(players)):
            if draw.random() < 0.9 and (harness.state.phase, harness.state.deadline_ms) == window:
                decide_at_random(harness, player, draw)
        if (harness.state.phase, harness.state.deadline_ms) == window:
            harness.wait(max(1, (harness.state.deadline_ms or 0) - harness.now_ms))
    harness.wait_for("betting")
