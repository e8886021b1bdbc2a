"""Shared dealing: any number of players hold the same two cards, and each decides separately (003).

A *path* is the sequence of a player's decisions. Players on the same path hold the same cards, so they share
one ordinary round with one box and the unit stake on each bet, from which their own amounts follow. In each
decision window one card is dealt to the unsplit hand, for all who requested one, then one each to the first
and second hand of those who split; cards that no player requested aren't dealt. So the cost of a window
depends on the number of paths, not of players.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm
from typing import Self

from croupier.equipment.cards import Card
from croupier.equipment.shoe import Shoe
from croupier.games.blackjack.bets import SIDE_BETS, bets
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.settlement import settle
from croupier.games.blackjack.start import start
from croupier.play.contract.bets import Settled, Wager
from croupier.play.contract.live import ActionsByHand, Path, StakesByBet
from croupier.play.contract.wants import DEALER, Answer, At, Choice, Decision, Option
from croupier.play.driving.sources import ShoeSource
from croupier.refusal import Refused

Lane = tuple[bool, int, At]
"""A place where one card is dealt for several paths, in dealing order; see `_lane`."""


@dataclass(frozen=True)
class SharedRounds:
    """A shared deal: `rounds` by path."""

    rounds: Mapping[Path, Round]
    unit_minor: int
    source: ShoeSource

    @property
    def open_decisions(self) -> dict[Path, tuple[Decision, ...]]:
        """The open decisions of each path in this window; empty once the round has ended."""
        return {path: waits for path, round_ in self.rounds.items() if (waits := _decisions(round_))}

    @property
    def dealer(self) -> tuple[Card, ...]:
        """The dealer's face-up cards, which all players see."""
        return self._furthest.dealer

    @property
    def _furthest(self) -> Round:
        """The round in which the dealer has played furthest; all players see that hand."""
        return max(self.rounds.values(), key=lambda round_: (len(round_.dealer), round_.peeked is not None))

    def fork(self, window: Mapping[Path, Collection[ActionsByHand]]) -> Self:
        """Close the window: fork every waiting path into the decisions made on it.

        Refused if a waiting path has no decision or another path has one, or as its round refuses.
        """
        made = {path for path, decisions in window.items() if decisions}
        for path in self.open_decisions.keys() ^ made:
            raise Refused(
                "not_decided" if path in self.open_decisions else "not_your_turn", path=" ".join(path)
            )
        return replace(self, rounds=dict(self._forks(window)))

    def decide(self, window: Mapping[Path, Collection[ActionsByHand]]) -> Self:
        """Close the window and deal on from the shoe."""
        return self.fork(window).deal()

    def _forks(self, window: Mapping[Path, Collection[ActionsByHand]]) -> Iterator[tuple[Path, Round]]:
        for path, round_ in self.rounds.items():
            if path not in window:
                yield path, round_
            else:
                forks = {path_after(path, decided): decided for decided in window[path]}
                yield from ((fork, _answered(round_, decided)) for fork, decided in forks.items())

    @property
    def next_to_deal(self) -> Round | None:
        """The round whose first want is to be answered next; None if decisions are open or all have ended."""
        lanes = self._lanes()
        if not lanes or (min(lanes)[0] and self.open_decisions):
            return None
        return self.rounds[lanes[min(lanes)][0]]

    def answer(self, answer: Answer) -> Self:
        """Answer that want for every path in the same lane."""
        lanes = self._lanes()
        paths = lanes[min(lanes)]
        want = self.rounds[paths[0]].wants()[0]
        rounds = {path: self.rounds[path].answer(want, answer) for path in paths}
        return replace(self, rounds={**self.rounds, **rounds})

    def deal(self) -> Self:
        """Deal from the shoe: every owed card, then the dealer's if no decision is open."""
        table = self
        while lead := table.next_to_deal:
            answer, source = table.source.answer(lead.wants()[0])
            table = replace(table.answer(answer), source=source)
        return table

    def _lanes(self) -> dict[Lane, list[Path]]:
        lanes: dict[Lane, list[Path]] = {}
        for path, round_ in self.rounds.items():
            if lane := _lane(round_):
                lanes.setdefault(lane, []).append(path)
        return lanes

    def round_for(self, path: Path, wagers: Sequence[Wager]) -> Round:
        """Return the round of one player: their wagers in the box of their path, against the dealer's hand.

        Its decisions have the player's costs, and it is settled like any other round. Refused `not_offered`
        if the stake is too small for the insurance that the path has taken.
        """
        round_ = self.rounds[path]
        (own,), (box,) = start(round_.rules, wagers).boxes, round_.boxes
        own = replace(own, hands=box.hands, insured=box.insured, even_money=box.even_money)
        if own.insured and not own.insurance_minor:
            raise Refused("not_offered", rule="insurance", action="insure")
        return self._with_dealer(replace(round_, boxes=(own,)))

    def _with_dealer(self, round_: Round) -> Round:
        """Return the round against the dealer's whole hand, also if nothing depends on the total."""
        seen = self._furthest
        return replace(round_, dealer=seen.dealer, face_down=seen.face_down, peeked=seen.peeked)

    def round_at_stake(self, path: Path, stake_minor: int) -> Round:
        """Return a path's round with the same stake on every bet that this deal settles."""
        sides = [wager._replace(stake_minor=stake_minor) for wager in self.rounds[path].boxes[0].side_bets]
        return self.round_for(path, [Wager(0, "main", stake_minor), *sides])

    def applies(self, want: Decision, stakes: StakesByBet) -> bool:
        """Return whether a player's own round has the decision: half of the smallest stake can't insure."""
        stake_minor, unit_minor = stakes["main"], self.unit_minor
        return not [of_unit for _, of_unit, _ in want.options if 0 < of_unit * stake_minor < unit_minor]

    def price(self, want: Decision, stakes: StakesByBet) -> Decision:
        """Return the decision with the costs of a player's own round."""
        stake_minor, unit_minor, options = stakes["main"], self.unit_minor, list[Option]()
        for option in want.options:
            cost_minor = option.cost_minor * stake_minor // unit_minor
            options.append(Option(option.action, cost_minor, cost_minor) if cost_minor else option)
        return Decision(want.to, tuple(options))

    def unit_settlement(self, path: Path) -> dict[str, tuple[Settled, ...]]:
        """Return the settlements of the unit stakes; the main bet includes hands and insurance."""
        every = settle(self._with_dealer(self.rounds[path]))
        sides = {line.bet: (line,) for line in every if line.bet in SIDE_BETS}
        return {"main": tuple(line for line in every if line.bet not in sides), **sides}


EXTERNAL_CARDS = ShoeSource(Shoe((), 0, 0))
"""The placeholder source of deals whose cards come from elsewhere: a dealer, or another shoe."""


def open_shared(rules: Rules, wagers: Iterable[Wager], shoe: Shoe) -> SharedRounds:
    """Start a deal with the wagers of all players, and deal the first cards."""
    return replace(share(rules, wagers), source=ShoeSource(shoe)).deal()


def share(rules: Rules, wagers: Iterable[Wager]) -> SharedRounds:
    """Start a deal with all players on one path, before the first card.

    ValueError if the rules don't allow shared dealing: one box, split hands that decide together, no double
    for less.
    """
    if rules.boxes != 1 or rules.split_hands_decide != "together" or rules.double_for_less:
        raise ValueError(
            "shared dealing needs boxes = 1, split_hands_decide = 'together', double_for_less = false"
        )
    # A Bust It in the box makes the dealer draw on every path (003 Bust It), so it is only in the box if
    # a player has placed it.
    drawn_out = any(wager.bet == "bust_it" for wager in wagers)
    names = [bet.name for bet in bets(rules) if bet.name != "bust_it" or drawn_out]
    unit = _unit_minor(rules)
    return SharedRounds({(): start(rules, [Wager(0, name, unit) for name in names])}, unit, EXTERNAL_CARDS)


def _unit_minor(rules: Rules) -> int:
    """Return the smallest stake whose half and payouts need no rounding."""
    return 2 * lcm(*(pay.odds.staked for bet in bets(rules) for pay in bet.pays))


def path_after(path: Path, decided: ActionsByHand) -> Path:
    """Return the path after these decisions on `path`."""
    return (*path, *(f"{at} {action}" for at, action in sorted(decided.items())))


def _answered(round_: Round, decided: ActionsByHand) -> Round:
    """Return a round after all decisions of one window."""
    if decided.keys() != {want.to for want in _decisions(round_)}:
        raise Refused("not_your_turn", decided=" ".join(map(str, decided)))
    for at, action in sorted(decided.items()):
        want = next(want for want in _decisions(round_) if want.to == at)
        round_ = round_.answer(want, Choice(action))
    return round_


def _decisions(round_: Round) -> tuple[Decision, ...]:
    return tuple(want for want in round_.wants() if isinstance(want, Decision))


def _lane(round_: Round) -> Lane | None:
    """Return the lane of a round's next card: unsplit hand, first or second split hand, or dealer."""
    wants = round_.wants()
    if not wants or isinstance(wants[0], Decision):
        return None
    to = wants[0].to
    return (True, 0, DEALER) if to == DEALER else (False, len(round_.boxes[0].hands), to)
