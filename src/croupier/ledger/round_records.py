"""What entries make of a round: its line in the index, and its record. For posting and audit alike."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import asdict, replace

from croupier.ledger.entries import SHARES_MAX, Entry, Kind, Share, Shares
from croupier.ledger.protocol import RoundRecord, RoundSummary, Status
from croupier.refusal import Refused

COUP_STATUS: Mapping[Kind, Status] = {"coup": "settled", "call_off": "void"}


def follow(line: RoundSummary | None, entry: Entry, seq: int) -> RoundSummary:
    """The round's line after `entry`, one of ROUND_KINDS and at `seq`; `line` is what stood before.

    Refused: `round_exists`, `round_unknown`, `round_ended`, `wrong_stake`.
    """
    if entry.kind == "deal":
        return _open(line, entry, seq)
    if line is None or not _of_ticket(entry, line):
        raise Refused("round_unknown", round=entry.round)
    if line.status != "open":
        raise Refused("round_ended", round=entry.round)
    match entry.kind:
        case "answer":
            return replace(line, staked_minor=line.staked_minor + entry.moved("cash", "in_play"))
        case "release":
            return _release(line, entry)
        case "settle":
            return _settle(line, entry, seq)
        case _:
            return _void(line, entry, seq)


def _of_ticket(entry: Entry, line: RoundSummary) -> bool:
    currency = entry.moves[0].debit.currency if entry.moves else line.currency
    return (entry.player, entry.table, currency) == (line.player, line.table, line.currency)


def _open(line: RoundSummary | None, entry: Entry, seq: int) -> RoundSummary:
    if line is not None:
        raise Refused("round_exists", round=entry.round)
    return RoundSummary(
        id=entry.round,
        player=entry.player,
        table=entry.table,
        currency=entry.moves[0].debit.currency,
        number=_number(entry),
        started_ms=entry.at_ms,
        ended_ms=0,
        status="open",
        staked_minor=entry.moved("cash", "in_play"),
        returned_minor=0,
        opened_seq=seq,
        ended_seq=0,
        place=_place(seq),
    )


def staked(line: RoundSummary | None, entry: Entry, share: Share, seq: int, place: int) -> RoundSummary:
    """The round's line after its `share`, at `place`, of an entry of `stakes`; `line` is what stood before.

    Refused: `round_unknown`, `round_ended`, `wrong_stake`.
    """
    assert entry.shares is not None
    of = share.player, entry.table, entry.shares.currency
    if line is None:
        line = RoundSummary(
            share.round, *of, _number(entry), entry.at_ms, 0, "open", 0, 0, seq, 0, _place(seq, place)
        )
    elif (line.player, line.table, line.currency) != of:
        raise Refused("round_unknown", round=share.round)
    elif line.status != "open":
        raise Refused("round_ended", round=share.round)
    staked_minor = line.staked_minor + share.staked_minor - share.returned_minor
    if staked_minor < 0:
        raise Refused("wrong_stake", round=line.id, staked_minor=line.staked_minor)
    stakes = f"{line.stakes[:-1]},{seq}]" if len(line.stakes) > len("[]") else f"[{seq}]"
    return replace(line, staked_minor=staked_minor, stakes=stakes)


def _place(seq: int, share: int = 0) -> int:
    return seq * SHARES_MAX + share


def _number(entry: Entry) -> str:
    return str(entry.body.get("number", ""))


def _release(line: RoundSummary, entry: Entry) -> RoundSummary:
    released = entry.moved("in_play", "cash")
    if released > line.staked_minor:
        raise Refused("wrong_stake", round=line.id, staked_minor=line.staked_minor)
    return replace(line, staked_minor=line.staked_minor - released)


def _settle(line: RoundSummary, entry: Entry, seq: int) -> RoundSummary:
    _all_of_it(line, entry.moved("in_play", "table"))
    return _ended(line, entry, seq, "settled", entry.moved("table", "cash"))


def _void(line: RoundSummary, entry: Entry, seq: int) -> RoundSummary:
    _all_of_it(line, returned := entry.moved("in_play", "cash"))
    return _ended(line, entry, seq, "void", returned)


def shared(lines: Mapping[str, RoundSummary], entry: Entry, shares: Shares, seq: int) -> list[RoundSummary]:
    """The lines of the rounds that a coup ends, as they are after it, in the order of its shares.

    `lines` are those that stood before; `entry` stands at `seq`. Refused as `follow` does.
    """
    of = entry.table, shares.currency
    ended = []
    for round_, player, staked, returned in shares.each:
        line = lines.get(round_)
        if line is None or line.player != player or (line.table, line.currency) != of:
            raise Refused("round_unknown", round=round_)
        if line.status != "open":
            raise Refused("round_ended", round=round_)
        if line.staked_minor != staked:
            raise Refused("wrong_stake", round=round_, staked_minor=line.staked_minor)
        ended.append(_ended(line, entry, seq, COUP_STATUS[entry.kind], returned))
    return ended


def _ended(line: RoundSummary, entry: Entry, seq: int, status: Status, returned_minor: int) -> RoundSummary:
    return RoundSummary(
        line.id,
        line.player,
        line.table,
        line.currency,
        line.number,
        line.started_ms,
        entry.at_ms,
        status,
        line.staked_minor,
        returned_minor,
        line.opened_seq,
        seq,
        line.place,
        line.stakes,
    )


def _all_of_it(line: RoundSummary, released_minor: int) -> None:
    if released_minor != line.staked_minor:
        raise Refused("wrong_stake", round=line.id, staked_minor=line.staked_minor)


def record(line: RoundSummary, entries: Sequence[Entry], coup: Entry | None, share: int) -> RoundRecord:
    """The record of a round from its line, its entries (those of ROUND_KINDS, in order), and its coup."""
    steps = tuple(step for entry in entries for step in _steps(entry))
    keys = tuple(entry.key for entry in entries)
    body = coup.body if coup else None
    deal = entries[0].body if entries else {}
    return RoundRecord(**asdict(line), deal=deal, steps=steps, keys=keys, coup=body, share=share)


def _steps(entry: Entry) -> list[str]:
    return msgspec.convert(entry.body.get("steps", ()), list[str])
