"""Check that an entry is well formed."""

from collections.abc import Callable, Mapping, Sequence

from croupier.ledger.entries import (
    BONUS_ROUND_KINDS,
    FLOWS,
    HOUSE,
    HOUSE_KINDS,
    MOVE_MINOR_MAX,
    ROUND_KINDS,
    SHARED_KINDS,
    SHARES_MAX,
    WALLET_KINDS,
    Entry,
    Kind,
    Move,
    Share,
)

NEEDS_NO_MOVES = (
    SHARED_KINDS
    | {"answer", "note", "bonus_return", "bonus_convert", "bonus_forfeit"}
    | (WALLET_KINDS - {"wallet_debited"})
)
OF_ROUND = ROUND_KINDS | BONUS_ROUND_KINDS | WALLET_KINDS


def check(entry: Entry) -> None:
    """Raise ValueError if an entry isn't well formed, which is an error in the program."""
    if not entry.key:
        raise ValueError("an entry needs a key")
    if entry.kind != "note" and bool(entry.round) != (entry.kind in OF_ROUND):
        raise ValueError(f"{entry.key}: a {entry.kind} with round {entry.round!r}")
    if (entry.shares is not None) != (entry.kind in SHARED_KINDS):
        raise ValueError(f"{entry.key}: a {entry.kind} with shares {entry.shares}")
    if entry.shares is not None:
        _check_shares(entry)
    _check_flows(entry, [(debit.kind, credit.kind) for debit, credit, _ in entry.moves])
    for move in entry.moves:
        _check_move(entry, move)


def _check_flows(entry: Entry, flows: Sequence[tuple[str, str]]) -> None:
    if not FLOWS[entry.kind].issuperset(flows) or not (flows or entry.kind in NEEDS_NO_MOVES):
        raise ValueError(f"{entry.key}: a {entry.kind} can't move {list(flows)}")
    if len(flows) > 1:
        _check_combined(entry, flows)


def _check_combined(entry: Entry, flows: Sequence[tuple[str, str]]) -> None:
    if len({move.debit.currency for move in entry.moves}) > 1 or len(set(flows)) < len(flows):
        raise ValueError(f"{entry.key}: an entry moves one currency, and each flow once")


def _check_move(entry: Entry, move: Move) -> None:
    debit, credit, amount = move
    if debit.currency != credit.currency:
        raise ValueError(f"{entry.key}: {debit.currency} can't become {credit.currency}")
    if type(amount) is not int or not 0 < amount <= MOVE_MINOR_MAX:
        raise ValueError(f"{entry.key}: {amount!r} isn't an amount to move")
    for account in (debit, credit):
        if not account.owner or account.owner != _owner(entry, account.kind):
            raise ValueError(f"{entry.key}: {account} isn't an account of this entry")


def _owner(entry: Entry, kind: str) -> str:
    if kind in HOUSE_KINDS:
        return HOUSE
    return entry.table if kind == "table" else entry.player


def _check_shares(entry: Entry) -> None:
    assert entry.shares is not None
    if not entry.table or not entry.shares.currency or entry.player:
        raise ValueError(f"{entry.key}: a {entry.kind} needs a table and a currency, and no player")
    if len(entry.shares.each) > SHARES_MAX:
        raise ValueError(f"{entry.key}: more than {SHARES_MAX:,} shares")
    rounds = {share.round for share in entry.shares.each}
    if not rounds or len(rounds) < len(entry.shares.each):
        raise ValueError(f"{entry.key}: a {entry.kind} needs at least one round, and each once")
    for share in entry.shares.each:
        _check_share(entry, share)


def _check_share(entry: Entry, share: Share) -> None:
    round_, player, staked, returned = share
    if not (round_ and player and type(staked) is type(returned) is int):
        raise ValueError(f"{entry.key}: {share} isn't a share")
    if not (0 <= staked <= MOVE_MINOR_MAX and 0 <= returned <= MOVE_MINOR_MAX) or not _POSSIBLE[entry.kind](
        *share[2:]
    ):
        raise ValueError(f"{entry.key}: {share} has impossible amounts")


_POSSIBLE: Mapping[Kind, Callable[[int, int], bool]] = {
    "stakes": lambda staked, returned: bool(staked) != bool(returned),
    "coup": lambda staked, returned: not returned or bool(staked),
    "call_off": lambda staked, returned: returned == staked,
}
"""Checks by kind: true if the staked and returned amounts of a share are possible."""
