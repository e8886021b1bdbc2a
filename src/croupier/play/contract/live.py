"""Support for live tables: shared deals, default decisions, and prompts for the dealer."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, Self

from croupier.play.contract.bets import Settled, Wager
from croupier.play.contract.wants import Answer, At, Choice, Decision, Want

Path = tuple[str, ...]
"""A player's decisions so far, as written in records: `0.0 hit`."""
StakesByBet = Mapping[str, int]
"""A player's stakes by bet."""
ActionsByHand = Mapping[At, str]
"""The actions of one player in one decision window, one for each waiting hand."""


class SharedDeal(Protocol):
    """One immutable deal for any number of players, with one round for each path of decisions."""

    @property
    def unit_minor(self) -> int:
        """The stake on each bet in `rounds`, chosen so that no payout or cost of it needs rounding.

        A player's amounts are the round's in proportion to their stake, each rounded down.
        """
        ...

    @property
    def rounds(self) -> Mapping[Path, Any]: ...

    @property
    def open_decisions(self) -> Mapping[Path, tuple[Decision, ...]]:
        """The open decisions of each path in this window."""
        ...

    @property
    def next_to_deal(self) -> Any | None:
        """The round whose first want is to be answered next; None if decisions are open or all have ended."""
        ...

    def answer(self, answer: Answer) -> Self:
        """Answer that want for every path with the same want."""
        ...

    def fork(self, window: Mapping[Path, Collection[ActionsByHand]]) -> Self:
        """Close the window: fork every waiting path into the decisions made on it."""
        ...

    def applies(self, want: Decision, stakes: StakesByBet) -> bool:
        """Return whether an open decision applies to these stakes, which may be too small for it."""
        ...

    def price(self, want: Decision, stakes: StakesByBet) -> Decision:
        """Return an applicable decision with its costs for these stakes."""
        ...

    def unit_settlement(self, path: Path) -> Mapping[str, tuple[Settled, ...]]:
        """Return the settlements of the unit stakes in an ended round, by bet. A bet may have several."""
        ...

    def round_at_stake(self, path: Path, stake_minor: int) -> Any:
        """Return a path's round with the same stake on every bet that this deal settles."""
        ...

    def round_for(self, path: Path, wagers: Sequence[Wager]) -> Any:
        """Return a path's round with these wagers."""
        ...


Burn = Literal["none", "by_first_card"]
"""Cards burned from a fresh shoe: none, or as many as the value of its first card, which is turned."""


class ShoePolicy(NamedTuple):
    """The use of shoes at a live table: they take turns, each dealt to its cut card or for one round.

    The cut card is behind `cut` cards. The round in which it comes out is finished, then `rounds_after_cut`
    more are dealt, as long as `round_cards_max` cards are left. Void rounds don't count.
    """

    decks: int
    shoes: int
    every_round: bool
    cut: int
    rounds_after_cut: int = 0
    round_cards_max: int = 0
    burn: Burn = "none"

    def is_exhausted(self, left: int, *, cut_card: bool, after_cut: int) -> bool:
        """Return whether a shoe with `left` cards has no further round.

        `after_cut` rounds have been completed after the one in which the cut card came out.
        """
        over = after_cut >= self.rounds_after_cut or left < self.round_cards_max
        return self.every_round or (cut_card and over)


NO_SHOES = ShoePolicy(decks=0, shoes=0, every_round=False, cut=0)
"""The policy of tables with a wheel or dice."""


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game's functions for live tables. `Any` stands for its own rules and round."""

    seats: Callable[[Any], int]
    """Return the number of seats, a box each; 0 if all players share one deal."""
    share: Callable[[Any, Iterable[Wager]], SharedDeal]
    """Return the shared deal of all these wagers, before its first card."""
    shoe_policy: Callable[[Any], ShoePolicy]
    dealer_prompt: Callable[[Any, Want], str]
    """Name the next thing to deal: `the player's second card`."""
    offers: frozenset[str]
    """Actions that answer an offer beside the cards instead of playing a hand."""
    default_choice: Callable[[Any, Decision, str], Choice]
    """Decide for a player who didn't (`""`), or whose balance doesn't cover the given action."""
    default_choice_notes: Callable[[Any], tuple[str, ...]]
    """Describe the default decisions on time-out, in sentences for players."""
    uncovered_notes: Callable[[Any], tuple[str, ...]]
    """Describe the default decisions when a balance is too low, in sentences for players."""
    situation: Callable[[Any, At], Hashable]
    """Return a key of the player's situation, independent of how it came about."""
    result: Callable[[Any], str]
    """Return the result of an ended round as a word, for the lobby."""
    apply_dealer_step: Callable[[Any, str], tuple[Want, Answer, Any]] | None = None
    """Apply to an ended round a further step of the dealer for other players, as written in records.

    Returns the want, the answer and the round that shows it. None if no round ends before the others.
    """
    check_ahead: Callable[[Any, At, Choice], None] | None = None
    """Refuse a decision that a hand can't make before its turn. None for games without turns."""
    hide_other_amounts: Callable[[Any, Collection[int]], Any] | None = None
    """Return a view with the amounts of these boxes only. None for tables without seats."""
    only_boxes: Callable[[Any, Collection[int]], Any] | None = None
    """Return a view of these boxes and the dealer only. None for tables without seats."""
