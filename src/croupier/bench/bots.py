"""What the players of the crowd do at Infinite Blackjack: nobody as his neighbour."""

from collections.abc import Iterator, Sequence

import msgspec

from croupier.protocol.wire import LiveState, Stake

SIDE_BETS = ("any_pair", "twenty_one_plus_three", "hot_3", "bust_it")
CURRENCY = "EUR"
ACTION_PERCENT = {"split": 50, "hit": 15, "double": 10, "insure": 20, "decline_insurance": 100, "stand": 100}
"""Of a hundred players who may, so many take it; who doesn't looks at the next."""


def stakes(player: int, change: int) -> tuple[Stake, ...]:
    """The main bet and all side bets; another at each `change`."""
    number = player * 7 + change * 11
    main = Stake(0, "main", 100 * (1 + number % 19))
    return main, *(Stake(0, bet, 100 + (number * place) % 397) for place, bet in enumerate(SIDE_BETS, 2))


def decisions(player: int, state: LiveState) -> Iterator[tuple[int, int, str]]:
    """Box, hand and action of each decision that a player who sees `state` is asked for."""
    for turn in state.round.turns if state.round else ():
        offered = [option.action for option in turn.options]
        yield turn.box, turn.hand, _chosen(player * 7919 + turn.hand * 31 + turn.box, offered)


def _chosen(number: int, offered: Sequence[str]) -> str:
    for place, (action, of_hundred) in enumerate(ACTION_PERCENT.items()):
        drawn = (number * 2_654_435_761 >> 4 * place) % 100  # as good as drawn, and the same in every run
        if action in offered and drawn < of_hundred:
            return action
    raise ValueError(f"none of {offered} is known")


def command(t: str, **fields: object) -> bytes:
    """A command of the wire as a browser writes it."""
    return msgspec.json.encode({"t": t, **fields})
