"""What a player of the campaign remembers of what the house acknowledged, to hold it against the house."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec.structs import replace

from croupier.games.blackjack.view import BlackjackView
from croupier.protocol import wire
from tests.faults.reckoning import View, Worth, worth
from tests.support.browser_connection import Asked

Did = tuple[wire.RoundEvent, ...]
Sent = Asked | wire.CashierRequest | wire.LimitRequest
"""A command, or what is ordered over HTTP."""


class Broken(AssertionError):
    """The house broke its word: something acknowledged is gone, or money was lost or made."""


def must(kept: bool, what: str) -> None:
    if not kept:
        raise Broken(what)


@dataclass
class Round:
    """A round as far as it was acknowledged: everything that happened, in order, and the last view."""

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

    def goes_on(self, did: Did, view: View) -> None:
        """`did` is all that has happened: what was acknowledged stands at its beginning."""
        must(did[: len(self.did)] == self.did, f"round {self.id}: {self.did} became {did}")
        self.did, self.view = did, view
        if view.ended:
            told = Worth(view.staked_minor, view.returned_minor)
            must(told == worth(self.table, view), f"round {self.id}: {told} is wrong by the cards of {view}")

    def stands(self, did: Did, view: View) -> None:
        """Nothing has happened since it was acknowledged."""
        must(did == self.did, f"round {self.id}: {self.did} was acknowledged, {did} is there")
        must(
            _seen(view) == _seen(self.view), f"round {self.id}: {self.view} was acknowledged, {view} is there"
        )


def _seen(view: View) -> View:
    """Apart from what the player can pay for, which hangs on his balance and not on the round."""
    if not isinstance(view, BlackjackView):
        return view
    turns = (
        replace(turn, options=tuple(replace(option, covered=True) for option in turn.options))
        for turn in view.turns
    )
    return replace(view, turns=tuple(turns))


@dataclass
class Memory:
    """`rounds` by id, in the order they were dealt; `joined`: the currency of each table that is open.

    `sent` is a command that has no answer yet.
    """

    tables: dict[str, wire.LobbyTable] = field(default_factory=dict)
    first_minor: dict[str, int] = field(default_factory=dict)
    brought_minor: Counter[str] = field(default_factory=Counter)
    rounds: dict[str, Round] = field(default_factory=dict)
    settings: wire.Settings = field(default_factory=wire.Settings)
    joined: dict[str, str] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    limit: wire.LimitRequest | None = None
    """The last one that he has set himself; each is stricter than the one before, and counts at once."""
    sent: Sent | None = None

    def last(self, table: str) -> Round | None:
        return next((one for one in reversed(self.rounds.values()) if one.table == table), None)

    def open(self, table: str) -> Round | None:
        last = self.last(table)
        return None if last is None or last.view.ended else last

    def begin(self, round_: Round) -> Round:
        must(round_.id not in self.rounds, f"round {round_.id} was dealt before")
        return self.rounds.setdefault(round_.id, round_)

    def hear(self, told: Iterable[wire.Message]) -> None:
        """Versions, and balances, which are always right."""
        for message in told:
            if isinstance(message, wire.TableUpdate | wire.TableSnapshot):
                self.seen[message.table] = message.v

    def acknowledge(self, done: Sent) -> None:
        """What is done has its effect; a round's own steps are remembered where they are told."""
        match done:
            case wire.Join(table=table, currency=currency):
                self.joined[table] = currency
            case wire.SaveSettings(settings=settings):
                self.settings = settings
            case wire.CashierRequest(currency=currency, amount_minor=amount):
                self.brought_minor[currency] += amount
            case wire.LimitRequest():
                self.limit = done

    def keeps_to(self, care: wire.ResponsibleGaming) -> None:
        """The limits are those that were acknowledged."""
        told = [one.most for one in care.limits if one.most is not None]
        mine = [] if self.limit is None else [self.limit.most]
        must(told == mine, f"limits of {told} are told, {mine} was set")

    def holds(self, balances: Iterable[wire.Balance]) -> None:
        """The balances are what these rounds and the cashier leave, to the smallest unit."""
        for told in balances:
            mine = self.balance(told.currency)
            must(told == mine, f"{told} is told, {mine} is right")

    def balance(self, currency: str) -> wire.Balance:
        played = [one for one in self.rounds.values() if one.currency == currency]
        staked = sum(one.view.staked_minor for one in played if one.view.ended)
        returned = sum(one.view.returned_minor for one in played if one.view.ended)
        in_play = sum(one.view.staked_minor for one in played if not one.view.ended)
        cash = self.first_minor[currency] + self.brought_minor[currency] - staked - in_play + returned
        return wire.Balance(currency, cash, in_play, staked, returned)
