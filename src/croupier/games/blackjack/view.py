"""View types of blackjack. A round holds only seen cards, so nothing is hidden."""

from typing import Literal

from msgspec import Struct

Outcome = Literal["won", "lost", "pushed", "bust", "blackjack", "charlie", "even_money"]
Action = Literal[
    "hit",
    "stand",
    "double",
    "split",
    "insure",
    "decline_insurance",
    "take_even_money",
    "decline_even_money",
]


class OptionView(Struct, frozen=True):
    """An available action. It costs `cost_minor` more, or as little as `cost_min_minor`."""

    action: Action
    cost_minor: int
    cost_min_minor: int
    covered: bool
    """False: the player's balance doesn't cover the cost."""
    instead: Action | Literal[""]
    """The default decision if the balance doesn't cover the cost; empty if it costs nothing."""


class TurnView(Struct, frozen=True):
    """A decision that the round waits for."""

    box: int
    hand: int
    options: tuple[OptionView, ...]


class HandView(Struct, frozen=True):
    """A hand of a box."""

    cards: tuple[str, ...]
    low: int
    total: int
    blackjack: bool
    doubled: bool
    finished: bool
    stake_minor: int
    returned_minor: int | None
    outcome: Outcome | None
    """Null until the round has ended; a bust shows at once."""


class SideBetView(Struct, frozen=True):
    """A side bet of a box."""

    bet: str
    stake_minor: int
    returned_minor: int | None
    outcome: str | None
    """The winning line of the paytable, `lost` or `pushed`; null until it is settled."""


class InsuranceView(Struct, frozen=True):
    """The insurance of a box."""

    stake_minor: int
    returned_minor: int | None


class BoxView(Struct, frozen=True):
    """A box with its hands and bets."""

    box: int
    stake_minor: int
    hands: tuple[HandView, ...]
    side_bets: tuple[SideBetView, ...]
    insurance: InsuranceView | None


class DealerView(Struct, frozen=True):
    """The dealer's hand, as far as it has been seen."""

    cards: tuple[str, ...]
    face_down: bool
    low: int
    total: int
    blackjack: bool
    bust: bool


class BlackjackView(Struct, frozen=True, tag="blackjack", tag_field="game"):
    """A round of blackjack."""

    boxes: tuple[BoxView, ...]
    dealer: DealerView
    turns: tuple[TurnView, ...]
    """The decisions open now: none, one, or several if boxes decide together (insurance)."""
    ended: bool
    staked_minor: int
    returned_minor: int
    """0 until the round has ended."""
