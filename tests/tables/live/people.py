"""Players who do something at random at every moment of a live table."""

from random import Random

from croupier.play.contract.wants import Decision
from croupier.tables.live import inputs as i
from tests.tables.live.house import House

SIDES = {
    "infinite": ("any_pair", "twenty_one_plus_three", "hot_3", "bust_it"),
    "seven_seat": ("perfect_pairs", "twenty_one_plus_three"),
}
STAKES = {"infinite": (100, 101, 250, 5_000), "seven_seat": (500, 501, 2_000, 50_000)}


def bet_at_random(house: House, table: str, player: str, draw: Random) -> None:
    boxes = [seat for seat, name in house.state.seats.items() if name == player] or [0]
    wagers = []
    for box in boxes:
        wagers.append((box, "main", draw.choice(STAKES[table])))
        wagers += [(box, side, draw.choice(STAKES[table])) for side in SIDES[table] if draw.random() < 0.3]
    house.bet(player, *wagers)


def waits_of(house: House, player: str) -> tuple[Decision, ...]:
    """The decisions a player still has to make."""
    state = house.state
    record = state.players.get(player)
    if state.play is None or state.window is None or record is None:
        return ()
    decided = {made.at for made in record.decisions}
    wants = state.play.decisions(player)
    return tuple(want for want in wants if want.to not in decided)


def decide_at_random(house: House, player: str, draw: Random) -> None:
    for want in waits_of(house, player):
        option = draw.choice(want.options)
        less = option.cost_min_minor < option.cost_minor and draw.random() < 0.5
        stake = draw.randint(option.cost_min_minor, option.cost_minor) if less else None
        house.feed(i.Decided(player, want.to, option.action, stake))


def play_round(house: House, table: str, players: list[str], draw: Random) -> None:
    """From the opening of the bets to the pause; whoever doesn't decide is decided for."""
    for player in players:
        if draw.random() < 0.8:
            bet_at_random(house, table, player, draw)
    house.wait(house.state.setup.timings.betting_ms)
    while house.state.phase in ("offer", "decisions"):
        window = (house.state.phase, house.state.deadline_ms)
        for player in draw.sample(players, len(players)):
            if draw.random() < 0.9 and (house.state.phase, house.state.deadline_ms) == window:
                decide_at_random(house, player, draw)
        if (house.state.phase, house.state.deadline_ms) == window:
            house.wait(max(1, (house.state.deadline_ms or 0) - house.now_ms))
    house.wait_for("betting")
