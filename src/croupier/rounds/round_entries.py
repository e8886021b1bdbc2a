"""Rounds as ledger entries, and rounds restored from their records."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

import msgspec

from croupier.build import Build, current_build
from croupier.equipment.rng import RNG_VERSION
from croupier.equipment.shoe import Shoe, decode, encode
from croupier.games import games
from croupier.ledger import entries
from croupier.ledger.entries import Entry, Json, Ticket
from croupier.ledger.protocol import LedgerReader, RoundRecord
from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Game, Table
from croupier.play.contract.rules_text import rules_key, rules_text
from croupier.play.contract.wants import DEALER, At
from croupier.play.driving.dealing import DealtRound, RoundStep, parse_step
from croupier.play.driving.sources import ChanceSource, PredrawnSource, ShoeSource
from croupier.refusal import Refused
from croupier.rounds.requests import REQUEST, RequestKey
from croupier.rounds.shoe_seal import Seal
from croupier.tables.own import OwnRound

T = TypeVar("T")
BY = "by"
"""Field of an entry's body: the origin of the decision, if it isn't the player."""
SHARED_LISTS = ("steps", "bets", "made")
"""Fields of a coup's body that are lists shared by its players.

`players` has a column of places for each, in the order of the shares, and `stakes` is how much was on
each of a player's `bets`. Older coups have a row of places for each player, and the stakes in `bets`.
"""


def rules_note(table: Table, now_ms: int) -> Entry:
    """Return the note of a table's rules. It is posted once, under their digest, which each round names."""
    key, text = rules_key(table.game, table.rules), rules_text(table.game, table.rules)
    return entries.note(key, now_ms, {"rules": text})


def build_note(now_ms: int) -> Entry:
    """Return the note of the running build. It is posted once, under the name that each round has for it."""
    build = current_build()
    return entries.note(_build_key(build.id), now_ms, {"build": asdict(build)})


def build_of(ledger: LedgerReader, name: str) -> Build | None:
    """Return the build that a round names; None for rounds of versions that named only their version."""
    note = ledger.entry(_build_key(name))
    return None if note is None else msgspec.convert(note.body["build"], Build)


def _build_key(name: str) -> str:
    return f"build:{name}"


def ticket(player: str, played: OwnRound) -> Ticket:
    return Ticket(played.id, player, played.table.id, played.currency)


def deal_entries(player: str, request: RequestKey, played: OwnRound, seal: Seal) -> list[Entry]:
    """Return the entries of a round that was dealt, with its settlement if it has ended."""
    opened: dict[str, Json] = {
        REQUEST: request.digest,
        "rules": rules_key(played.table.game, played.table.rules),
        "rules_version": played.table.rules_version,
        "server": current_build().id,
        "rng": RNG_VERSION,
        "wagers": [list(wager) for wager in played.wagers],
        **_sealed(played.deal.source, seal, played.id),
    }
    staked = sum(wager.stake_minor for wager in played.wagers)
    first = entries.deal(
        ticket(player, played),
        request.key,
        played.started_ms,
        number=played.number,
        staked_minor=staked,
        steps=[str(step) for step in played.deal.steps],
        opened=opened,
    )
    return [first, *_settlement(player, played, played.started_ms)]


def decision_entries(
    player: str, key: str, before: OwnRound, after: OwnRound, now_ms: int, *, request: str = "", by: str = ""
) -> list[Entry]:
    """Return the entries of a decision: its steps, the added stake, and the settlement if the round ended.

    `request` is the digest of the player's request; empty if the table decides. `by` is the origin of the
    decision, if it isn't the player.
    """
    optional = {REQUEST: request, BY: by}
    answered = entries.answer(
        ticket(player, after),
        key,
        now_ms,
        extra_minor=after.staked_minor - before.staked_minor,
        steps=[str(step) for step in after.steps_since(before)],
        body={name: text for name, text in optional.items() if text},
    )
    return [answered, *_settlement(player, after, now_ms)]


def played_out_key(round_id: str) -> str:
    """Return the key of the entry with the table's decisions for a player who didn't come back."""
    return f"played_out:{round_id}"


def advice_key(round_id: str, turn: int, at: At) -> str:
    """Return the key of the note with the advice given on a decision before it was made."""
    return f"advice:{round_id}:{turn}:{at}"


def _settlement(player: str, played: OwnRound, now_ms: int) -> list[Entry]:
    if not played.ended:
        return []
    return [
        entries.settle(
            ticket(player, played),
            f"settle:{played.id}",
            now_ms,
            staked_minor=played.staked_minor,
            returned_minor=played.returned_minor,
            details=_result(played),
        )
    ]


def _result(played: OwnRound) -> Mapping[str, Json]:
    """Return the result in the game's words, so that a results board needs no replay."""
    live = played.table.game.live
    return {"result": live.result(played.deal.round)} if live else {}


def void_entry(record: RoundRecord, now_ms: int, reason: str) -> Entry:
    """Return the entry that voids a round and returns its stake."""
    return entries.void(
        record.ticket, f"void:{record.id}", now_ms, staked_minor=record.staked_minor, reason=reason
    )


def wagers_of(record: RoundRecord) -> tuple[Wager, ...]:
    """Return the player's bets; those of a live round are known once it has ended."""
    coup: Mapping[str, Any] = record.coup or {}
    bets = _of_player(record, "bets", list[list[Any]])
    if bets and "stakes" in coup:
        bets = [[*bet, minor] for bet, minor in zip(bets, coup["stakes"][record.share], strict=True)]
    return msgspec.convert(bets or record.deal.get("wagers", ()), tuple[Wager, ...])


def steps_of(record: RoundRecord) -> tuple[str, ...]:
    """Return the steps that replay the round. A live round may end before the dealer's last steps."""
    return _of_player(record, "steps", tuple[str, ...]) or record.steps


def deciders_of(record: RoundRecord) -> tuple[tuple[At, str], ...]:
    """Return the hand and the origin of each decision of a live round."""
    return _of_player(record, "made", tuple[tuple[At, str], ...])


def own_deciders(ledger: LedgerReader, record: RoundRecord) -> list[str]:
    """Return the origin of the decision behind each step at an own table; empty for the player."""
    return [by for key in record.keys for by in _entry_deciders(ledger, record, key)]


def _entry_deciders(ledger: LedgerReader, record: RoundRecord, key: str) -> list[str]:
    entry = ledger.entry(key)
    assert entry is not None, "a round's entries are in the journal"
    by = "time_out" if key == played_out_key(record.id) else str(entry.body.get(BY, ""))
    return [by] * len(msgspec.convert(entry.body.get("steps", ()), tuple[str, ...]))


def opening_of(record: RoundRecord) -> Mapping[str, Json]:
    """Return the rules and versions a round was played under; empty for a live round that didn't end."""
    bodies = record.deal, record.coup or {}
    return next((body for body in bodies if "rules" in body), {})


def other_boxes(record: RoundRecord) -> frozenset[int]:
    """Return the boxes of other players in a round with seats."""
    seats = msgspec.convert(opening_of(record).get("seats", ()), tuple[Wager, ...])
    return frozenset(each.box for each in seats) - {each.box for each in wagers_of(record)}


def _of_player(record: RoundRecord, what: str, type_: type[T]) -> T:
    """Return the player's own part of a coup's shared lists; empty without one."""
    coup: Mapping[str, Any] = record.coup or {}
    place = _place(coup.get("players", ()), record.share, what)
    return type_() if place is None else msgspec.convert(coup[what][place], type_)


def _place(players: Any, share: int, what: str) -> int | None:
    rows = not isinstance(players, Mapping)
    places: Sequence[Any] = players if rows else players[what]
    if share >= len(places):
        return None
    place: int = places[share][SHARED_LISTS.index(what)] if rows else places[share]
    return place


def opened_round(ledger: LedgerReader, record: RoundRecord) -> tuple[Any, Any]:
    """Return the game and the round before its first card, under the rules that were in force."""
    opening = opening_of(record)
    note = ledger.entry(str(opening["rules"]))
    if note is None:
        raise LookupError(f"round {record.id}: the rules {opening['rules']} aren't in the ledger")
    rules: Mapping[str, Any] = msgspec.json.decode(str(note.body["rules"]))
    game = games()[rules["game"]]
    wagers = msgspec.convert(opening.get("seats", ()), tuple[Wager, ...]) or wagers_of(record)
    return game, game.start(msgspec.convert(rules["rules"], game.rules), wagers)


def replay_steps(round_: Any, steps: Iterable[str]) -> Iterator[tuple[RoundStep, Any]]:
    """Yield each step of a record and the round after it, until the round has ended.

    The remaining steps are cards that the dealer drew for others at the same live table; any other step is
    refused `not_wanted`.
    """
    for text in steps:
        if not round_.ended:
            step = parse_step(round_, text)
            round_ = round_.answer(*step)
            yield step, round_
        elif not text.startswith(f"{DEALER} "):
            raise Refused("not_wanted", step=text)


def displayed_steps(game: Game, round_: Any, steps: Sequence[str]) -> Iterator[tuple[RoundStep, Any]]:
    """Yield each step of a record and the round as its player saw it, with all of the dealer's cards."""
    played = 0
    for step, after in replay_steps(round_, steps):
        played, round_ = played + 1, after
        yield step, after
    if game.live and (apply := game.live.apply_dealer_step):
        for text in steps[played:]:
            want, answer, round_ = apply(round_, text.partition(" ")[2])
            yield RoundStep(want, answer), round_


def _sealed(source: ChanceSource, seal: Seal, round_id: str) -> dict[str, Json]:
    match source:
        case ShoeSource(shoe):
            return {"shoe": seal.seal(encode(shoe.cards), round_id), "cut": shoe.cut}
        case PredrawnSource(words):
            return {"drawn": seal.seal(" ".join(words).encode(), round_id)}
    raise AssertionError(f"{source} can't be sealed")


def is_own(record: RoundRecord) -> bool:
    """Return whether the round was dealt at an own table."""
    return "shoe" in record.deal or "drawn" in record.deal


def source_of(record: RoundRecord, seal: Seal) -> ChanceSource:
    """Return the source of an own round as it was before the first card."""
    sealed: Mapping[str, Any] = record.deal
    if "drawn" in sealed:
        return PredrawnSource(tuple(seal.unseal(sealed["drawn"], record.id).decode().split()))
    cards = decode(seal.unseal(sealed["shoe"], record.id))
    return ShoeSource(Shoe(cards, dealt=0, cut=sealed["cut"]))


def restore_round(ledger: LedgerReader, record: RoundRecord, table: Table, seal: Seal) -> OwnRound:
    """Restore an unfinished round from its record and its source; raise if they disagree."""
    _, start = opened_round(ledger, record)
    deal = DealtRound(start, source_of(record, seal))
    played = OwnRound(record.id, table, record.currency, record.started_ms, wagers_of(record), deal)
    return played.replayed(record.steps)


def settlement(game: Any, round_: Any) -> tuple[int, int]:
    """Return the stake and return of a round, for `verify`; an open round has returned nothing."""
    returned: Sequence[Any] = game.settle(round_) if round_.ended else ()
    return round_.staked_minor, sum(line.returned_minor for line in returned)


def share_settlement(game: Any, round_: Any, wagers: Iterable[Wager]) -> tuple[int, int]:
    """Return the stake and return of these wagers' boxes in a round that has ended."""
    boxes = {wager.box for wager in wagers}
    lines = [line for line in game.settle(round_) if line.box in boxes]
    return sum(line.stake_minor for line in lines), sum(line.returned_minor for line in lines)
