"""Each round in a player's history has a receipt, which the journal can be compared with years later."""

import sqlite3
import subprocess
from pathlib import Path

import pytest

from croupier.app.serve import BOOKS
from croupier.ledger.anchors import parse_receipt
from croupier.ledger.sqlite.verify import verify
from croupier.protocol import wire
from tests.support.browser_connection import begun, guest_at
from tests.support.server_process import CROUPIER, HouseProcess

pytestmark = pytest.mark.anyio

TABLE = "double_exposure"
STAKE = wire.Stake(0, "main", 1000)


async def test_history_has_the_receipt_of_each_round_that_has_ended(tmp_path: Path) -> None:
    house = HouseProcess(tmp_path / "data").start()
    async with guest_at(house.address) as browser:
        await browser.join(TABLE)
        played = await begun(browser, TABLE, STAKE)
        assert (await browser.get("/api/history", wire.History)).lines[0].receipt == ""
        while not played.view.ended:
            told = (await browser.decide(TABLE, played, "stand")).state().round
            assert told is not None
            played = told
        await begun(browser, TABLE, STAKE)
        lines = (await browser.get("/api/history", wire.History)).lines
        alone = await browser.get(f"/api/rounds/{lines[-1].round}", wire.HistoryRound)
    assert house.stop() == 0
    ended = {line.round: line.receipt for line in lines if line.status != "open"}
    assert alone.line.receipt == ended[alone.line.round]
    with sqlite3.connect(house.data / BOOKS) as books:
        right = books.execute(
            "SELECT round.id, ended_seq || ':' || lower(hex(hash)) FROM round JOIN journal ON seq = ended_seq"
        ).fetchall()
    books.close()
    assert ended == dict(right)
    hashes = [parse_receipt(receipt) for receipt in ended.values()]
    assert verify(house.data / BOOKS, known=hashes).bad is None
    forged = [known._replace(hash="0" * 64) for known in hashes]
    assert verify(house.data / BOOKS, known=forged).bad is not None


def test_help_tells_how_to_check_a_receipt() -> None:
    told = subprocess.run([*CROUPIER, "verify", "--help"], capture_output=True, text=True, check=True)
    assert "--receipt" in told.stdout
