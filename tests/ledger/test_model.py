"""The ledger against a model: random posts in random order give the predicted results."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from itertools import count
from operator import neg
from pathlib import Path
from threading import Event

import pytest
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from croupier.ledger import entries
from croupier.ledger.entries import Entry, Posted, Share, Ticket
from croupier.ledger.sql.databases import Database, PostgresqlUrl
from croupier.ledger.sql.verify import verify
from croupier.ledger.stores import open_ledger
from croupier.play.contract.amounts import BALANCE_MINOR_MAX
from croupier.refusal import Refused
from tests.ledger import sample_entries
from tests.ledger.model import Model, PostResult
from tests.support.postgresql import empty

PLAYERS = ("ann", "bob")
TABLES = ("classic", "premium")
CURRENCIES = ("GC", "SC")
AMOUNTS = st.integers(1, 60)
GRANTS = AMOUNTS | st.just(BALANCE_MINOR_MAX)
STEPS = st.lists(st.sampled_from(["AS", "7H", "down", "hit"]), max_size=2)
TICKETS = st.builds(
    Ticket,
    st.integers(0, 12).map("r{}".format),
    st.sampled_from(PLAYERS),
    st.sampled_from(TABLES),
    st.sampled_from(CURRENCIES),
)


def result_of(post: Future[tuple[Posted, ...]]) -> list[PostResult] | str:
    try:
        return [comparable(posted) for posted in post.result(30)]
    except Refused as refused:
        return refused.code


def comparable(posted: Posted) -> PostResult:
    return (*posted[:3], tuple(refused.code if refused else None for refused in posted.refused))


class LedgerMachine(RuleBasedStateMachine):
    @staticmethod
    def new_database() -> Database:
        """Return an empty database for an example."""
        raise NotImplementedError

    @initialize()
    def open(self) -> None:
        self.database = self.new_database()
        self.ledger = open_ledger(self.database)
        self.model = Model()
        self.posted: list[list[Entry]] = []
        self.numbers = count()
        grants = [
            sample_entries.grant(200, who, what, f"{who} {what}") for who in PLAYERS for what in CURRENCIES
        ]
        self.compare(grants)

    def teardown(self) -> None:
        if hasattr(self, "ledger"):
            self.ledger.close()

    @rule(data=st.data(), length=st.integers(1, 3))
    def post(self, data: st.DataObject, length: int) -> None:
        self.compare([data.draw(self.any_entry()) for _ in range(length)])

    @rule(data=st.data(), length=st.integers(1, 6))
    def post_each(self, data: st.DataObject, length: int) -> None:
        """Some may have been posted before; some are grouped with others."""
        every = [data.draw(self.any_entry()) for _ in range(length)]
        if self.posted:
            every += data.draw(st.sampled_from([[], *self.posted]))
        predicted = self.model.post_each(every)
        results = [
            result.code if isinstance(result, Refused) else comparable(result)
            for result in self.ledger.post_each(every).result(30)
        ]
        assert results == predicted, every
        accepted = [
            entry
            for entry, result in zip(every, results, strict=True)
            if not isinstance(result, str) and not any(result[3])
        ]
        self.posted += [[entry] for entry in accepted]

    @rule(data=st.data(), lengths=st.lists(st.integers(1, 3), min_size=1, max_size=3))
    def post_groups(self, data: st.DataObject, lengths: list[int]) -> None:
        """Each group is posted whole or not at all."""
        groups = [[data.draw(self.any_entry()) for _ in range(length)] for length in lengths]
        predicted = [self.model.post(group) for group in groups]
        results = [
            result.code if isinstance(result, Refused) else [comparable(posted) for posted in result]
            for result in self.ledger.post_groups(groups).result(30)
        ]
        assert results == predicted, groups

    @rule(data=st.data())
    def post_in_a_group(self, data: st.DataObject) -> None:
        """Queued sequences are posted together, each whole or not at all."""
        sequences = [[data.draw(self.any_entry()) for _ in range(2)] for _ in range(3)]
        predicted = [self.model.post(sequence) for sequence in sequences]
        go = Event()
        self.ledger.run(lambda _db: go.wait(30))
        posts = [self.ledger.post(sequence) for sequence in sequences]
        go.set()
        results = [result_of(post) for post in posts]
        assert results == predicted, sequences

    @rule(data=st.data(), waits=st.booleans())
    def prepare(self, data: st.DataObject, waits: bool) -> None:
        """Prepare a sequence, which no reader sees; post it, or more with it, or something else first."""
        likely = [data.draw(self.any_entry()) for _ in range(data.draw(st.integers(1, 2)))]
        preparation = self.ledger.prepare(likely)
        if waits:
            wait([preparation], 0.05)  # not longer: an earlier prepared sequence may still be there
            event(f"prepared: {preparation.done() and preparation.result()}")
            self.balances_are_as_predicted()
            self.rounds_are_as_predicted()
            self.the_audit_finds_nothing()
        if data.draw(st.booleans()):
            self.compare([data.draw(self.any_entry())])
        if data.draw(st.booleans()):
            self.compare([*likely, *data.draw(st.lists(self.any_entry(), max_size=1))])

    @rule(data=st.data())
    def post_again(self, data: st.DataObject) -> None:
        """Post earlier entries at another time, perhaps with a new one among them."""
        if self.posted:
            again = [replace(entry, at_ms=99) for entry in data.draw(st.sampled_from(self.posted))]
            extra = data.draw(st.lists(self.any_entry(), max_size=1))
            self.compare(data.draw(st.permutations([*again, *extra])))

    @rule(data=st.data())
    def reuse_a_key(self, data: st.DataObject) -> None:
        if self.posted:
            key = data.draw(st.sampled_from(self.posted))[0].key
            self.compare([replace(data.draw(self.any_entry()), key=key)])

    @rule()
    def reopen(self) -> None:
        self.ledger.close()
        self.ledger = open_ledger(self.database)

    def compare(self, sequence: list[Entry]) -> None:
        length = len(self.model.entries)
        predicted = self.model.post(sequence)
        results = result_of(self.ledger.post(sequence))
        event(results if isinstance(results, str) else f"{sequence[-1].kind}, duplicate {results[-1][1]}")
        assert results == predicted, sequence
        if len(self.model.entries) == length + len(sequence):
            self.posted.append(sequence)

    def any_entry(self) -> st.SearchStrategy[Entry]:
        """Any entry; most are about rounds, and most of those match an open round."""
        owner = st.sampled_from(PLAYERS), st.sampled_from(CURRENCIES)
        key = st.just(f"k{next(self.numbers)}")
        of_round = st.one_of(
            st.builds(
                entries.deal, TICKETS, key, st.just(2), number=st.just("#"), staked_minor=AMOUNTS, steps=STEPS
            ),
            st.builds(
                entries.answer,
                self.any_ticket(),
                key,
                st.just(3),
                extra_minor=st.just(0) | AMOUNTS,
                steps=STEPS,
            ),
            self.any_ticket().flatmap(lambda ticket: self.any_end(ticket, key)),
        )
        coup = self.any_shares().flatmap(lambda shares: self.any_coup(shares, key))
        released = st.builds(
            entries.release, self.any_ticket(), key, st.just(3), amount_minor=AMOUNTS | st.integers(1, 5)
        )
        other = st.one_of(
            st.builds(entries.grant, key, st.just(1), *owner, GRANTS, st.just("welcome")),
            st.builds(entries.deposit, key, st.just(1), *owner, GRANTS),
            st.builds(entries.withdrawal, key, st.just(1), *owner, AMOUNTS),
            st.builds(entries.expiry, key, st.just(1), *owner, AMOUNTS),
            st.builds(
                entries.adjustment, key, st.just(1), *owner, GRANTS | AMOUNTS.map(neg), st.just("mistake")
            ),
            st.builds(entries.withdrawal_requested, key, st.just(1), *owner, AMOUNTS),
            st.builds(entries.withdrawal_paid, key, st.just(1), *owner, AMOUNTS),
            st.builds(entries.withdrawal_returned, key, st.just(1), *owner, AMOUNTS, st.just("denied")),
            st.builds(entries.note, key, st.just(5), st.just({"said": "hello"}), player=owner[0]),
        )
        staked = st.builds(
            lambda at, shares: entries.stakes(f"k{next(self.numbers)}", 3, at[0], at[1], shares, number="#"),
            st.tuples(st.sampled_from(TABLES), st.sampled_from(CURRENCIES)),
            st.lists(self.any_stake(), min_size=1, max_size=3, unique_by=lambda share: share.round),
        )
        return of_round | of_round | released | staked | staked | coup | other

    def any_stake(self) -> st.SearchStrategy[Share]:
        """A share of an open, an ended or a new round."""
        amounts = st.tuples(AMOUNTS, st.just(0)) | st.tuples(st.just(0), AMOUNTS | st.integers(1, 5))
        return st.builds(
            lambda ticket, both: Share(ticket.round, ticket.player, *both), self.any_ticket(), amounts
        )

    def any_ticket(self) -> st.SearchStrategy[Ticket]:
        dealt = self.model.rounds.items()
        of_open = [Ticket(name, *played.owner) for name, played in dealt if played.status == "open"]
        of_ended = [Ticket(name, *played.owner) for name, played in dealt if played.status != "open"]
        known = [st.sampled_from(tickets) for tickets in (of_open, of_open, of_ended) if tickets]
        return st.one_of(*known, TICKETS)

    def any_shares(self) -> st.SearchStrategy[tuple[str, str, list[Share]]]:
        """Shares of one table and currency; most are those of open rounds there."""
        place = st.sampled_from([(table, currency) for table in TABLES for currency in CURRENCIES])
        return place.flatmap(lambda at: st.tuples(st.just(at[0]), st.just(at[1]), self.any_shares_at(*at)))

    def any_shares_at(self, table: str, currency: str) -> st.SearchStrategy[list[Share]]:
        there = [
            Share(name, played.owner[0], played.staked, 0)
            for name, played in self.model.rounds.items()
            if played.owner[1:] == (table, currency) and played.status == "open"
        ]
        any_share = st.builds(
            lambda ticket, staked: Share(ticket.round, ticket.player, staked, 0), self.any_ticket(), AMOUNTS
        )
        lists = st.lists(any_share, min_size=1, max_size=2, unique_by=lambda share: share.round)
        return st.one_of(*[st.just(there)] * 4, lists) if there else lists

    def any_coup(
        self, coup: tuple[str, str, list[Share]], key: st.SearchStrategy[str]
    ) -> st.SearchStrategy[Entry]:
        table, currency, shares = coup
        returned = [share._replace(returned_minor=share.staked_minor) for share in shares]
        paid = st.tuples(
            *[
                st.builds(share._replace, returned_minor=AMOUNTS if share.staked_minor else st.just(0))
                for share in shares
            ]
        )
        at = st.just(4), st.just(table), st.just(currency)
        ended = st.builds(entries.coup, key, *at, paid, st.just({"cards": ["AS"]}))
        return ended | st.builds(entries.call_off, key, *at, st.just(returned), st.just("bug"))

    def any_end(self, ticket: Ticket, key: st.SearchStrategy[str]) -> st.SearchStrategy[Entry]:
        played = self.model.rounds.get(ticket.round)
        staked = AMOUNTS
        if played and played.staked:  # an entry can't settle nothing
            staked = st.one_of(*[st.just(played.staked)] * 4, AMOUNTS)
        settled = st.builds(
            entries.settle,
            st.just(ticket),
            key,
            st.just(4),
            staked_minor=staked,
            returned_minor=st.just(0) | AMOUNTS,
            steps=STEPS,
        )
        voided = st.builds(
            entries.void,
            st.just(ticket),
            key,
            st.just(4),
            staked_minor=staked,
            reason=st.just("bug"),
        )
        return settled | voided

    @invariant()
    def balances_are_as_predicted(self) -> None:
        for player in PLAYERS:
            balances = self.ledger.balances(player)
            for currency in CURRENCIES:
                of_currency = balances.get(currency, {})
                predicted = (
                    self.model.cash.get((player, currency), 0),
                    self.model.held.get((player, currency), 0),
                    self.model.withdrawing.get((player, currency), 0),
                )
                kinds = ("cash", "in_play", "withdrawing")
                assert tuple(of_currency.get(kind, 0) for kind in kinds) == predicted

    @invariant()
    def rounds_are_as_predicted(self) -> None:
        found = {round_.id for player in PLAYERS for round_ in self.ledger.rounds(player)}
        assert found == self.model.rounds.keys()
        for name, played in self.model.rounds.items():
            record = self.ledger.round(name)
            assert record is not None
            assert (record.player, record.table, record.currency) == played.owner
            assert (record.staked_minor, record.returned_minor) == (played.staked, played.returned)
            assert (record.status, list(record.steps)) == (played.status, played.steps)

    @invariant()
    def all_money_sums_to_zero(self) -> None:
        sums = "SELECT currency FROM account GROUP BY currency HAVING sum(balance_minor) <> 0"
        assert self.ledger.run(lambda db: db.execute(sums).fetchall()).result() == []

    @invariant()
    def the_audit_finds_nothing(self) -> None:
        report = verify(self.database)
        assert (report.bad, report.entries) == (None, len(self.model.entries))


@pytest.mark.any_store
@pytest.mark.parametrize("times", [1, pytest.param(40, marks=pytest.mark.campaign)])
def test_posts_give_the_predicted_results(database: Database, times: int) -> None:
    class Machine(LedgerMachine):
        new_database = staticmethod(maker_of(database))

    examples = times * (4 if isinstance(database, Path) else 2)
    limits = settings(max_examples=examples, stateful_step_count=40, deadline=None)
    run_state_machine_as_test(Machine, settings=limits)


def maker_of(database: Database) -> Callable[[], Database]:
    """Return what makes an empty database for each example."""
    if isinstance(database, Path):
        numbers = count()
        return lambda: database.with_name(f"{next(numbers)}.db")

    def emptied() -> PostgresqlUrl:
        empty(database)
        return database

    return emptied
