"""Compiles a game's round, played by a strategy, to a finite automaton (state x rank -> state).

The compiler drives the round like any other driver: it tries every rank when the round wants a card, every
pocket when it wants a spin, and takes the strategy's one decision. Equivalent states are merged, first by
the game's `situation`, then because a state is identified by its row of successors; so the automaton is
minimal.

The face-down card is drawn only when it first matters: at a peek, when the compiler has it but neither
the round nor the strategy does, or else when it is turned. By exchangeability this changes no probability.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import lcm
from typing import Any, Generic, NamedTuple, TypeVar

from croupier.garbage import no_collection
from croupier.maths.exact.automaton import Automaton, End, Ends, order_by_visits
from croupier.maths.exact.random_source import ItemSource, random_source, with_replacement
from croupier.play.contract.bets import Settled, Wager
from croupier.play.contract.game import Game
from croupier.play.contract.model import Model, Strategy
from croupier.play.contract.wants import Answer, DealFaceDown, Decision, Peek, TurnCard, Want

UNSEEN = "?"
"""Stands for a face-down card that hasn't been drawn yet."""

E = TypeVar("E", bound=Hashable)
SettledLines = tuple[Settled, ...]


def compile_automaton(
    game: Game, rules: Any, strategy: Strategy, *, reuse_shoe: bool = False, side: str = ""
) -> Automaton[Ends]:
    """Compile one box with every main bet.

    The stake is the smallest whose payouts and halves are whole units. `reuse_shoe`: the next round is dealt
    from the same shoe, so cards that affect nothing are drawn too. `side`: compile that side bet instead,
    with any strategy; a round ends as soon as the bet is decided, so the shoe can't be reused.

    Raises Refused `not_offered` if the strategy takes an option that isn't offered.
    """
    if side:
        assert not reuse_shoe, "a side bet is played from fresh shoes"
        return _compile_side_bet(game, rules, side)
    names = main_bets(game, rules)
    return _compile(game, rules, strategy, lambda lines: _ends(names, lines), reuse_shoe=reuse_shoe)


def _compile_side_bet(game: Game, rules: Any, bet: str) -> Automaton[Ends]:
    assert game.model is not None, f"{game.name} has no model to compile"
    alike, situation, decided, named = game.model.side_bets[bet]
    strategy = game.model.strategies[named](rules)
    model = replace(
        game.model, rank_groups=alike, state_key=lambda round_: decided(round_) or situation(round_)
    )

    def end(lines: SettledLines) -> Ends:
        return _ends((bet,), [line for line in lines if line.bet == bet])

    return _compile(replace(game, model=model), rules, strategy, end, side=bet, decided=decided)


def compile_outcomes(game: Game, rules: Any, strategy: Strategy) -> Automaton[tuple[str, ...]]:
    """Compile a game with one line per bet for a fresh shoe; each end lists the outcome of every bet."""
    return _compile(game, rules, strategy, lambda lines: tuple(line.outcome for line in lines))


def _ends(names: Sequence[str], lines: Iterable[Settled]) -> Ends:
    """Sum the lines of each bet. Insurance, which is no bet of its own, counts to the first bet."""
    found = dict.fromkeys(names, (0, 0))
    for line in lines:
        name = line.bet if line.bet in found else names[0]
        net, stake = found[name]
        found[name] = (net + line.returned_minor - line.stake_minor, stake + line.stake_minor)
    return tuple(End(*found[name]) for name in names)


def _compile(
    game: Game,
    rules: Any,
    strategy: Strategy,
    end: Callable[[SettledLines], E],
    *,
    reuse_shoe: bool = False,
    side: str = "",
    decided: Callable[[Any], Settled | None] = lambda _: None,
) -> Automaton[E]:
    assert game.model is not None, f"{game.name} has no model to compile"
    bets, stake = (side,) if side else main_bets(game, rules), unit_stake(game, rules, side)
    begun = game.start(rules, [Wager(0, bet, stake) for bet in dict.fromkeys(main_bets(game, rules) + bets)])
    source = random_source(game.model, rules, begun.wants()[0])
    compiler = _Compiler(game, game.model, source, strategy, end, decided, reuse_shoe=reuse_shoe)
    with no_collection():  # which would take a third of the time, and free nothing
        start = compiler.state(compiler.node(begun), "")
    rows, ends = tuple(compiler.rows), tuple(compiler.ends)
    return order_by_visits(Automaton(source.columns, bool(source.replaced), rows, ends, bets, stake), start)


def main_bets(game: Game, rules: Any) -> tuple[str, ...]:
    """Return the names of the bets that can be placed alone."""
    return tuple(bet.name for bet in game.bets(rules) if bet.main)


def side_bets(game: Game, rules: Any) -> tuple[str, ...]:
    """Return the names of the other bets that the game's model describes."""
    sides = game.model.side_bets if game.model else {}
    return tuple(bet.name for bet in game.bets(rules) if bet.name in sides)


def unit_stake(game: Game, rules: Any, side: str = "") -> int:
    """Return the smallest stake whose payouts and halves are whole, for the main bets and one side bet."""
    placed = (bet for bet in game.bets(rules) if bet.main or bet.name == side)
    return 2 * lcm(*(pay.odds.staked for bet in placed for pay in bet.pays))


class _Node(NamedTuple):
    """A round and everything that its future depends on."""

    round: Any
    situation: Hashable


class _Branch(NamedTuple, Generic[E]):
    """A round's next want and the nodes after each answer; without a want, the round has ended with `end`."""

    round: Any
    want: Want | None
    after: tuple[_Node, ...]
    end: E | None = None


class _Compiler(Generic[E]):
    """Builds rows in post-order: a state's successors precede it."""

    def __init__(
        self,
        game: Game,
        model: Model,
        source: ItemSource,
        strategy: Strategy,
        end: Callable[[SettledLines], E],
        decided: Callable[[Any], Settled | None],
        *,
        reuse_shoe: bool,
    ) -> None:
        self.names = tuple("".join(group) for group in source.columns)
        self.rows: dict[tuple[int, ...], int] = {}
        self.ends: dict[E, int] = {}
        self._random_source = source
        self._game = game
        self._model = model
        self._strategy = strategy
        self._end_of = end
        self._decided = decided
        self._shoe_goes_on = reuse_shoe
        self._branches: dict[Hashable, _Branch[E]] = {}
        self._states: dict[Hashable, int] = {}

    def node(self, round_: Any) -> _Node:
        return _Node(round_, (self._model.state_key(round_), self._strategy.memory_key(round_)))

    def state(self, node: _Node, face_down: str) -> int:
        """Return the state of a node; `face_down` is the hidden card's group of ranks, UNSEEN, or ""."""
        key = node.situation, face_down
        if key not in self._states:
            branch = self._branches.get(node.situation)
            if branch is None:
                branch = self._branches[node.situation] = self._branch(node.round)
            self._states[key] = self._expand(branch, face_down)
        return self._states[key]

    def _branch(self, round_: Any) -> _Branch[E]:
        if line := self._decided(round_):
            return _Branch(round_, None, (), self._end_of((line,)))
        wants = round_.wants()
        if not wants:
            return _Branch(round_, None, (), self._end(round_))
        want = wants[0]
        answers = self._answers(round_, want)
        return _Branch(round_, want, tuple(self.node(round_.answer(want, answer)) for answer in answers))

    def _answers(self, round_: Any, want: Want) -> tuple[Answer, ...]:
        match want:
            case Decision():
                return (self._strategy.decide(round_, want),)
            case DealFaceDown():
                return (None,)
            case Peek():
                return False, True
            case TurnCard():
                return ()
        if with_replacement(want) != self._random_source.replaced:
            raise ValueError(f"{self._game.title} draws from more than one thing in a round")
        return self._random_source.answers

    def _end(self, round_: Any) -> E:
        return self._end_of(self._game.settle(round_))

    def _expand(self, branch: _Branch[E], face_down: str) -> int:
        match branch.want:
            case None:
                return self._end_state(branch, face_down)
            case Decision():
                return self.state(branch.after[0], face_down)
            case DealFaceDown():
                return self.state(branch.after[0], UNSEEN)
            case Peek(_, ranks):
                return self._row(self.state(branch.after[_within(name, ranks)], name) for name in self.names)
            case TurnCard() if face_down != UNSEEN:
                return self._turn(branch, self._random_source.answers[self.names.index(face_down)])
            case TurnCard():
                return self._row(self._turn(branch, card) for card in self._random_source.answers)
        return self._row(self.state(after, face_down) for after in branch.after)

    def _turn(self, branch: _Branch[E], card: Answer) -> int:
        """Answer directly: after a peek the round rejects a card that contradicts it."""
        assert branch.want is not None
        return self.state(self.node(branch.round.answer(branch.want, card)), "")

    def _end_state(self, branch: _Branch[E], face_down: str) -> int:
        """A card that is never turned still leaves a shoe that is used again."""
        assert branch.end is not None
        end = ~self.ends.setdefault(branch.end, len(self.ends))
        return self._row(end for _ in self.names) if face_down == UNSEEN else end

    def _row(self, successors: Iterator[int]) -> int:
        row = tuple(successors)
        if not self._shoe_goes_on and len(set(row)) == 1:
            return row[0]
        return self.rows.setdefault(row, len(self.rows))


def _within(group: str, ranks: str) -> bool:
    """Return whether the dealer peeks for the ranks of a group; a group is never split by a peek."""
    found = group[0] in ranks
    assert all((rank in ranks) == found for rank in group), f"a peek tells apart {group}"
    return found
