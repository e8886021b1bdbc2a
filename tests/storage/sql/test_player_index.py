"""Players are found by the beginning of an id, a name, an identity or an address."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.accounts.devices import NewSession
from croupier.accounts.identity import Identity
from croupier.accounts.mail_addresses import MailToken
from croupier.app.serve import DATABASE
from croupier.ledger.sql.databases import Database
from croupier.storage.sql.player_index import SEARCH, search_values
from croupier.storage.stores import Stores
from tests.storage.sql.repositories import NOW_MS, add_account, add_guest, stores_in


def found(stores: Stores, text: str, limit: int = 10) -> list[str]:
    return [record.id for record in stores.player_index.search(text, limit).result()]


@pytest.fixture
def players(database: Database) -> Iterator[Stores]:
    """Stores with a guest, an account with an address, and an operator's player, the last one newest."""
    with stores_in(database) as stores:
        add_guest(stores, "p_ann", "one", NOW_MS)
        add_account(stores, "p_bob", "two", "bobby", NOW_MS + 1)
        stores.mail_addresses.add_token(MailToken("t", "p_bob", "verify", "bob@example.org"), NOW_MS).result()
        stores.credential_changes.verify_address("t", NOW_MS).result()
        add_guest(stores, "p_cid", "three", NOW_MS + 2)
        operators = Identity("operator", "Cust-17")
        stores.identities.add(operators, "", NewSession("p_cid", "four", ""), NOW_MS + 2).result()
        yield stores


def test_all_players_are_listed_newest_first_by_the_page(players: Stores) -> None:
    first = players.player_index.newest("", 2).result()
    assert [(each.id, each.kind, each.login) for each in first] == [
        ("p_cid", "operator", "Cust-17"),
        ("p_bob", "account", "bobby"),
    ]
    assert [each.id for each in players.player_index.newest("p_bob", 2).result()] == ["p_ann"]


def test_a_player_is_found_by_each_of_their_names(players: Stores) -> None:
    assert found(players, "p_") == ["p_cid", "p_bob", "p_ann"]
    assert len(found(players, "p_", limit=2)) == 2
    assert found(players, "guest P_A") == ["p_ann"], "the shown name, in any case"
    assert found(players, "BOBB") == ["p_bob"], "the name that they sign in with, in any case"
    assert found(players, "bob@") == ["p_bob"], "the address"
    assert found(players, "Cust-1") == ["p_cid"], "the operator's id, as it is"
    assert found(players, "cust-1") == []
    assert found(players, "ann") == [], "not the middle of an id"
    assert found(players, "%") == found(players, "_") == []
    assert players.player_index.find("p_nobody").result() is None


def test_the_search_scans_no_table(tmp_path: Path) -> None:
    with stores_in(tmp_path / DATABASE), closing(sqlite3.connect(tmp_path / DATABASE)) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {SEARCH}", search_values("a", 1))
        steps = [str(row[3]) for row in plan]
    assert [step for step in steps if step.startswith("SCAN")] == ["SCAN found"] * 5, "subqueries only"
