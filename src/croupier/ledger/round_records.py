"""Derive a round's summary and record from its entries; used by posting and by the audit."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import asdict, replace

from croupier.ledger.entries import SHARES_MAX, Entry, Kind, Share, Shares
from croupier.ledger.protocol import RoundRecord, RoundSummary, Status
from croupier.refusal import Refused

COUP_STATUS: Mapping[Kind, Status] = {"coup": "settled", "call_off": "void"}


def follow(before: RoundSummary | None, entry: Entry, seq: int) -> RoundSummary:
    """Return the round after `entry`, one of ROUND_KINDS, which stands at `seq`.

    Refused: `round_exists`, `round_unknown`, `round_ended`, `wrong_stake`.
    """
    if entry.kind == "deal":
        return _open(before, entry, seq)
    if before is None or not _matches(entry, before):
        raise Refused("round_unknown", round=entry.round)
    if before.status != "open":
        raise Refused("round_ended", round=entry.round)
    match entry.kind:
        case "answer":
            return replace(before, staked_minor=before.staked_minor + entry.moved("cash", "in_play"))
        case "release":
            return _release(before, entry)
        case "settle":
            return _settle(before, entry, seq)
        case _:
            return _void(before, entry, seq)


def _matches(entry: Entry, round_: RoundSummary) -> bool:
    currency = entry.moves[0].debit.currency if entry.moves else round_.currency
    return (entry.player, entry.table, currency) == (round_.player, round_.table, round_.currency)


def _open(before: RoundSummary | None, entry: Entry, seq: int) -> RoundSummary:
    if before is not None:
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


def follow_stake(
    before: RoundSummary | None, entry: Entry, share: Share, seq: int, place: int
) -> RoundSummary:
    """Return the round after its `share`, at `place` in an entry of `stakes` that stands at `seq`.

    Refused: `round_unknown`, `round_ended`, `wrong_stake`.
    """
    assert entry.shares is not None
    owner = share.player, entry.table, entry.shares.currency
    round_ = before
    if round_ is None:
        round_ = RoundSummary(
            share.round, *owner, _number(entry), entry.at_ms, 0, "open", 0, 0, seq, 0, _place(seq, place)
        )
    elif (round_.player, round_.table, round_.currency) != owner:
        raise Refused("round_unknown", round=share.round)
    elif round_.status != "open":
        raise Refused("round_ended", round=share.round)
    staked_minor = round_.staked_minor + share.staked_minor - share.returned_minor
    if staked_minor < 0:
        raise Refused("wrong_stake", round=round_.id, staked_minor=round_.staked_minor)
    stakes = f"{round_.stakes[:-1]},{seq}]" if len(round_.stakes) > len("[]") else f"[{seq}]"
    return replace(round_, staked_minor=staked_minor, stakes=stakes)


def _place(seq: int, share: int = 0) -> int:
    return seq * SHARES_MAX + share


def _number(entry: Entry) -> str:
    return str(entry.body.get("number", ""))


def _release(round_: RoundSummary, entry: Entry) -> RoundSummary:
    released = entry.moved("in_play", "cash")
    if released > round_.staked_minor:
        raise Refused("wrong_stake", round=round_.id, staked_minor=round_.staked_minor)
    return replace(round_, staked_minor=round_.staked_minor - released)


def _settle(round_: RoundSummary, entry: Entry, seq: int) -> RoundSummary:
    _check_stake(round_, entry.moved("in_play", "table"))
    return _ended(round_, entry, seq, "settled", entry.moved("table", "cash"))


def _void(round_: RoundSummary, entry: Entry, seq: int) -> RoundSummary:
    _check_stake(round_, returned := entry.moved("in_play", "cash"))
    return _ended(round_, entry, seq, "void", returned)


def end_all(rounds: Mapping[str, RoundSummary], entry: Entry, shares: Shares, seq: int) -> list[RoundSummary]:
    """Return the rounds that a coup at `seq` ends, in their state after it and in the order of its shares.

    `rounds` are those before it, by id. Refused as `follow` does.
    """
    place = entry.table, shares.currency
    ended = []
    for round_id, player, staked, returned in shares.each:
        round_ = rounds.get(round_id)
        if round_ is None or round_.player != player or (round_.table, round_.currency) != place:
            raise Refused("round_unknown", round=round_id)
        if round_.status != "open":
            raise Refused("round_ended", round=round_id)
        if round_.staked_minor != staked:
            raise Refused("wrong_stake", round=round_id, staked_minor=round_.staked_minor)
        ended.append(_ended(round_, entry, seq, COUP_STATUS[entry.kind], returned))
    return ended


def _ended(round_: RoundSummary, entry: Entry, seq: int, status: Status, returned_minor: int) -> RoundSummary:
    return RoundSummary(
        round_.id,
        round_.player,
        round_.table,
        round_.currency,
        round_.number,
        round_.started_ms,
        entry.at_ms,
        status,
        round_.staked_minor,
        returned_minor,
        round_.opened_seq,
        seq,
        round_.place,
        round_.stakes,
    )


def _check_stake(round_: RoundSummary, released_minor: int) -> None:
    if released_minor != round_.staked_minor:
        raise Refused("wrong_stake", round=round_.id, staked_minor=round_.staked_minor)


def record(round_: RoundSummary, entries: Sequence[Entry], coup: Entry | None, share: int) -> RoundRecord:
    """Build a round's record from its entries, those of ROUND_KINDS in order, and its share of a coup."""
    steps = tuple(step for entry in entries for step in _steps(entry))
    keys = tuple(entry.key for entry in entries)
    body = coup.body if coup else None
    deal = entries[0].body if entries else {}
    return RoundRecord(**asdict(round_), deal=deal, steps=steps, keys=keys, coup=body, share=share)


def _steps(entry: Entry) -> list[str]:
    return msgspec.convert(entry.body.get("steps", ()), list[str])
