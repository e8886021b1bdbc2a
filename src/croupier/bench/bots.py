"""The simulated players' bets at Infinite Blackjack, and their decisions; neighbours play differently."""

from collections.abc import Iterator, Sequence

import msgspec

from croupier.protocol.wire import RoundView, Stake

SIDE_BETS = ("any_pair", "twenty_one_plus_three", "hot_3", "bust_it")
CURRENCY = "EUR"
ACTION_PERCENT = {"split": 50, "hit": 15, "double": 10, "insure": 20, "decline_insurance": 100, "stand": 100}
"""Percentage of players who take an action if it is offered; the others try the next. Of actions that
aren't here, any is taken.
"""


def stakes(player: int, change: int) -> tuple[Stake, ...]:
    """Return stakes on the main bet and all side bets; each `change` gives different ones."""
    number = player * 7 + change * 11
    main = Stake(0, "main", 100 * (1 + number % 19))
    return main, *(Stake(0, bet, 100 + (number * place) % 397) for place, bet in enumerate(SIDE_BETS, 2))


def decisions(player: int, round_: RoundView | None) -> Iterator[tuple[int, int, str]]:
    """Yield box, hand and action of each decision that a round asks the player for."""
    for turn in getattr(round_, "turns", ()):
        offered = [option.action for option in turn.options]
        yield turn.box, turn.hand, _chosen(player * 7919 + turn.hand * 31 + turn.box, offered)


def _chosen(number: int, offered: Sequence[str]) -> str:
    for place, (action, of_hundred) in enumerate(ACTION_PERCENT.items()):
        drawn = (number * 2_654_435_761 >> 4 * place) % 100  # pseudo-random, and the same in every run
        if action in offered and drawn < of_hundred:
            return action
    return offered[number % len(offered)]


def command(t: str, **fields: object) -> bytes:
    """Encode a command as a browser does."""
    return msgspec.json.encode({"t": t, **fields})
