"""Shared dealing: any number of players hold the same two cards, and each decides for himself (003).

A *path* is what a player has decided so far. All who decided the same hold the same cards, so they share one
ordinary round with one box, and the unit on each bet: each player's own amounts follow from it. In each
decision window one card is dealt to the unsplit hand, for all who asked for one, then one to the first and
one to the second hand of those who split; a card that nobody asked for isn't dealt. So a window costs as much
as there are paths, however many players.
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
"""Where one card is dealt for several paths, in the order of dealing: see `_lane`."""


@dataclass(frozen=True)
class SharedRounds:
    """`rounds` by the paths that somebody went."""

    rounds: Mapping[Path, Round]
    unit_minor: int
    source: ShoeSource

    @property
    def open_decisions(self) -> dict[Path, tuple[Decision, ...]]:
        """The decisions that paths wait for, in this window; empty: the round has ended."""
        return {path: waits for path, round_ in self.rounds.items() if (waits := _decisions(round_))}

    @property
    def dealer(self) -> tuple[Card, ...]:
        """The dealer's cards that everybody sees, also those who have no use for his total."""
        return self._furthest.dealer

    @property
    def _furthest(self) -> Round:
        """The round in which the dealer has played furthest: everybody sees that hand."""
        return max(self.rounds.values(), key=lambda round_: (len(round_.dealer), round_.peeked is not None))

    def fork(self, window: Mapping[Path, Collection[ActionsByHand]]) -> Self:
        """The window is closed: every path that waits forks into what was decided on it.

        Refused when a path that waits has no decision or one that doesn't wait has, or as its round refuses.
        """
        made = {path for path, decisions in window.items() if decisions}
        for path in self.open_decisions.keys() ^ made:
            raise Refused(
                "not_decided" if path in self.open_decisions else "not_your_turn", path=" ".join(path)
            )
        return replace(self, rounds=dict(self._forks(window)))

    def decide(self, window: Mapping[Path, Collection[ActionsByHand]]) -> Self:
        """The window is closed, and dealt on from the shoe."""
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
        """The round whose first want is to be answered next; None: decisions are waited for, or the end."""
        lanes = self._lanes()
        if not lanes or (min(lanes)[0] and self.open_decisions):
            return None
        return self.rounds[lanes[min(lanes)][0]]

    def answer(self, answer: Answer) -> Self:
        """That want answered: the same card, or word about the face-down card, for all who wait for it."""
        lanes = self._lanes()
        paths = lanes[min(lanes)]
        want = self.rounds[paths[0]].wants()[0]
        rounds = {path: self.rounds[path].answer(want, answer) for path in paths}
        return replace(self, rounds={**self.rounds, **rounds})

    def deal(self) -> Self:
        """Dealt on from the shoe: every card that is owed, then the dealer's if no path waits to decide."""
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
        """The round of one player: his wagers in the box of his path, against the dealer's hand.

        What it wants is offered to him, for what it costs him; ended, it is settled like any other.
        Refused `not_offered` when his stake is too small for the insurance his path has taken.
        """
        round_ = self.rounds[path]
        (his,), (box,) = start(round_.rules, wagers).boxes, round_.boxes
        his = replace(his, hands=box.hands, insured=box.insured, even_money=box.even_money)
        if his.insured and not his.insurance_minor:
            raise Refused("not_offered", rule="insurance", action="insure")
        return self._with_dealer(replace(round_, boxes=(his,)))

    def _with_dealer(self, round_: Round) -> Round:
        """The round against the dealer's whole hand, also where nothing in it depends on the total."""
        seen = self._furthest
        return replace(round_, dealer=seen.dealer, face_down=seen.face_down, peeked=seen.peeked)

    def round_at_stake(self, path: Path, stake_minor: int) -> Round:
        """The round of a player on that path with the same stake on every bet that this deal settles."""
        sides = [wager._replace(stake_minor=stake_minor) for wager in self.rounds[path].boxes[0].side_bets]
        return self.round_for(path, [Wager(0, "main", stake_minor), *sides])

    def applies(self, want: Decision, stakes: StakesByBet) -> bool:
        """Whether a player's own round wants it: half of the smallest stake is nothing to insure with."""
        stake_minor, unit_minor = stakes["main"], self.unit_minor
        return not [of_unit for _, of_unit, _ in want.options if 0 < of_unit * stake_minor < unit_minor]

    def price(self, want: Decision, stakes: StakesByBet) -> Decision:
        """The decision as a player's own round wants it."""
        stake_minor, unit_minor, options = stakes["main"], self.unit_minor, list[Option]()
        for option in want.options:
            cost_minor = option.cost_minor * stake_minor // unit_minor
            options.append(Option(option.action, cost_minor, cost_minor) if cost_minor else option)
        return Decision(want.to, tuple(options))

    def unit_settlement(self, path: Path) -> dict[str, tuple[Settled, ...]]:
        """What the unit on each bet comes to; hands and insurance are parts of the main bet."""
        every = settle(self._with_dealer(self.rounds[path]))
        sides = {line.bet: (line,) for line in every if line.bet in SIDE_BETS}
        return {"main": tuple(line for line in every if line.bet not in sides), **sides}


EXTERNAL_CARDS = ShoeSource(Shoe((), 0, 0))
"""Cards come from somebody else: a person who deals, or a shoe kept elsewhere."""


def open_shared(rules: Rules, wagers: Iterable[Wager], shoe: Shoe) -> SharedRounds:
    """The first cards dealt, and all players on one path; `wagers` are everybody's."""
    return replace(share(rules, wagers), source=ShoeSource(shoe)).deal()


def share(rules: Rules, wagers: Iterable[Wager]) -> SharedRounds:
    """All players on one path before the first card.

    ValueError when the rules aren't for shared dealing: one box, split hands that decide together, and
    nobody who doubles for another part of his stake than the others.
    """
    if rules.boxes != 1 or rules.split_hands_decide != "together" or rules.double_for_less:
        raise ValueError(
            "shared dealing needs boxes = 1, split_hands_decide = 'together', double_for_less = false"
        )
    # With a Bust It in the box every path needs the dealer to draw out, as the rule says (003 Bust It);
    # where nobody has one he doesn't, and it isn't settled.
    drawn_out = any(wager.bet == "bust_it" for wager in wagers)
    names = [bet.name for bet in bets(rules) if bet.name != "bust_it" or drawn_out]
    unit = _unit_minor(rules)
    return SharedRounds({(): start(rules, [Wager(0, name, unit) for name in names])}, unit, EXTERNAL_CARDS)


def _unit_minor(rules: Rules) -> int:
    """The least stake of which nothing is rounded: neither its half nor what it may win."""
    return 2 * lcm(*(pay.odds.staked for bet in bets(rules) for pay in bet.pays))


def path_after(path: Path, decided: ActionsByHand) -> Path:
    """The path of a player who was on `path` and decided this."""
    return (*path, *(f"{at} {action}" for at, action in sorted(decided.items())))


def _answered(round_: Round, decided: ActionsByHand) -> Round:
    """A round after all decisions of one window."""
    if decided.keys() != {want.to for want in _decisions(round_)}:
        raise Refused("not_your_turn", decided=" ".join(map(str, decided)))
    for at, action in sorted(decided.items()):
        want = next(want for want in _decisions(round_) if want.to == at)
        round_ = round_.answer(want, Choice(action))
    return round_


def _decisions(round_: Round) -> tuple[Decision, ...]:
    return tuple(want for want in round_.wants() if isinstance(want, Decision))


def _lane(round_: Round) -> Lane | None:
    """Where a round wants a card: an unsplit hand, the first or second of a split, and last the dealer."""
    wants = round_.wants()
    if not wants or isinstance(wants[0], Decision):
        return None
    to = wants[0].to
    return (True, 0, DEALER) if to == DEALER else (False, len(round_.boxes[0].hands), to)
