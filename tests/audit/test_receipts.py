"""Each round in a player's history has a receipt, with which the journal can be compared years later."""

import sqlite3
from pathlib import Path

import pytest

from croupier.app.serve import DATABASE
from croupier.ledger.anchors import parse_receipt
from croupier.ledger.sql.verify import verify
from croupier.protocol import wire
from tests.support import preloaded
from tests.support.browser_connection import connect_guest, deal_open_round
from tests.support.server_process import CROUPIER, ServerProcess

pytestmark = pytest.mark.anyio

TABLE = "double_exposure"
STAKE = wire.Stake(0, "main", 1000)


async def test_history_has_the_receipt_of_each_round_that_has_ended(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data").start()
    async with connect_guest(server.address) as browser:
        await browser.join(TABLE)
        played = await deal_open_round(browser, TABLE, STAKE)
        assert (await browser.get("/api/history", wire.History)).lines[0].receipt == ""
        while not played.view.ended:
            after = (await browser.decide(TABLE, played, "stand")).state().round
            assert after is not None
            played = after
        await deal_open_round(browser, TABLE, STAKE)
        lines = (await browser.get("/api/history", wire.History)).lines
        alone = await browser.get(f"/api/rounds/{lines[-1].round}", wire.HistoryRound)
    assert server.stop() == 0
    ended = {line.round: line.receipt for line in lines if line.status != "open"}
    assert alone.line.receipt == ended[alone.line.round]
    with sqlite3.connect(server.data / DATABASE) as connection:
        right = connection.execute(
            "SELECT round.id, ended_seq || ':' || lower(hex(hash)) FROM round JOIN journal ON seq = ended_seq"
        ).fetchall()
    connection.close()
    assert ended == dict(right)
    hashes = [parse_receipt(receipt) for receipt in ended.values()]
    assert verify(server.data / DATABASE, known=hashes).bad is None
    forged = [known._replace(hash="0" * 64) for known in hashes]
    assert verify(server.data / DATABASE, known=forged).bad is not None


def test_the_help_of_verify_names_the_option_for_receipts() -> None:
    completed = preloaded.run([*CROUPIER, "verify", "--help"])
    assert completed.returncode == 0, completed.stderr
    assert "--receipt" in completed.stdout
