"""Default decisions, on time-out and when the balance doesn't cover a decision."""

from croupier.games.blackjack.hands import total
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules
from croupier.play.contract.wants import Choice, Decision

HIT_UP_TO = 11


def default_choice(round_: Round, want: Decision, uncovered: str) -> Choice:
    """Hit 11 or less, stand on 12 or more, hit instead of an uncovered double, decline offers (003)."""
    for option in want.options:
        if option.action.startswith("decline_"):
            return Choice(option.action)
    if uncovered == "double":
        return Choice("hit")
    hand = round_.box(want.to.box).hands[want.to.hand]
    return Choice("hit" if total(hand.cards) <= HIT_UP_TO else "stand")


def default_choice_notes(rules: Rules) -> tuple[str, ...]:
    notes = [f"A hand of {HIT_UP_TO} or less hits, and a hand of {HIT_UP_TO + 1} or more stands."]
    if rules.insurance != "none" or rules.even_money:
        notes.append("An offer that you don't answer is declined.")
    return tuple(notes)


def uncovered_notes(rules: Rules) -> tuple[str, ...]:
    notes = []
    if rules.double_low_totals:
        notes.append("If your balance is too low for a double that you ask for, the hand hits instead.")
    if rules.splits != "none":
        notes.append(
            "If your balance is too low for a split that you ask for, "
            f"a hand of {HIT_UP_TO} or less hits instead, and a hand of {HIT_UP_TO + 1} or more stands."
        )
    if rules.insurance != "none":
        notes.append("If your balance is too low for insurance that you ask for, it is declined.")
    return tuple(notes)
