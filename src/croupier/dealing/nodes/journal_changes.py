"""Changes in the entries of other nodes that this node has to apply."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from croupier.accounts.devices import ID_LENGTH
from croupier.accounts.responsible_gaming import NOTES
from croupier.action_log import ASKED, ActionNote
from croupier.ledger.bonus_entries import BONUS
from croupier.ledger.entries import COUP_KINDS, DEBT, ROUND_KINDS, ROWS, Entry
from croupier.players.queries import ACCEPTANCES, REMINDERS

SIGNING_OUT = frozenset({"remove_staff", "reset_staff"})
"""The operator's commands that end the sessions of a member of staff."""


class JournalChanges(NamedTuple):
    """The changes that new entries of the journal mean for this node.

    `restrictions`: notes in their order; `sessions`: ids of the ended ones, as they may be shown.

    `money` and `bonuses`: the players whose balances and bonuses have changed. `rounds`: the players and
    own tables where a round went on. `staff`: members who are removed, or get a new code.

    `stakes`: players who have staked at live tables, or taken a stake back; `coups`: those whose rounds there
    have ended. `reminders`: players who answered a reality check, and when. `acceptances`: players who
    accepted a document. `settings`: players whose row has changed, which has their settings.
    `debtors`: players whose debts have changed.
    """

    restrictions: tuple[Entry, ...]
    sessions: frozenset[str]
    money: frozenset[str]
    bonuses: frozenset[str]
    rounds: frozenset[tuple[str, str]]
    staff: frozenset[str]
    stakes: frozenset[str]
    coups: frozenset[str]
    reminders: tuple[tuple[str, int], ...]
    acceptances: frozenset[str]
    settings: frozenset[str]
    debtors: frozenset[str]


def changes_in(posted: Iterable[Entry]) -> JournalChanges:
    """Return the changes of these entries.

    Entries of this node may be among them: applying their changes again must do no harm.
    """
    entries = list(posted)
    rows = [_rows(entry) for entry in entries if entry.key.startswith(ROWS)]
    ended = [key for each in rows for key, digest in each.get("session", {}).items() if digest is None]
    return JournalChanges(
        restrictions=tuple(entry for entry in entries if entry.key.startswith(NOTES)),
        sessions=frozenset(key[:ID_LENGTH] for key in ended),
        money=frozenset(entry.player for entry in entries if entry.moves and entry.player),
        bonuses=frozenset(entry.player for entry in entries if BONUS in entry.body),
        rounds=frozenset((entry.player, entry.table) for entry in entries if entry.kind in ROUND_KINDS),
        staff=frozenset(name for entry in entries for name in _signed_out(entry))
        | {name for each in rows for name, digest in each.get("staff", {}).items() if digest is None},
        stakes=_with_shares(entry for entry in entries if entry.kind not in COUP_KINDS),
        coups=_with_shares(entry for entry in entries if entry.kind in COUP_KINDS),
        reminders=tuple((entry.player, entry.at_ms) for entry in entries if entry.key.startswith(REMINDERS)),
        acceptances=frozenset(entry.player for entry in entries if entry.key.startswith(ACCEPTANCES)),
        settings=frozenset(key for each in rows for key, digest in each.get("player", {}).items() if digest),
        debtors=frozenset(
            entry.player for entry in entries for move in entry.moves if DEBT in (move[0].kind, move[1].kind)
        ),
    )


def _with_shares(entries: Iterable[Entry]) -> frozenset[str]:
    return frozenset(share.player for entry in entries if entry.shares for share in entry.shares.each)


def _signed_out(entry: Entry) -> Iterable[str]:
    if not entry.key.startswith(ASKED):
        return []
    asked = msgspec.convert(entry.body, ActionNote)
    return [asked.details["name"]] if asked.what in SIGNING_OUT else []


def _rows(entry: Entry) -> Mapping[str, Mapping[str, str | None]]:
    """Return the digests of changed rows by table and key; None: the row is deleted."""
    return msgspec.convert(entry.body.get("rows"), dict[str, dict[str, str | None]])
