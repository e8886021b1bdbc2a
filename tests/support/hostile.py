"""Commands of a hostile client: reused, foreign, malformed and out of turn. None may have an effect."""

from collections.abc import Iterable, Iterator

import msgspec

from croupier.protocol import wire

USED_IDS = ("X", "X-settle", "X_settle", "settle", "settle-X", "1", "2")
"""Request ids that the client uses before it plays, and again for its decisions."""
SERVER_KEYS = (
    "X/settle",
    "settle:{round}",
    "void:{round}",
    "played_out:{round}",
    "{round}:closed",
    "grant:X",
)
"""Patterns of the server's own idempotency keys, which no request id may match."""
ACTIONS = (
    *("hit", "stand", "double", "split", "surrender", "deal", "HIT"),
    *("insure", "decline_insurance", "take_even_money", "decline_even_money"),
)
MALFORMED = (
    b"",
    b"{",
    b"\xff\xfe",
    b"[]",
    b"null",
    b'{"t":"deal"}',
    b'{"t":"nothing","req":"a"}',
    b'{"t":"decide","req":"a","table":"classic","round":"r","box":-1,"hand":0,"action":"hit"}',
    b'{"t":"decide","req":"a","table":"classic","round":"r","box":0,"hand":1e99,"action":"hit"}',
    b'{"t":"deal","req":"a","table":"classic","stakes":[]}',
    b'{"t":"deal","req":"a","table":"classic","stakes":[{"box":0,"bet":"main","stake_minor":-1}]}',
    b'{"t":"deal","req":"a","table":"classic","stakes":[{"box":0,"bet":"main","stake_minor":1.5}]}',
    b'{"t":"join","req":"a","table":"classic","currency":"GC","more":1}',
)
STAKE = wire.Stake(0, "main", 5000)
OTHER_ROUND = "r000000000000000000000"


def reused(table: str, round_: str, used_ids: Iterable[str]) -> Iterator[wire.Command]:
    """Generate commands of every type under request ids that were used for other commands."""
    for req in used_ids:
        yield wire.DealRound(req, table, (STAKE,))
        yield wire.Decide(req, table, round_, 0, 0, 0, "stand")
        yield wire.Leave(req, table)
        yield wire.Join(req, table, "SC")
        yield wire.SaveSettings(req, wire.Settings(sound=False))


def foreign(table: str) -> Iterator[wire.Command]:
    """Generate commands about rounds, tables and currencies that aren't the client's."""
    yield wire.Decide("f1", table, OTHER_ROUND, 0, 0, 0, "stand")
    yield wire.Decide("f2", "nowhere", OTHER_ROUND, 0, 0, 0, "stand")
    yield wire.DealRound("f3", "infinite", (STAKE,))
    yield wire.DealRound("f4", "nowhere", (STAKE,))
    yield wire.PlaceBet("f5", table, OTHER_ROUND, (STAKE,))
    yield wire.Undo("f6", table, OTHER_ROUND)
    yield wire.Sit("f7", table, 1)
    yield wire.StandUp("f8", table, 1)
    yield wire.PostChat("f9", table, "hello")
    yield wire.ReportChatLine("f10", table, 1)
    yield wire.Join("f11", "nowhere", "GC")
    yield wire.Join("f12", table, "ZZZ")


def out_of_turn(
    table: str, round_: str, turn: int, offered: Iterable[tuple[int, int, str]]
) -> Iterator[wire.Command]:
    """Generate decisions that the round doesn't offer or of another turn, and stakes while it is open."""
    allowed, number = set(offered), 0
    for box in (0, 1, 4, 40):
        for hand in (0, 1, 40):
            for action in ACTIONS:
                if (box, hand, action) not in allowed:
                    number += 1
                    yield wire.Decide(f"o{number}", table, round_, turn, box, hand, action)
    for number, (box, hand, action) in enumerate(allowed):
        for stale in {0, turn - 1, turn + 1}:
            yield wire.Decide(f"t{number}.{stale}", table, round_, stale, box, hand, action)
    yield wire.DealRound("o", table, (STAKE,))


def frames(commands: Iterable[wire.Command]) -> list[bytes]:
    return [msgspec.json.encode(command) for command in commands]
