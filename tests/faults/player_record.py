"""A player's record of what the server acknowledged, to compare the server with."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec.structs import replace

from croupier.games.blackjack.view import BlackjackView
from croupier.protocol import wire
from tests.faults.expected_payout import Payout, View, payout
from tests.support.browser_connection import Request

Did = tuple[wire.RoundEvent, ...]
Sent = Request | wire.CashierRequest | wire.LimitRequest
"""A command, or a request over HTTP."""


class Broken(AssertionError):
    """The server lost something acknowledged, or lost or created money."""


def must(kept: bool, what: str) -> None:
    if not kept:
        raise Broken(what)


@dataclass
class Round:
    """A round as far as acknowledged: its events in order, and the last view."""

    id: str
    table: str
    currency: str
    stakes: tuple[wire.Stake, ...]
    did: Did
    view: View

    @property
    def decisions(self) -> int:
        return sum(one.what == "decided" for one in self.did)

    @property
    def returned_minor(self) -> int:
        return self.view.returned_minor if self.view.ended else 0

    def continue_with(self, did: Did, view: View) -> None:
        """Take over a later state; `did`, all events so far, must begin with the acknowledged ones."""
        must(did[: len(self.did)] == self.did, f"round {self.id}: {self.did} became {did}")
        self.did, self.view = did, view
        if view.ended:
            actual = Payout(view.staked_minor, view.returned_minor)
            must(
                actual == payout(self.table, view),
                f"round {self.id}: {actual} is wrong by the cards of {view}",
            )

    def check_unchanged(self, did: Did, view: View) -> None:
        """Check that nothing has happened since."""
        must(did == self.did, f"round {self.id}: {self.did} was acknowledged, {did} is there")
        must(
            _comparable(view) == _comparable(self.view),
            f"round {self.id}: {self.view} was acknowledged, {view} is there",
        )


def _comparable(view: View) -> View:
    """Return the view without what the player can afford, which depends on the balance."""
    if not isinstance(view, BlackjackView):
        return view
    turns = (
        replace(turn, options=tuple(replace(option, covered=True) for option in turn.options))
        for turn in view.turns
    )
    return replace(view, turns=tuple(turns))


@dataclass
class PlayerRecord:
    """The record that a player keeps of their own play.

    `rounds` are by id in the order of dealing; `joined` has the currency of each open table.

    `sent` is the command without a reply so far.
    """

    tables: dict[str, wire.LobbyTable] = field(default_factory=dict)
    first_minor: dict[str, int] = field(default_factory=dict)
    brought_minor: Counter[str] = field(default_factory=Counter)
    rounds: dict[str, Round] = field(default_factory=dict)
    settings: wire.Settings = field(default_factory=wire.Settings)
    joined: dict[str, str] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    limit: wire.LimitRequest | None = None
    """The last one set; each is stricter than the one before, so it applies at once."""
    sent: Sent | None = None

    def last(self, table: str) -> Round | None:
        return next((one for one in reversed(self.rounds.values()) if one.table == table), None)

    def open(self, table: str) -> Round | None:
        last = self.last(table)
        return None if last is None or last.view.ended else last

    def begin(self, round_: Round) -> Round:
        must(round_.id not in self.rounds, f"round {round_.id} was dealt before")
        return self.rounds.setdefault(round_.id, round_)

    def receive(self, messages: Iterable[wire.Message]) -> None:
        """Remember the tables' versions."""
        for message in messages:
            if isinstance(message, wire.TableUpdate | wire.TableSnapshot):
                self.seen[message.table] = message.v

    def acknowledge(self, done: Sent) -> None:
        """Apply the effect of a command; a round's steps come with its events."""
        match done:
            case wire.Join(table=table, currency=currency):
                self.joined[table] = currency
            case wire.SaveSettings(settings=settings):
                self.settings = settings
            case wire.CashierRequest(currency=currency, amount_minor=amount):
                self.brought_minor[currency] += amount
            case wire.LimitRequest():
                self.limit = done

    def check_limits(self, care: wire.ResponsibleGaming) -> None:
        """Check that the limits are those acknowledged."""
        actual = [one.most for one in care.limits if one.most is not None]
        expected = [] if self.limit is None else [self.limit.most]
        must(actual == expected, f"limits of {actual} are reported, {expected} was set")

    def check_balances(self, balances: Iterable[wire.Balance]) -> None:
        """Check that the balances follow exactly from the rounds and deposits."""
        for actual in balances:
            expected = self.balance(actual.currency)
            must(actual == expected, f"{actual} is reported, {expected} is right")

    def balance(self, currency: str) -> wire.Balance:
        played = [one for one in self.rounds.values() if one.currency == currency]
        staked = sum(one.view.staked_minor for one in played if one.view.ended)
        returned = sum(one.view.returned_minor for one in played if one.view.ended)
        in_play = sum(one.view.staked_minor for one in played if not one.view.ended)
        cash = self.first_minor[currency] + self.brought_minor[currency] - staked - in_play + returned
        return wire.Balance(currency, cash, in_play, staked, returned)
