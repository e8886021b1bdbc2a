"""What a live table asks of a game beside its round: who shares cards, and what is decided for the absent."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, Self

from croupier.play.contract.bets import Settled, Wager
from croupier.play.contract.wants import Answer, At, Choice, Decision, Want

Path = tuple[str, ...]
"""What a player has decided so far, as a record writes it: `0.0 hit`."""
StakesByBet = Mapping[str, int]
"""What a player staked, by the bet."""
ActionsByHand = Mapping[At, str]
"""The actions of one player in one window: one for each of his hands that waits."""


class SharedDeal(Protocol):
    """One deal for any number of players: a round for each path that somebody went. Immutable."""

    @property
    def unit_minor(self) -> int:
        """The stake on each bet in `rounds`: such that nothing of it is rounded, whatever it pays or costs.

        So a player's amounts are the round's in proportion to his stake, each rounded down.
        """
        ...

    @property
    def rounds(self) -> Mapping[Path, Any]: ...

    @property
    def open_decisions(self) -> Mapping[Path, tuple[Decision, ...]]:
        """The decisions that paths wait for, in this window."""
        ...

    @property
    def next_to_deal(self) -> Any | None:
        """The round whose first want is to be answered next; None: decisions are waited for, or the end."""
        ...

    def answer(self, answer: Answer) -> Self:
        """That want answered, for every path that waits for the same."""
        ...

    def fork(self, window: Mapping[Path, Collection[ActionsByHand]]) -> Self:
        """The window is closed: every path that waits forks into what was decided on it."""
        ...

    def applies(self, want: Decision, stakes: StakesByBet) -> bool:
        """Whether a decision in `open` is one of a player with these stakes: they may be too small for it."""
        ...

    def price(self, want: Decision, stakes: StakesByBet) -> Decision:
        """A decision that it asks, at what it costs a player with these stakes."""
        ...

    def unit_settlement(self, path: Path) -> Mapping[str, tuple[Settled, ...]]:
        """What the unit on each bet comes to, by that bet; the round has ended. A bet may have more parts."""
        ...

    def round_at_stake(self, path: Path, stake_minor: int) -> Any:
        """The round of a player on that path with the same stake on every bet that this deal settles."""
        ...

    def round_for(self, path: Path, wagers: Sequence[Wager]) -> Any:
        """The round of a player on that path with these wagers."""
        ...


Burn = Literal["none", "by_first_card"]
"""Whether the first card of a fresh shoe is turned, and as many cards as it counts are burned."""


class ShoePolicy(NamedTuple):
    """`shoes` of `decks` take turns, each dealt until its cut card is out, or for one round only.

    The cut card lies behind `cut` cards of a shoe. The round in which it comes out is finished, then
    `rounds_after_cut` more are dealt, but none that may need more cards than are left: `round_cards_max`.
    A void round is none of these.
    """

    decks: int
    shoes: int
    every_round: bool
    cut: int
    rounds_after_cut: int = 0
    round_cards_max: int = 0
    burn: Burn = "none"

    def is_exhausted(self, left: int, *, cut_card: bool, after_cut: int) -> bool:
        """Whether no round follows from a shoe with so many cards left, whose cut card is out or not.

        `after_cut` rounds were dealt to their end after the one in which it came out.
        """
        over = after_cut >= self.rounds_after_cut or left < self.round_cards_max
        return self.every_round or (cut_card and over)


NO_SHOES = ShoePolicy(decks=0, shoes=0, every_round=False, cut=0)
"""Of a table with a wheel or dice: nothing is ever shuffled."""


@dataclass(frozen=True, slots=True)
class LiveGame:
    """`Any` is the game's own rules and round."""

    seats: Callable[[Any], int]
    """Seats at the table, a box each; 0: everybody shares one deal."""
    share: Callable[[Any, Iterable[Wager]], SharedDeal]
    """The shared deal of all these wagers, before its first card."""
    shoe_policy: Callable[[Any], ShoePolicy]
    dealer_prompt: Callable[[Any, Want], str]
    """What the dealer is asked for, in words: `player's second card`."""
    offers: frozenset[str]
    """Actions that answer an offer (insurance), not a decision about a hand."""
    default_choice: Callable[[Any, Decision, str], Choice]
    """What the table decides for a player who didn't (`""`), or whose balance didn't cover that action."""
    default_choice_notes: Callable[[Any], tuple[str, ...]]
    """What `auto` decides for who didn't, in sentences for the players."""
    uncovered_notes: Callable[[Any], tuple[str, ...]]
    """What it decides where a balance doesn't cover what was chosen."""
    situation: Callable[[Any, At], Hashable]
    """Players to whom this is equal are in the same situation, whatever led there."""
    result: Callable[[Any], str]
    """What came up in a round that has ended, in a word for the lobby: `18`, `blackjack`, `bust`."""
    apply_dealer_step: Callable[[Any, str], tuple[Want, Answer, Any]] | None = None
    """An ended round and the dealer's next step for others at the table, as a record writes it: what was
    wanted, the answer, and the round in which it is seen. None: no round ends before the others'."""
    check_ahead: Callable[[Any, At, Choice], None] | None = None
    """Refuses what can't be decided for a hand that waits for its turn. None: nobody waits for a turn."""
    hide_other_amounts: Callable[[Any, Collection[int]], Any] | None = None
    """A view with no amounts but those of these boxes. None: nobody sits beside another."""
