"""Ledger entries of a live table: the stakes of many players, and the coup that ends their rounds.

In the ledger a round is one player's: `ROUND.PLAYER`. What every player's replay needs (rules, cards,
decisions, the table's recording) stands once, in the body of the coup.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from croupier.build import current_build
from croupier.equipment.rng import RNG_VERSION
from croupier.ledger import entries
from croupier.ledger.entries import Entry, Json, Share, Ticket
from croupier.ledger.protocol import RoundRecord
from croupier.play.contract.rules_text import rules_key
from croupier.play.contract.wants import At
from croupier.tables.live.effects import Hold, MoneyEffect, Raise, Release, Settle, Void
from croupier.tables.live.notices import ResolvedDecision
from croupier.tables.live.state import State

StakeMove = Hold | Raise | Release


def ticket(effect: MoneyEffect, table: str) -> Ticket:
    """Return the effect's round as the ledger has it."""
    return Ticket(round_id(effect.round, effect.player), effect.player, table, effect.currency)


def round_id(round_: str, player: str) -> str:
    return f"{round_}.{player}"


class StakesEntry(NamedTuple):
    """An entry, and its `moves` in the order of its shares."""

    entry: Entry
    moves: tuple[StakeMove, ...]


def stakes_entries(moves: Iterable[StakeMove], table: str, number: str, at_ms: int) -> list[StakesEntry]:
    """Return the fewest entries for the moves: one currency each, and each player once in an entry."""
    by_currency: dict[str, list[dict[str, StakeMove]]] = {}
    for move in moves:
        groups = by_currency.setdefault(move.currency, [{}])
        if move.player in groups[-1]:
            groups.append({})
        groups[-1][move.player] = move
    return [
        _stakes_entry(tuple(group.values()), table, currency, number, at_ms)
        for currency, groups in by_currency.items()
        for group in groups
    ]


def _stakes_entry(
    moves: tuple[StakeMove, ...], table: str, currency: str, number: str, at_ms: int
) -> StakesEntry:
    shares = [Share(round_id(move.round, move.player), move.player, *_amounts(move)) for move in moves]
    entry = entries.stakes(hold_key(moves[0]), at_ms, table, currency, shares, number=number)
    return StakesEntry(entry, moves)


def _amounts(move: StakeMove) -> tuple[int, int]:
    """Return what is staked, and what is returned."""
    return (0, move.amount_minor) if isinstance(move, Release) else (move.amount_minor, 0)


def hold_key(move: StakeMove) -> str:
    """Return a key that no other move has; the key of an entry's first move is the entry's.

    A hold that wasn't needed is released under its own number.
    """
    key = f"{round_id(move.round, move.player)}.{move.hold}"
    return f"{key}.back" if isinstance(move, Release) else key


class CoupBet(Struct, frozen=True, gc=False):
    """A player's bet: its place in `CoupBets.on`, and the stake on each bet there."""

    place: int
    stakes: tuple[int, ...]


class CoupBets:
    """The bets of a round in the form of a coup, made when they are final. `on`: each combination once."""

    def __init__(self, state: State) -> None:
        on: dict[Any, int] = {}
        self._bets: dict[str, CoupBet] = {}
        for name, player in state.players.items():
            if player.bet:
                boxes, bets, stakes = zip(*player.bet, strict=True)
                self._bets[name] = CoupBet(on.setdefault((boxes, bets), len(on)), stakes)
        self.on = [[*zip(boxes, bets, strict=True)] for boxes, bets in on]

    def of(self, players: Iterable[str]) -> list[CoupBet]:
        return [*map(self._bets.__getitem__, players)]


def coup_entries(
    before: State,
    settles: Sequence[Settle],
    voids: Sequence[Void],
    at_ms: int,
    *,
    emptied: Iterable[Ticket] = (),
    bets: CoupBets | None = None,
    reason: str = "",
) -> list[Entry]:
    """Return one entry for each currency, of the `settles` or `voids` of a step; `reason`: of a cancellation.

    `before`: the table before the step. `bets`: of its round, if they are made. `emptied`: open rounds
    without a stake, which end with the others.
    """
    without_stake: dict[str, list[Share]] = {}
    for of in emptied:
        without_stake.setdefault(of.currency, []).append(Share(of.round, of.player, 0, 0))
    ends = [*settles, *_as_settles(before, voids)]
    coup = CoupOfRound(before, bets or CoupBets(before), ends, reason)
    by_currency = _by_currency(ends)
    return [
        coup.entry(currency, by_currency.get(currency, ()), without_stake.get(currency, ()), at_ms)
        for currency in dict.fromkeys((*by_currency, *without_stake))
    ]


def _as_settles(before: State, voids: Iterable[Void]) -> Iterator[Settle]:
    """Yield voids as settlements that return the whole stake, with what was dealt and decided."""
    play = before.play
    for void in voids:
        steps = play.steps(void.player) if play else ()
        of, made = (void.player, void.currency, void.round), before.players[void.player].earlier_decisions
        yield Settle(*of, void.staked_minor, void.staked_minor, (), steps, made)


def _by_currency(ends: Iterable[Settle]) -> dict[str, list[Settle]]:
    by_currency: dict[str, list[Settle]] = {}
    for end in ends:
        by_currency.setdefault(end.currency, []).append(end)
    return by_currency


class CoupOfRound:
    """The common part of the coups of a table's round; `reason`: of a cancellation.

    At a table of seats all bets and decisions belong to every player's replay.
    """

    def __init__(self, before: State, bets: CoupBets, ends: Sequence[Settle], reason: str) -> None:
        self._before = before
        self._bets = bets
        self._seated = ends if before.setup.seats else ()
        self._made_at_seats = _deciders(made for end in self._seated for made in end.decisions)
        self._reason = reason

    def entry(self, currency: str, ends: Sequence[Settle], emptied: Sequence[Share], at_ms: int) -> Entry:
        round_, table, reason = self._before.round, self._before.setup.table.id, self._reason
        shares = [*map(_share, ends), *emptied]
        body = self._body(ends)
        if reason:
            return entries.call_off(f"{round_}:off:{currency}", at_ms, table, currency, shares, reason, body)
        return entries.coup(f"{round_}:{currency}", at_ms, table, currency, shares, body)

    def _body(self, ends: Sequence[Settle]) -> Mapping[str, Json]:
        """Return the body; `players` and `stakes` are in the order of the shares (see `round_records`)."""
        table = self._before.setup.table
        steps, made = DistinctValues(), DistinctValues()
        bets = self._bets.of(end.player for end in ends)
        return {
            "rules": rules_key(table.game, table.rules),
            "rules_version": table.rules_version,
            "server": current_build().id,
            "rng": RNG_VERSION,
            "number": self._before.number,
            "seats": [wager for end in self._seated for wager in self._before.players[end.player].bet],
            "players": {
                "steps": steps.places(end.steps for end in ends),
                "bets": [bet.place for bet in bets],
                "made": made.places(self._made_at_seats or _deciders(end.decisions) for end in ends),
            },
            "stakes": [bet.stakes for bet in bets],
            "steps": [*steps],
            "bets": self._bets.on,
            "made": [*made],
        }


def _deciders(decisions: Iterable[ResolvedDecision]) -> tuple[tuple[At, str], ...]:
    """Return each decision's hand, and who decided."""
    return tuple([(made.at, made.by) for made in decisions])


class DistinctValues(dict[Any, int]):
    """Each value once, with its place: 10,000 players share few values."""

    def places(self, values: Iterable[Any]) -> list[int]:
        place = self.setdefault
        return [place(value, len(self)) for value in values]


def _share(end: Settle) -> Share:
    return Share(round_id(end.round, end.player), end.player, end.staked_minor, end.returned_minor)


def call_offs(open_rounds: Iterable[RoundRecord], at_ms: int, reason: str) -> list[Entry]:
    """Return the entries that cancel rounds, one for each table and currency."""
    shares: dict[tuple[str, str], list[Share]] = {}
    for record in open_rounds:
        share = Share(record.id, record.player, record.staked_minor, record.staked_minor)
        shares.setdefault((record.table, record.currency), []).append(share)
    return [
        entries.call_off(f"off:{group[0].round}", at_ms, table, currency, group, reason)
        for (table, currency), group in shares.items()
    ]
