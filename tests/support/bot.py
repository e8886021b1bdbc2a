"""Plays anything: random stakes within the limits, random options among those covered."""

from random import Random

from croupier.protocol import wire
from tests.support.browser_connection import Browser, new_req

BETS_MOST = 5


def stakes(table: wire.LobbyTable, currency: str, chance: Random) -> tuple[wire.Stake, ...]:
    """A stake on some boxes, or where there is one on some bets; small, so that a guest plays on for long."""
    mains = _mains(table, currency)
    boxes = sorted(chance.sample(range(table.boxes), chance.randint(1, table.boxes)))
    bets = chance.sample(mains, chance.randint(1, min(BETS_MOST, len(mains))))
    return tuple(
        wire.Stake(box, main.bet, chance.randint(main.min_minor, _most(main)))
        for box in boxes
        for main in bets
    )


def dearest(table: wire.LobbyTable, currency: str) -> int:
    """The most that `stakes` may come to."""
    return table.boxes * sum(sorted(map(_most, _mains(table, currency)))[-BETS_MOST:])


def _mains(table: wire.LobbyTable, currency: str) -> list[wire.BetLimits]:
    (limits,) = (one for one in table.limits if one.currency == currency)
    return [bet for bet in limits.bets if bet.main]


def _most(main: wire.BetLimits) -> int:
    return min(main.max_minor, 4 * main.min_minor)


def decision(table: str, played: wire.PlayedRound, chance: Random) -> wire.Decide:
    """One of the covered options of one of the open turns."""
    turn = chance.choice(played.view.turns)
    action = chance.choice([option.action for option in turn.options if option.covered])
    return wire.Decide(new_req(), table, played.id, played.turn, turn.box, turn.hand, action)


async def play_round(
    browser: Browser, table: wire.LobbyTable, currency: str, chance: Random
) -> wire.PlayedRound:
    """A round from its stakes to its settlement; the table has been joined."""
    answer = await browser.deal(table.table, *stakes(table, currency, chance))
    played = _played(answer.state())
    while not played.view.ended:
        answer = await browser.ask(decision(table.table, played, chance))
        assert answer.code == "", answer.said
        played = _played(answer.state())
    return played


def _played(state: wire.TableState) -> wire.PlayedRound:
    assert state.round is not None, "no round on the table"
    return state.round
