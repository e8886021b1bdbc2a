"""Questions for the advice process: a round as its player saw it, and a decision."""

from typing import Any

from msgspec import Struct, convert

from croupier.games import games
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At, Decision
from croupier.play.driving.dealing import replay
from croupier.refusal import Refused


class Question(Struct, frozen=True):
    """A question for advice, as the advising process gets it.

    `steps` are those of the record: they name only cards that were seen.
    """

    game: str
    rules: dict[str, Any]
    wagers: tuple[Wager, ...]
    steps: tuple[str, ...]
    at: At


def answer(question: Question) -> dict[str, float]:
    """Return what each option is worth, by its action."""
    game = games()[question.game]
    assert game.advice is not None, f"{game.name} has nothing to decide"
    start = game.start(convert(question.rules, game.rules), question.wagers)
    round_ = replay(start, question.steps)
    return dict(game.advice.option_values(round_, decision_at(round_, question.at)))


def decision_at(round_: Any, at: At) -> Decision:
    """Return the decision that this hand waits for; refuse `not_your_turn` if it waits for none."""
    for want in round_.wants():
        if isinstance(want, Decision) and want.to == at:
            return want
    raise Refused("not_your_turn", box=at.box, hand=at.hand)
