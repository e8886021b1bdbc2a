"""Between a live table and the books: the stakes of many and the coup that ends their rounds, an entry each.

In the books a round is one player's: `ROUND.PLAYER`. What all players of a round need for a replay (rules,
cards, decisions, the table's record) stands once, in the body of the coup.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import croupier
from croupier.equipment.rng import RNG_VERSION
from croupier.ledger import entries
from croupier.ledger.book import RoundRecord
from croupier.ledger.entries import Entry, Json, Share, Ticket
from croupier.play.wants import At
from croupier.server import records
from croupier.tables.live.effects import Hold, Raise, Release, Settle, Void
from croupier.tables.live.plays import Wagers
from croupier.tables.live.state import State
from croupier.tables.live.told import Made

End = Settle | Void
Move = Hold | Raise | Release
Money = Move | End


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
    """No other hold or release has it: by that of its first an entry of many is known."""
    return f"{round_id(move.round, move.player)}.{move.hold}"


def coup_entries(
    before: State,
    settles: Sequence[Settle],
    voids: Sequence[Void],
    at_ms: int,
    *,
    emptied: Iterable[Ticket] = (),
) -> list[Entry]:
    """One entry for each currency, of the `settles` or the `voids` of one step.

    `before` is the table as it was before that step. `emptied` are rounds that stand open in the books with
    nothing staked any more: they end with the others.
    """
    nothing_left: dict[str, list[Share]] = {}
    for of in emptied:
        nothing_left.setdefault(of.currency, []).append(Share(of.round, of.player, 0, 0))
    ends = _by_currency([*settles, *voids])
    told = Told(before, [*settles, *voids])
    return [
        told.entry(currency, ends.get(currency, ()), nothing_left.get(currency, ()), at_ms)
        for currency in dict.fromkeys((*ends, *nothing_left))
    ]


def _by_currency(ends: Iterable[End]) -> dict[str, list[End]]:
    by_currency: dict[str, list[End]] = {}
    for end in ends:
        by_currency.setdefault(end.currency, []).append(end)
    return by_currency


class Told:
    """What a coup tells of a table's round, for every player in it.

    Where players sit they share one deal too: all their bets and decisions belong to everybody's replay.
    """

    def __init__(self, before: State, ends: Sequence[End]) -> None:
        self._before = before
        self._players = dict(before.players.items())
        self._everybody = ends if before.setup.seats else ()
        self._made_by_all = [made for end in self._everybody for made in self._made_by(end)]

    def entry(self, currency: str, ends: Sequence[End], emptied: Sequence[Share], at_ms: int) -> Entry:
        round_, table = self._before.round, self._before.setup.table.id
        shares = [*map(_share, ends), *emptied]
        reason = next((end.reason for end in ends if isinstance(end, Void)), "")
        body = self._body(ends)
        if reason:
            return entries.call_off(f"{round_}:off:{currency}", at_ms, table, currency, shares, reason, body)
        return entries.coup(f"{round_}:{currency}", at_ms, table, currency, shares, body)

    def _body(self, ends: Sequence[End]) -> Mapping[str, Json]:
        """`players`, in the order of the shares: where his steps, bets and decisions are in those lists."""
        table = self._before.setup.table
        lists = {what: Distinct() for what in records.TOLD}
        steps, bets, made = lists.values()
        players = zip(
            steps.places(map(self._steps, ends)),
            bets.places(map(self._bet, ends)),
            made.places(map(self._made, ends)),
            strict=True,
        )
        return {
            "rules": records.rules_key(table),
            "rules_version": table.rules_version,
            "server": croupier.__version__,
            "rng": RNG_VERSION,
            "number": self._before.number,
            "seats": [wager for end in self._everybody for wager in self._bet(end)],
            **{what: [*distinct] for what, distinct in lists.items()},
            "players": [*map(list, players)],
        }

    def _bet(self, end: End) -> Wagers:
        return self._players[end.player].bet

    def _steps(self, end: End) -> tuple[str, ...]:
        """Of a round that is cancelled, those that were dealt and decided before."""
        if isinstance(end, Settle):
            return end.steps
        play = self._before.play
        return play.steps(end.player) if play else ()

    def _made(self, end: End) -> tuple[tuple[At, str], ...]:
        """Which hand, and who decided, in the order of the decisions about each hand."""
        return tuple([(made.at, made.by) for made in self._made_by_all or self._made_by(end)])

    def _made_by(self, end: End) -> tuple[Made, ...]:
        return end.made if isinstance(end, Settle) else self._players[end.player].made


class Distinct(dict[Any, int]):
    """Values by their places, each once: 10,000 players share few of them."""

    def places(self, values: Iterable[Any]) -> list[int]:
        place = self.setdefault
        return [place(value, len(self)) for value in values]


def _share(end: End) -> Share:
    returned = end.returned_minor if isinstance(end, Settle) else end.staked_minor
    return Share(round_id(end.round, end.player), end.player, end.staked_minor, returned)


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
