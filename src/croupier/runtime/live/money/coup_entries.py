"""Between a live table and the books: the stakes of many and the coup that ends their rounds, an entry each.

In the books a round is one player's: `ROUND.PLAYER`. What all players of a round need for a replay (rules,
cards, decisions, the table's record) stands once, in the body of the coup.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

import croupier
from croupier.equipment.rng import RNG_VERSION
from croupier.ledger import entries
from croupier.ledger.entries import Entry, Json, Share, Ticket
from croupier.ledger.protocol import RoundRecord
from croupier.play.contract.rules_text import rules_key
from croupier.play.contract.wants import At
from croupier.tables.live.effects import Hold, Raise, Release, Settle, Void
from croupier.tables.live.notices import ResolvedDecision
from croupier.tables.live.state import State

Move = Hold | Raise | Release
Money = Move | Settle | Void


def ticket(effect: Money, table: str) -> Ticket:
    """The effect's round as the books know it."""
    return Ticket(round_id(effect.round, effect.player), effect.player, table, effect.currency)


def round_id(round_: str, player: str) -> str:
    return f"{round_}.{player}"


class Stakes(NamedTuple):
    """An entry of the books, and in the order of its shares the `moves` that it is about."""

    entry: Entry
    moves: tuple[Move, ...]


def stakes(moves: Iterable[Move], table: str, number: str, at_ms: int) -> list[Stakes]:
    """What is set aside and given back, in as few entries as may be: one currency each, each player once."""
    apart: dict[str, list[dict[str, Move]]] = {}
    for move in moves:
        of_currency = apart.setdefault(move.currency, [{}])
        if move.player in of_currency[-1]:
            of_currency.append({})
        of_currency[-1][move.player] = move
    return [
        _stakes(tuple(each.values()), table, currency, number, at_ms)
        for currency, every in apart.items()
        for each in every
    ]


def _stakes(moves: tuple[Move, ...], table: str, currency: str, number: str, at_ms: int) -> Stakes:
    shares = [Share(round_id(move.round, move.player), move.player, *_way(move)) for move in moves]
    return Stakes(entries.stakes(hold_key(moves[0]), at_ms, table, currency, shares, number=number), moves)


def _way(move: Move) -> tuple[int, int]:
    """What is staked, and what returns."""
    return (0, move.amount_minor) if isinstance(move, Release) else (move.amount_minor, 0)


def hold_key(move: Move) -> str:
    """No other hold or release has it: by that of its first an entry of many is known.

    What was held in vain is given back under the number it was held with.
    """
    key = f"{round_id(move.round, move.player)}.{move.hold}"
    return f"{key}.back" if isinstance(move, Release) else key


class Laid(Struct, frozen=True, gc=False):
    """A player's bet: its place among what was bet on, and the stakes on each."""

    place: int
    stakes: tuple[int, ...]


class Bets:
    """Everybody's bets as a coup tells them: ready once they are closed, for nobody's changes any more."""

    def __init__(self, state: State) -> None:
        on: dict[Any, int] = {}
        self._laid: dict[str, Laid] = {}
        for name, player in state.players.items():
            if player.bet:
                boxes, bets, stakes = zip(*player.bet, strict=True)
                self._laid[name] = Laid(on.setdefault((boxes, bets), len(on)), stakes)
        self.on = [[*zip(boxes, bets, strict=True)] for boxes, bets in on]

    def of(self, players: Iterable[str]) -> list[Laid]:
        return [*map(self._laid.__getitem__, players)]


def coup_entries(
    before: State,
    settles: Sequence[Settle],
    voids: Sequence[Void],
    at_ms: int,
    *,
    emptied: Iterable[Ticket] = (),
    bets: Bets | None = None,
    reason: str = "",
) -> list[Entry]:
    """One entry for each currency, of the `settles` or the `voids` of one step; `reason`: why it cancels.

    `before` is the table as it was before that step, `bets` those of its round, if they are ready. `emptied`
    are rounds that stand open in the books with nothing staked any more: they end with the others.
    """
    nothing_left: dict[str, list[Share]] = {}
    for of in emptied:
        nothing_left.setdefault(of.currency, []).append(Share(of.round, of.player, 0, 0))
    ends = [*settles, *_given_back(before, voids)]
    told = Told(before, bets or Bets(before), ends, reason)
    by_currency = _by_currency(ends)
    return [
        told.entry(currency, by_currency.get(currency, ()), nothing_left.get(currency, ()), at_ms)
        for currency in dict.fromkeys((*by_currency, *nothing_left))
    ]


def _given_back(before: State, voids: Iterable[Void]) -> Iterator[Settle]:
    """A round that is cancelled ends like one that returns all: with what was dealt and decided before."""
    play = before.play
    for void in voids:
        steps = play.steps(void.player) if play else ()
        of, made = (void.player, void.currency, void.round), before.players[void.player].made
        yield Settle(*of, void.staked_minor, void.staked_minor, (), steps, made)


def _by_currency(ends: Iterable[Settle]) -> dict[str, list[Settle]]:
    by_currency: dict[str, list[Settle]] = {}
    for end in ends:
        by_currency.setdefault(end.currency, []).append(end)
    return by_currency


class Told:
    """What a coup tells of a table's round, for every player in it; `reason`: why it is cancelled.

    Where players sit they share one deal too: all their bets and decisions belong to everybody's replay.
    """

    def __init__(self, before: State, bets: Bets, ends: Sequence[Settle], reason: str) -> None:
        self._before = before
        self._bets = bets
        self._everybody = ends if before.setup.seats else ()
        self._made_by_all = _deciders(made for end in self._everybody for made in end.made)
        self._reason = reason

    def entry(self, currency: str, ends: Sequence[Settle], emptied: Sequence[Share], at_ms: int) -> Entry:
        round_, table, reason = self._before.round, self._before.setup.table.id, self._reason
        shares = [*map(_share, ends), *emptied]
        body = self._body(ends)
        if reason:
            return entries.call_off(f"{round_}:off:{currency}", at_ms, table, currency, shares, reason, body)
        return entries.coup(f"{round_}:{currency}", at_ms, table, currency, shares, body)

    def _body(self, ends: Sequence[Settle]) -> Mapping[str, Json]:
        """`players` and `stakes` are in the order of the shares; see `records`."""
        table = self._before.setup.table
        steps, made = Distinct(), Distinct()
        laid = self._bets.of(end.player for end in ends)
        return {
            "rules": rules_key(table.game, table.rules),
            "rules_version": table.rules_version,
            "server": croupier.__version__,
            "rng": RNG_VERSION,
            "number": self._before.number,
            "seats": [wager for end in self._everybody for wager in self._before.players[end.player].bet],
            "players": {
                "steps": steps.places(end.steps for end in ends),
                "bets": [each.place for each in laid],
                "made": made.places(self._made_by_all or _deciders(end.made) for end in ends),
            },
            "stakes": [each.stakes for each in laid],
            "steps": [*steps],
            "bets": self._bets.on,
            "made": [*made],
        }


def _deciders(every: Iterable[ResolvedDecision]) -> tuple[tuple[At, str], ...]:
    """Which hand, and who decided, in the order of the decisions about each hand."""
    return tuple([(made.at, made.by) for made in every])


class Distinct(dict[Any, int]):
    """Values by their places, each once: 10,000 players share few of them."""

    def places(self, values: Iterable[Any]) -> list[int]:
        place = self.setdefault
        return [place(value, len(self)) for value in values]


def _share(end: Settle) -> Share:
    return Share(round_id(end.round, end.player), end.player, end.staked_minor, end.returned_minor)


def call_offs(left_open: Iterable[RoundRecord], at_ms: int, reason: str) -> list[Entry]:
    """Rounds that stand open in the books are cancelled, in one entry for each table and currency."""
    shares: dict[tuple[str, str], list[Share]] = {}
    for line in left_open:
        share = Share(line.id, line.player, line.staked_minor, line.staked_minor)
        shares.setdefault((line.table, line.currency), []).append(share)
    return [
        entries.call_off(f"off:{each[0].round}", at_ms, table, currency, each, reason)
        for (table, currency), each in shares.items()
    ]
