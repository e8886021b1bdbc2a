"""A bot that plays any table: random stakes within the limits, random options that the balance covers."""

from random import Random

from croupier.protocol import wire
from tests.support.browser_connection import Browser, new_req

MAX_BETS = 5


def random_stakes(table: wire.LobbyTable, currency: str, rng: Random) -> tuple[wire.Stake, ...]:
    """Return stakes on random bets of random boxes; small, so that a guest can play for long."""
    main_bets = _main_bets(table, currency)
    boxes = sorted(rng.sample(range(table.boxes), rng.randint(1, table.boxes)))
    bets = rng.sample(main_bets, rng.randint(1, min(MAX_BETS, len(main_bets))))
    return tuple(
        wire.Stake(box, bet.bet, rng.randint(bet.min_minor, _max_stake(bet))) for box in boxes for bet in bets
    )


def max_total_stake(table: wire.LobbyTable, currency: str) -> int:
    """Return the highest possible sum of `random_stakes`."""
    return table.boxes * sum(sorted(map(_max_stake, _main_bets(table, currency)))[-MAX_BETS:])


def _main_bets(table: wire.LobbyTable, currency: str) -> list[wire.BetLimits]:
    (limits,) = (limits for limits in table.limits if limits.currency == currency)
    return [bet for bet in limits.bets if bet.main]


def _max_stake(bet: wire.BetLimits) -> int:
    return min(bet.max_minor, 4 * bet.min_minor)


def random_decision(table: str, played: wire.PlayedRound, rng: Random) -> wire.Decide:
    """Choose a covered option of an open turn."""
    turn = rng.choice(played.view.turns)
    action = rng.choice([option.action for option in turn.options if option.covered])
    return wire.Decide(new_req(), table, played.id, played.turn, turn.box, turn.hand, action)


async def play_round(
    browser: Browser, table: wire.LobbyTable, currency: str, rng: Random
) -> wire.PlayedRound:
    """Play a round from its stakes to its settlement at a table that has been joined."""
    answer = await browser.deal(table.table, *random_stakes(table, currency, rng))
    played = _played(answer.state())
    while not played.view.ended:
        answer = await browser.ask(random_decision(table.table, played, rng))
        assert answer.code == "", answer.reply
        played = _played(answer.state())
    return played


def _played(state: wire.TableState) -> wire.PlayedRound:
    assert state.round is not None, "no round on the table"
    return state.round
