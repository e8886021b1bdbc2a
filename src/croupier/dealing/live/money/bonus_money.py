"""The bonus money of players at one live table: each stake that it pays is posted with it, or not at all."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from croupier.accounts.bonus_funding import EndedRound, StakeChange, staking, taking_back, voided
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.dealing.live.money import coup_entries
from croupier.dealing.live.money.coup_entries import StakeMove
from croupier.ledger.entries import Entry, Posted, Ticket
from croupier.ledger.protocol import RoundRecord
from croupier.money.bonus.service import Bonuses
from croupier.refusal import Refused
from croupier.tables.live.effects import Release, Settle, Void

BonusChange = tuple[str, str]
"""A player, and the currency of the bonus that has changed."""


class BonusMoney:
    """The part of the bonuses in the entries of one table."""

    def __init__(self, gateway: LedgerGateway, bonuses: Bonuses, table: str) -> None:
        self._gateway = gateway
        self._bonuses = bonuses
        self._table = table
        self._changed: set[BonusChange] = set()
        """Bonuses to be sent to their players once the table is published."""

    def among(self, players: Iterable[str]) -> frozenset[str]:
        """Return those of the players who may have a bonus."""
        return self._bonuses.among(players)

    async def post_moves(
        self, moves: Iterable[StakeMove], number: str, at_ms: int, others: Sequence[Entry]
    ) -> tuple[Sequence[Posted | Refused], Mapping[StakeMove, Refused | None]]:
        """Post moves of players with a bonus, and each of `others` by itself, in one commit.

        Return the results of `others`, and the refusal of each move. What a player's second move can take
        from the bonus depends on the first, so it has a commit of its own.
        """
        results: list[Posted | Refused] = []
        refusals: dict[StakeMove, Refused | None] = {}
        waves = _waves(moves)
        async with self._bonuses.changing({move.player for move in waves[0]}):
            for wave in waves:
                alone = [[entry] for entry in others]
                groups = [await self._group(move, number, at_ms) for move in wave]
                posted = await self._gateway.post_groups([*alone, *groups])
                results += [_single(result) for result in posted[: len(alone)]]
                for move, group, result in zip(wave, groups, posted[len(alone) :], strict=True):
                    refusals[move] = self._apply(group, result)
                others = ()
        self._changed |= {(move.player, move.currency) for move in refusals}
        return results, refusals

    async def _group(self, move: StakeMove, number: str, at_ms: int) -> list[Entry]:
        """Return the entry of a move, and those of the player's bonuses that belong to it."""
        (stakes,) = coup_entries.stakes_entries([move], self._table, number, at_ms)
        key, amount = stakes.entry.key, move.amount_minor
        change = StakeChange(coup_entries.ticket(move, self._table), key, at_ms, amount)
        bonuses = self._bonuses.of(move.player, move.currency)
        if isinstance(move, Release):
            return [stakes.entry, *taking_back(bonuses, change)]
        cash = await self._bonuses.cash_minor(move.player, move.currency)
        return [*(entry for bonus in bonuses for entry in staking(bonus, change, cash)), stakes.entry]

    def _apply(self, group: Sequence[Entry], result: tuple[Posted, ...] | Refused) -> Refused | None:
        """Apply a posted group; return why it was refused, if it was."""
        if isinstance(result, Refused):
            return result
        self._bonuses.apply(group)
        return next((refused for posted in result for refused in posted.refused if refused), None)

    async def post_end(
        self,
        entries: Sequence[Entry],
        ended: Iterable[Settle | Void],
        rounds: Mapping[str, Ticket],
        at_ms: int,
    ) -> None:
        """Post the end of a table's rounds with what the bonuses get back and count.

        `rounds`: the open ones by player.
        """
        players = self.among(rounds.keys())
        ends = [*_ends(ended, {player: rounds[player] for player in players}, at_ms)] if players else []
        await _post_ends(self._gateway, self._bonuses, entries, ends)
        self._changed |= {(end.ticket.player, end.ticket.currency) for end in ends}

    def send_changes(self, catch_up: Callable[[str], None]) -> None:
        """Send changed bonuses to their players; `catch_up` sends the events that changed them before."""
        for player, currency in self._changed:
            catch_up(player)
            self._bonuses.send(player, currency)
        self._changed.clear()

    async def post_call_offs(self, records: Sequence[RoundRecord], at_ms: int, reason: str) -> None:
        """Cancel the table's rounds: every stake returns to where it came from."""
        await post_call_offs(self._gateway, self._bonuses, records, at_ms, reason)
        players = self.among(record.player for record in records)
        self._changed |= {(record.player, record.currency) for record in records if record.player in players}


async def post_call_offs(
    gateway: LedgerGateway, bonuses: Bonuses, records: Sequence[RoundRecord], at_ms: int, reason: str
) -> None:
    """Cancel rounds of live tables: every stake returns to where it came from."""
    entries = coup_entries.call_offs(records, at_ms, reason)
    players = bonuses.among(record.player for record in records)
    ends = [voided(record, at_ms) for record in records if record.player in players]
    await _post_ends(gateway, bonuses, entries, ends)


async def _post_ends(
    gateway: LedgerGateway, bonuses: Bonuses, entries: Sequence[Entry], ends: Sequence[EndedRound]
) -> None:
    async with bonuses.changing({end.ticket.player for end in ends}):
        returns = bonuses.ends_of(ends)
        await gateway.post([*entries, *returns])
        bonuses.apply(returns)


def _ends(ended: Iterable[Settle | Void], rounds: Mapping[str, Ticket], at_ms: int) -> Iterator[EndedRound]:
    """Yield the ends of `rounds`; those without a stake end with the others."""
    left = dict(rounds)
    for end in ended:
        if ticket := left.pop(end.player, None):
            staked, settled = end.staked_minor, isinstance(end, Settle)
            returned = end.returned_minor if isinstance(end, Settle) else staked
            yield EndedRound(ticket, at_ms, staked, returned, settled)
    for ticket in left.values():
        yield EndedRound(ticket, at_ms, 0, 0, settled=False)


def _waves(moves: Iterable[StakeMove]) -> list[list[StakeMove]]:
    """Return the players' first moves, then their second ones, and so on."""
    waves, made = list[list[StakeMove]](), defaultdict[str, int](int)
    for move in moves:
        if made[move.player] == len(waves):
            waves.append([])
        waves[made[move.player]].append(move)
        made[move.player] += 1
    return waves


def _single(result: tuple[Posted, ...] | Refused) -> Posted | Refused:
    return result if isinstance(result, Refused) else result[0]
